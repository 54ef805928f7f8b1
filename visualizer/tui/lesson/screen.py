"""A lesson beside the stepper: the page on the left, and on the right the screen that it drives.

It is the real stepper, with all of its keys. A page leads it to a place; from there the reader may go
anywhere, and the next question leads it back. After an answer it stays where the question was asked,
so that the reader can watch it happen. Where a page opens another file, the screen is made anew on
that file, and the lesson goes on in it.

Files are read, and answers found, by a thread. The screen's file is a reading apart from the one that
answers are asked of: what the reader does to its registry makes no answer wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from registry_runtime.phi.kernel_key import KernelKey
from visualizer.expansion import InputError
from visualizer.learning import lesson as lessons
from visualizer.learning import player, progress
from visualizer.learning.blocks import LOOKS
from visualizer.learning.consequences import Consequence, consequence
from visualizer.learning.lesson import Lesson, LessonError
from visualizer.learning.parts import Asked, Changeable, Exercise, Go, Predict
from visualizer.learning.player import Answered, OpenPage, Stand
from visualizer.messages import N_, _
from visualizer.personal.settings import Say
from visualizer.scene.pictures import OF_CALLS
from visualizer.scene.scene import Scene
from visualizer.tui.home.loading import LoadingScreen, loaded
from visualizer.tui.in_order import COMING
from visualizer.tui.lesson.call_pane import CallPane
from visualizer.tui.lesson.change_box import ChangeBox
from visualizer.tui.lesson.pane import ENDS, HERE, LessonPane
from visualizer.tui.lesson.predict_box import PredictBox
from visualizer.tui.lesson.run_box import RunBox
from visualizer.tui.stepper.heading import Heading
from visualizer.tui.stepper.keys import INCLUDED
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.stepper.source_pane import SourcePane
from visualizer.tui.stepper.walking import WalkingScreen
from visualizer.workbench.background import in_background

if TYPE_CHECKING:
    from visualizer.tui.app import UnfoldApp
    from visualizer.workbench.bench import Workbench

_PAGES = N_("The lesson's previous page, its next page")
_BEHIND = N_("Behind the last page: the next lesson, or the list of them")
_RECALL = N_("At a lesson's end: three questions of the lessons before it")
_FRAME = 0.3  # seconds that a step is seen while it is watched
_WATCHED = 4.0  # seconds that all of them take at most


class LessonScreen(StepperScreen):
    AUTO_FOCUS = "LessonPane"
    TABS = (*StepperScreen.TABS, "lesson")
    FIRST_TAB = "lesson"
    TELLS_OF_DRAFTS = False  # the file that is open now isn't what the page is about
    FOOTER_FIRST = (
        *(f"go_on('{want}')" for want in HERE),
        "page(1)",
        *(f"finish('{word}')" for word in ENDS),
        "try_call",
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+left", "page(-1)", "page back", tooltip=_PAGES, show=False, priority=True),
        Binding("ctrl+right", "page(1)", "next page", tooltip=_PAGES, priority=True),
        *(
            Binding("ctrl+right", f"finish('{word}')", word, tooltip=_BEHIND, priority=True)
            for word in ENDS
        ),
        Binding("5", "tab('lesson')", "lesson", tooltip="To the lesson", show=False),
        Binding("a", "watch", "watch", tooltip="Watch happen what was asked about"),
        Binding("y", "recall", "questions from before", tooltip=_RECALL, show=False),
        Binding("t", "try_call", "try a call", tooltip="Write another call beside the page"),
        Binding("g", "figures", "figures", tooltip="Of a run in the page: its time, its build"),
        *INCLUDED,
    ]

    def __init__(self, lesson: Lesson, reading: OpenPage, bench: Workbench, at: int = 0) -> None:
        """`bench` has the file of the reading, in a program of this screen's own. What stands on the
        page before the part `at` has been read."""
        place = reading.stand.place
        super().__init__(bench, place.expansion if place else 0, 0)
        self._lesson, self._reading, self._at = lesson, reading, at
        self._led_to: Asked | None = None  # the question that took the keys last
        if place is not None:
            self.set_reactive(WalkingScreen.scene, scene_of(bench, reading.stand))

    @property
    def lesson(self) -> str:
        return self._lesson.id

    def beside(self) -> ComposeResult:
        yield LessonPane(self._lesson, self._end, lambda: self.bench, id="lesson")
        yield CallPane(id="call")

    @cached_property
    def _end(self) -> str:
        """What comes behind the last page. It is asked for at many a key, and folders are searched."""
        return ENDS[lessons.following(self._lesson) is None]

    def on_mount(self) -> None:
        self.query_one(SourcePane).wraps = True  # a question may be about the end of a line
        self.run_worker(self._begin(), group=COMING)

    async def _begin(self) -> None:
        await self._pane.show(self._reading, self._at)
        self._lead()

    @property
    def _pane(self) -> LessonPane:
        return self.query_one(LessonPane)

    @property
    def _unfold(self) -> UnfoldApp:
        return cast("UnfoldApp", self.app)

    @property
    def _page(self) -> int:
        return self._reading.page

    def show_anew(self, bench: Workbench | None) -> None:
        """Who reads the file anew is still in the lesson, where that place is still there."""
        place = self._reading.stand.place
        if bench is None or place is None or place.expansion >= len(bench.trace.expansions):
            super().show_anew(bench)
        else:
            self.make_way(LessonScreen(self._lesson, self._reading, bench, self._reading.shown))

    # ------------------------------------------------------------------ from reading to reading

    @work(exclusive=True, group=COMING)
    async def _read(self, work: Callable[[], OpenPage]) -> None:
        await self._show(work)

    async def _show(self, work: Callable[[], OpenPage]) -> None:
        """Another page, or more of this one; on a screen of its own if it leads to another file."""
        title = self._lesson.title
        try:
            found = await loaded(self.app, title, lambda: _with_bench(work(), self.bench))
        except (LessonError, InputError) as error:
            self._unfold.say(_("The lesson can't go on: {error}").format(error=error))
            return
        if found is None:
            return
        reading, bench = found
        if bench is not self.bench:
            at = self._reading.shown if reading.page == self._page else 0
            self.make_way(LessonScreen(self._lesson, reading, bench, at))
            return
        turned, self._reading = reading.page != self._page, reading
        await (self._pane.show(reading) if turned else self._pane.extend(reading))
        self._lead()

    def _lead(self) -> None:
        """Go where the last `go` that is shown leads."""
        if self._reading.stand.place is not None:
            self.scene = scene_of(self.bench, self._reading.stand, self._pane.asked)
            self.query_one(LineView).show_what_happened()
        self._show_beside(self._reading.stand)

    def _show_beside(self, stand: Stand) -> None:
        """What the page wants to be looked at, and the call that is told."""
        parts = self._lesson.pages[self._page].parts[: self._reading.shown]
        looks = [part.look for part in parts if isinstance(part, Go) and part.look]
        self._look_at(looks[-1] if looks else None)
        self.wear({"-at-call": bool(stand.call)})
        if stand.call:
            self.query_one(CallPane).show(stand.bench, stand.call, stand.told)
            self.query_one(CallPane).story.picture(stand.picture in OF_CALLS)
        self.refresh_bindings()

    # ------------------------------------------------------------------ a call beside the page

    @property
    def _tells_call(self) -> bool:
        """Whether a call stands there in place of the steps."""
        return self.has_class("-at-call") and self.query_one(Heading).tab == "lesson"

    def _steps(self, by: int, otherwise: Callable[[], None]) -> None:
        if not self._tells_call:
            otherwise()
            return
        story = self.query_one(CallPane).story
        if story.story is None:
            self.notify(_("There is no such call: t leads to the field where it is written."))
        elif not story.move(by):
            self.notify(
                _("This is what became of the call.") if by > 0 else _("Here the call begins.")
            )

    def action_go_on(self) -> None:
        self._steps(1, super().action_go_on)

    def action_go_back(self) -> None:
        self._steps(-1, super().action_go_back)

    def action_over(self) -> None:
        if self._tells_call:
            self.query_one(CallPane).story.to_chapter(1)
        else:
            super().action_over()

    def action_back_over(self) -> None:
        if self._tells_call:
            self.query_one(CallPane).story.to_chapter(-1)
        else:
            super().action_back_over()

    def action_first(self) -> None:
        if self._tells_call:
            self.query_one(CallPane).story.to_end(last=False)
        else:
            super().action_first()

    def action_last(self) -> None:
        if self._tells_call:
            self.query_one(CallPane).story.to_end(last=True)
        else:
            super().action_last()

    def action_try_call(self) -> None:
        self.query_one("#call Input").focus()

    @on(CallPane.Left)
    def _field_left(self) -> None:
        self._pane.focus()

    def _look_at(self, pane: str | None) -> None:
        """Draw the eye to a pane, without taking the keys away from the lesson. While a question waits,
        what gives its answer away is hidden."""
        for name in LOOKS:
            self.query_one(f"#{name}").set_class(name == pane, "-looked-at", update=False)
        at = {f"-at-{name}": name == pane for name in LOOKS}
        self.wear({**at, "-asking": isinstance(self._pane.asked, Predict)})

    def bring_line(self) -> None:
        """Beside the page, if the page is what is open."""
        if self.query_one(Heading).tab == "lesson":
            self._look_at("line")
        else:
            super().bring_line()

    @on(LessonPane.PageWanted)
    def _page_wanted(self, message: LessonPane.PageWanted) -> None:
        self.action_page(message.by)

    def action_page(self, by: int) -> None:
        page = self._page + by
        if page >= len(self._lesson.pages):
            self.action_finish(self._end)
        elif page >= 0:
            self._read(partial(_at_page, self._lesson, page, self._unfold.say))
        else:
            self.notify(_("This is the first page of the lesson."))

    def action_finish(self, end: str) -> None:
        following = lessons.following(self._lesson)
        if following is None:
            self._unfold.action_go_home()
        else:
            self._unfold.open_lesson(following)

    @on(LessonPane.Reached)
    def _question_reached(self) -> None:
        """Whoever has gone elsewhere before is led back, once for each question."""
        if self._pane.asked is not self._led_to:
            self._led_to = self._pane.asked
            self._lead()

    @on(LessonPane.MoreWanted)
    def _more_wanted(self) -> None:
        self._read(partial(_further, self._lesson, self._reading, self._unfold.say))

    # ------------------------------------------------------------------ what is changed

    @on(ChangeBox.Came)
    async def _change_came(self, message: ChangeBox.Came) -> None:
        """What a learner's change has come to, beside the page, unless that has led on meanwhile."""
        stand, bench = message.outcome.stand, message.bench
        is_other = bench.trace is not self.bench.trace
        if message.is_late:
            return
        if is_other and self._still_asks(message.change):
            scene = scene_of(bench, stand) if stand.place is not None else None
            await self.show_rewritten(bench, scene)
        if not self._still_asks(message.change):
            return
        if is_other:
            self.query_one(SourcePane).wraps = True
        elif stand.place is not None:
            self.scene = scene_of(self.bench, stand)
        self._show_beside(stand)

    def _still_asks(self, change: Changeable) -> bool:
        """A screen that has made way has lost its panes."""
        return self in self.app.screen_stack and self._pane.asked is change

    # ------------------------------------------------------------------ questions

    @on(PredictBox.Given)
    def _given(self, message: PredictBox.Given) -> None:
        self.run_worker(self._judge(message), exclusive=True, group=COMING)

    async def _judge(self, message: PredictBox.Given) -> None:
        """The truth is told to whoever has it, or has tried often enough."""
        page, part, box = self._page, message.box.part, message.box
        asked, tries = self._lesson.pages[page].parts[part], message.tries
        answered = await in_background(lambda: player.judged(self._lesson, page, part, tries))
        truth = answered.truth
        name, say = self._lesson.part_name(page, part), self._unfold.say
        if not answered.right and not message.last:
            if isinstance(asked, Changeable):
                await box.refuse(Consequence())
                return
            here, given = self._reading.stand, message.tries[-1]
            said = await in_background(lambda: consequence(box.predict, here, given, truth))
            await in_background(lambda: progress.missed(self._lesson, name, say))
            await box.refuse(said)
            return

        def work() -> OpenPage:
            kept = progress.predicted(self._lesson, name, message.tries, say)
            self.keep_answer(message, answered)
            return player.read_answer(self._lesson, page, kept, part)

        await self._show(work)

    def keep_answer(self, message: PredictBox.Given, answered: Answered) -> None:
        """What else is kept of an answer; a thread does it."""

    def action_recall(self) -> None:
        """Three questions of earlier lessons of the track."""
        self._unfold.recall_before(self._lesson)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "watch":
            return self._reading.watched is not None
        if action == "try_call":
            return self._tells_call
        if action == "close_picture" and self._tells_call:
            return self.query_one(CallPane).story.pictured
        if action == "nothing_to_end" and self._tells_call:
            return not self.query_one(CallPane).story.pictured
        if action == "recall":
            return bool(self.query("#recall"))
        if action in ("invocation", "turn_card") and self._tells_call:
            return False
        if action == "figures":
            return bool(self.query(RunBox))
        if action == "invocation" and isinstance(self.focused, OptionList):
            return False  # a letter at a choice steps nowhere else
        last = self._page + 1 == len(self._lesson.pages)
        if action == "finish":
            return last and parameters[0] == self._end
        if action == "page" and parameters[0] == 1:
            return not last
        return super().check_action(action, parameters)

    def action_picture(self) -> None:
        if not self._tells_call:
            super().action_picture()
            return
        story = self.query_one(CallPane).story
        if story.pictured or story.has_picture():
            story.picture(not story.pictured)
            self.refresh_bindings()
        else:
            self.notify(
                _("Nothing here is drawn: operands have no strides yet, or a single element.")
            )

    def action_share(self) -> None:
        from visualizer.tui.stepper.share import ShareScreen, ToldCall

        story = self.query_one(CallPane).story if self._tells_call else None
        if story is None or story.story is None or not story.has_picture():
            super().action_share()
        else:
            self.app.push_screen(ShareScreen(ToldCall(story.story, story.at)))

    def action_close_picture(self) -> None:
        if self._tells_call:
            self.query_one(CallPane).story.picture(False)
            self.refresh_bindings()
        else:
            super().action_close_picture()

    def action_watch(self) -> None:
        self.run_worker(self._watch(), exclusive=True, group="watch")

    async def _watch(self) -> None:
        """Play what was asked about, from where it was asked. A reader who goes elsewhere ends it."""
        until = self._reading.watched
        if isinstance(until, str):
            self.action_tab(self.FIRST_TAB)
            await self._play_story(until)
        elif until is not None and self._reading.stand.place is not None:
            await self._play_steps(until)

    async def _play_steps(self, until: int) -> None:
        if not self.query_one("#line").region.area:
            self.action_tab("line")
        self.scene = scene = scene_of(self.bench, self._reading.stand)
        by = _at_a_time(until - scene.state)
        while scene.state < until and self.scene is scene and self.is_active:
            scene = scene.at(until if self._at_once else min(scene.state + by, until))
            self.scene = scene
            await asyncio.sleep(0 if self._at_once else _FRAME)

    async def _play_story(self, until: str) -> None:
        story = self.query_one(CallPane).story
        last = story.told_until(until)
        by = _at_a_time(last - story.at)
        while story.at < (here := min(story.at + by, last)) and self.is_active:
            story.stand(last if self._at_once else here)
            await asyncio.sleep(0 if self._at_once else _FRAME)

    @property
    def _at_once(self) -> bool:
        return self.app.animation_level == "none"

    # ------------------------------------------------------------------ kernels and exercises

    def _run_boxes(self) -> list[RunBox]:
        """Those of the page that can be seen."""
        inside = self._pane.scrollable_content_region
        return [box for box in self.query(RunBox) if box.region and inside.overlaps(box.region)]

    def action_run(self) -> None:
        boxes = self._run_boxes()
        if boxes:
            boxes[-1].run_it()
        else:
            super().action_run()

    def action_benchmark(self) -> None:
        boxes = self._run_boxes()
        if boxes:
            boxes[-1].measure()
        else:
            super().action_benchmark()

    def action_figures(self) -> None:
        for box in self._run_boxes()[-1:]:
            box.turn()

    @on(RunBox.BenchmarkWanted)
    def _benchmark_wanted(self, message: RunBox.BenchmarkWanted) -> None:
        from visualizer.tui.entry.opening import to_measure

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
                self.open_over(partial(to_measure, self.bench, entry))
                return
        self.notify(
            _("No kernel {kernel} is registered by this file.").format(kernel=wanted.kernel),
            markup=False,
        )

    def action_workshop(self) -> None:
        """The page's exercise, if it has one: that is the file to edit."""
        parts = self._lesson.pages[self._page].parts[: self._reading.shown]
        exercises = [n for n, part in enumerate(parts) if isinstance(part, Exercise)]
        if exercises:
            self._exercise_wanted(LessonPane.ExerciseWanted(exercises[-1]))
        else:
            super().action_workshop()

    @on(LessonPane.ExerciseWanted)
    def _exercise_wanted(self, message: LessonPane.ExerciseWanted) -> None:
        from visualizer.tui.lesson.exercise import ExerciseScreen, open_exercise

        parts = self._lesson.pages[self._page].parts
        exercise, before = parts[message.part], parts[message.part - 1 : message.part]
        task = "".join(part for part in before if isinstance(part, str))
        name = self._lesson.part_name(self._page, message.part)
        assert isinstance(exercise, Exercise)

        def opened(outcome: Workbench | Exception | None) -> None:
            if isinstance(outcome, OSError | InputError | LessonError):
                self._unfold.say(
                    _("The exercise can't be opened: {outcome}").format(outcome=outcome)
                )
            elif isinstance(outcome, Exception):
                raise outcome
            elif outcome is not None:
                onward = self._pane.onward
                screen = ExerciseScreen(outcome, self._lesson, exercise, name, task, onward)
                self.app.push_screen(screen, lambda _: self._exercised(screen.goes_on))

        shown = message.part in self._reading.solution_shown
        work = partial(open_exercise, self._lesson, exercise, shown)
        self.app.push_screen(LoadingScreen(exercise.file, work), opened)

    def _exercised(self, goes_on: bool) -> None:
        if goes_on:
            self.action_page(1)
            return
        self._read(partial(_further, self._lesson, self._reading, self._unfold.say))


def _at_a_time(steps: int) -> int:
    """So that all of them are seen in the time that one watches."""
    return -(-steps // max(int(_WATCHED / _FRAME), 1))


def scene_of(bench: Workbench, stand: Stand, asked: Asked | None = None) -> Scene:
    """What a screen with that file shows at a place, while that question waits."""
    place = stand.place
    assert place is not None
    at, look = (place.expansion, place.state), place.look
    question = asked.truth.split()[0] if isinstance(asked, Predict) else ""
    followed, picture = place.token, stand.picture
    return Scene(
        bench, *at, look=look, token=followed, seen=place.seen, asked=question, picture=picture
    )


def _with_bench(reading: OpenPage, here: Workbench) -> tuple[OpenPage, Workbench]:
    """With the screen's own reading of the file."""
    return reading, player.own_reading(reading.stand.bench, here)


def _at_page(lesson: Lesson, page: int, say: Say) -> OpenPage:
    return player.read(lesson, page, progress.at_page(lesson, page, say))


def _further(lesson: Lesson, reading: OpenPage, say: Say) -> OpenPage:
    return player.read(lesson, reading.page, progress.of_lesson(lesson, say), reading.shown)


def prepared(lesson: Lesson, say: Say) -> tuple[Lesson, OpenPage, Workbench]:
    """What the screen of a lesson is made of, on the page that was read last. Raises LessonError,
    InputError."""
    page = progress.of_lesson(lesson, say).page_in(lesson)
    reading = _at_page(lesson, page, say)
    return lesson, reading, reading.stand.bench.apart()
