"""A page of a lesson: its text, its questions, the kernels to run and the files to edit.

It shows a page down to the first question that has no answer yet. It knows nothing of the screen beside
it: what the reader does goes up as a message, and comes back as another page or another progress.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Markdown, Static

from visualizer.learning import player
from visualizer.learning.answers import Unanswerable
from visualizer.learning.lesson import Lesson
from visualizer.learning.parts import Exercise, Go, Predict, Run
from visualizer.learning.progress import Progress
from visualizer.tui.widgets.predict_box import PredictBox
from visualizer.tui.widgets.run_box import RunBox

_SCROLL = "Scroll the lesson, if it has the focus"


class LessonPane(VerticalScroll, inherit_bindings=False):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", "up", tooltip=_SCROLL, show=False),
        Binding("down", "scroll_down", "down", tooltip=_SCROLL, show=False),
        Binding("enter", "go_on", "go on", tooltip="The question, the exercise, or the next page"),
        Binding("pageup", "page_up", "page up", tooltip=_SCROLL, show=False),
        Binding("pagedown", "page_down", "page down", tooltip=_SCROLL, show=False),
    ]

    class PageWanted(Message):
        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class ExerciseWanted(Message):
        def __init__(self, part: int) -> None:
            super().__init__()
            self.part = part

    def __init__(self, lesson: Lesson, *, id: str | None = None) -> None:
        super().__init__(id=id, can_focus=True)
        self._lesson = lesson
        self._page = 0
        self._shown = 0  # parts of the page that stand here

    @property
    def last_part(self) -> int:
        """The last part of the page that is shown."""
        return self._shown - 1

    def action_go_on(self) -> None:
        """What the page wants of the reader next."""
        for waiting in self.query("PredictBox Input, PredictBox OptionList"):
            waiting.focus()
            return
        for button in self.query(".exercise"):
            if isinstance(button, Button) and not button.has_class("-solved"):
                button.press()
                return
        self.post_message(self.PageWanted(1))

    @property
    def asks(self) -> bool:
        """Whether a question waits for its answer."""
        return bool(self.query("PredictBox Input, PredictBox OptionList"))

    async def show(self, page: int, progress: Progress) -> None:
        """Show a page from its top, as far as its questions are answered."""
        self._page, self._shown = page, 0
        self.border_title = Content(self._lesson.title)
        self.border_subtitle = f"page {page + 1} of {len(self._lesson.pages)}"
        with self.app.batch_update():
            await self.remove_children()
            title = Content.styled(self._lesson.pages[page].title, "bold $accent")
            await self.mount(Static(title, classes="lesson-title"), *self._parts(progress))
            await self.mount(self._foot(progress))
        self.scroll_home(animate=False)
        self._focus_question()

    async def go_on(self, progress: Progress) -> None:
        """A question was answered: show that, and what comes behind it."""
        at = self.scroll_offset.y
        answered = list(self.query(PredictBox))[-1]
        self._shown -= 1
        with self.app.batch_update():
            await self.query_one("#lesson-foot").remove()
            await answered.remove()
            await self.mount(*self._parts(progress), self._foot(progress))
        self.scroll_to(y=at, animate=False)
        self._focus_question()

    def _focus_question(self) -> None:
        """The keys go to the question that waits, once it can be seen; until then they scroll."""
        self.focus(scroll_visible=False)
        self.call_after_refresh(self._focus_what_is_seen)

    def _focus_what_is_seen(self) -> None:
        for waiting in self.query("PredictBox Input, PredictBox OptionList"):
            if self.has_focus and self.content_region.contains_region(waiting.region):
                waiting.focus(scroll_visible=False)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.call_after_refresh(self._focus_what_is_seen)

    def _parts(self, progress: Progress) -> Iterator[Widget]:
        """The parts that are not shown yet, down to the next question without an answer."""
        parts = self._lesson.pages[self._page].parts
        while self._shown < len(parts):
            number, part = self._shown, parts[self._shown]
            self._shown += 1
            if isinstance(part, Predict):
                given = progress.predicted.get(self._lesson.part_name(self._page, number))
                yield PredictBox(number, part, self._truth(part, given[-1]) if given else None)
                if not given:
                    return
            elif isinstance(part, Run):
                bench = player.stand(self._lesson, self._page, number).bench
                yield RunBox(part, bench)
            elif isinstance(part, Exercise):
                yield self._exercise(number, progress)
            elif not isinstance(part, Go):
                yield Markdown(part)

    def _truth(self, part: Predict, given: str) -> tuple[str, str]:
        stand = player.stand(self._lesson, self._page, self._shown - 1)
        try:
            return given, player.truth(part, stand)
        except Unanswerable as error:
            return given, f"({error})"

    def _exercise(self, number: int, progress: Progress) -> Widget:
        solved = self._lesson.part_name(self._page, number) in progress.solved
        text = "✓ solved: look at it again" if solved else "Edit the file (Enter)"
        classes = f"exercise {'-solved' * solved}"
        return Button(text, id=f"exercise-{number}", classes=classes)

    def _foot(self, progress: Progress) -> Horizontal:
        last = self._page + 1 == len(self._lesson.pages)
        waits = self._shown < len(self._lesson.pages[self._page].parts)
        return Horizontal(
            Button("◂ back", id="page-back", compact=True, disabled=not self._page),
            Button(
                "the lessons ▸" if last else "next ▸", id="page-next", compact=True, disabled=waits
            ),
            id="lesson-foot",
        )

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        name = event.button.id or ""
        if name.startswith("exercise-"):
            self.post_message(self.ExerciseWanted(int(name.removeprefix("exercise-"))))
        else:
            self.post_message(self.PageWanted(1 if name == "page-next" else -1))

    def compose(self) -> ComposeResult:
        yield from ()
