"""A lesson beside the stepper: the page on the left, and on the right the screen that it drives.

It is the real stepper, with all of its keys. A page leads it to a place; from there the reader may go
anywhere, and the next question leads it back. Where a page opens another file, the screen is made anew
on that file, and the lesson goes on in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from visualizer.learning import player, progress
from visualizer.learning.lesson import Lesson, LessonError
from visualizer.learning.parts import Exercise, Go
from visualizer.learning.player import Stand
from visualizer.tui.scene import Scene
from visualizer.tui.screens.stepper import StepperScreen
from visualizer.tui.screens.walking import WalkingScreen
from visualizer.tui.widgets.card import Card
from visualizer.tui.widgets.lesson_pane import LessonPane
from visualizer.tui.widgets.predict_box import PredictBox
from visualizer.tui.widgets.run_box import RunBox

if TYPE_CHECKING:
    from visualizer.tui.app import UnfoldApp

_PAGES = "The lesson's previous page, its next page"


class LessonScreen(StepperScreen):
    AUTO_FOCUS = "LessonPane"
    TABS = (*StepperScreen.TABS, "lesson")
    FIRST_TAB = "lesson"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+left", "page(-1)", "page back", tooltip=_PAGES, show=False, priority=True),
        Binding("ctrl+right", "page(1)", "next page", tooltip=_PAGES, priority=True),
        Binding("5", "tab('lesson')", "lesson", tooltip="The lesson", show=False),
    ]

    def __init__(self, lesson: Lesson, stand: Stand, page: int, app: UnfoldApp) -> None:
        place = stand.place
        super().__init__(stand.bench, place.expansion if place else 0, 0)
        self._lesson, self._page = lesson, page
        self._progress = progress.of_lesson(lesson, app.say)
        if place is not None:
            self.set_reactive(WalkingScreen.scene, _scene(stand))

    def beside(self) -> ComposeResult:
        yield LessonPane(self._lesson, id="lesson")

    def on_mount(self) -> None:
        self.run_worker(self._show_page())

    @property
    def _pane(self) -> LessonPane:
        return self.query_one(LessonPane)

    async def _show_page(self) -> None:
        self._progress = progress.at_page(self._lesson, self._page, self._unfold.say)
        await self._pane.show(self._page, self._progress)
        self._lead()

    @property
    def _unfold(self) -> UnfoldApp:
        return cast("UnfoldApp", self.app)

    def _lead(self) -> None:
        """Go where the last `go` that is shown leads."""
        stand = player.stand(self._lesson, self._page, self._pane.last_part)
        if stand.bench is not self.bench:
            self.make_way(LessonScreen(self._lesson, stand, self._page, self._unfold))
        elif stand.place is not None:
            self.scene = _scene(stand)
        self.set_class(self._pane.asks, "-asking")  # what gives the answer away is hidden
        self.query_one(Card).definition_only = self._pane.asks
        parts = self._lesson.pages[self._page].parts[: self._pane.last_part + 1]
        looks = [part.look for part in parts if isinstance(part, Go) and part.look]
        self._look_at(looks[-1] if looks else None)

    def _look_at(self, pane: str | None) -> None:
        """Draw the eye to a pane, without taking the keys away from the lesson."""
        for widget in self.query(".-looked-at"):
            widget.remove_class("-looked-at")
        if pane is not None:
            self.query_one(f"#{pane}", Widget).add_class("-looked-at")
        self.set_class(pane == "tree", "-shows-tree")

    @on(PredictBox.Answered)
    async def _answered(self, message: PredictBox.Answered) -> None:
        name, given = self._lesson.part_name(self._page, message.part), (message.given,)
        self._progress = progress.predicted(self._lesson, name, given, self._unfold.say)
        await self._pane.go_on(self._progress)
        self._lead()

    @on(LessonPane.PageWanted)
    async def _page_wanted(self, message: LessonPane.PageWanted) -> None:
        await self.action_page(message.by)

    async def action_page(self, by: int) -> None:
        page = self._page + by
        if page >= len(self._lesson.pages):
            self._unfold.action_go_home()
        elif page >= 0:
            self._page = page
            await self._show_page()

    @on(RunBox.BenchmarkWanted)
    def _benchmark_wanted(self, message: RunBox.BenchmarkWanted) -> None:
        from registry_runtime.phi.kernel_key import KernelKey
        from visualizer.tui.entry_screens import to_measure

        wanted = message.run
        for entry in self.bench.entries:
            key, name = entry.registration.key, entry.registration.kernel_name
            if name == wanted.kernel and (
                not isinstance(key, KernelKey)
                or (
                    wanted.backend in (None, str(key.backend))
                    and wanted.dtype in (None, str(key.dtype))
                )
            ):
                self.app.push_screen(to_measure(self.bench, entry))
                return
        self.notify(f"No kernel {wanted.kernel} is registered by this file.", markup=False)

    def action_workshop(self) -> None:
        """The page's exercise, if it has one: that is the file to edit."""
        parts = self._lesson.pages[self._page].parts[: self._pane.last_part + 1]
        exercises = [n for n, part in enumerate(parts) if isinstance(part, Exercise)]
        if exercises:
            self._exercise_wanted(LessonPane.ExerciseWanted(exercises[-1]))
        else:
            super().action_workshop()

    @on(LessonPane.ExerciseWanted)
    def _exercise_wanted(self, message: LessonPane.ExerciseWanted) -> None:
        from visualizer.tui.screens.exercise import ExerciseScreen, open_exercise

        parts = self._lesson.pages[self._page].parts
        exercise, before = parts[message.part], parts[message.part - 1 : message.part]
        task = "".join(part for part in before if isinstance(part, str))
        assert isinstance(exercise, Exercise)
        try:
            bench = open_exercise(self._lesson, exercise)
        except (OSError, LessonError) as error:
            self._unfold.say(f"The exercise can't be opened: {error}")
            return
        name = self._lesson.part_name(self._page, message.part)
        self.app.push_screen(
            ExerciseScreen(bench, self._lesson, exercise, name, task), self._exercised
        )

    async def _exercised(self, _: object) -> None:
        self._progress = progress.of_lesson(self._lesson, self._unfold.say)
        await self._pane.show(self._page, self._progress)


def _scene(stand: Stand) -> Scene:
    place = stand.place
    assert place is not None
    return Scene(stand.bench, place.expansion, place.state, "next", place.look, place.token)


def first_screen(lesson: Lesson, app: UnfoldApp) -> LessonScreen:
    """The screen of a lesson, on the page that was read last. Raises LessonError, InputError."""
    page = progress.of_lesson(lesson, app.say).page_in(lesson)
    return LessonScreen(lesson, player.stand(lesson, page, 0), page, app)
