"""A question: picked from a list, or typed. Once answered, it shows the truth and why it is so."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from visualizer.learning.parts import Predict
from visualizer.learning.questions import same


class PredictBox(Widget):
    """`part` is its number on the page. `answered` is what the learner said earlier, and the truth."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave the question", tooltip="The keys are the screen's again")
    ]

    class Answered(Message):
        def __init__(self, part: int, given: str) -> None:
            super().__init__()
            self.part, self.given = part, given

    def __init__(self, part: int, predict: Predict, answered: tuple[str, str] | None) -> None:
        super().__init__()
        self._part, self._predict, self._answered = part, predict, answered

    def compose(self) -> ComposeResult:
        yield Static(Content(self._predict.ask), classes="predict-ask")
        if self._answered is not None:
            yield Static(_told(self._predict, *self._answered), classes="predict-told")
        elif self._predict.choices:
            yield OptionList(*map(Content, self._predict.choices))
            yield Static("↑↓ choose, Enter answers, Esc leaves it", classes="predict-keys")
        else:
            yield Input(placeholder="type your answer; Enter gives it, Esc leaves it")

    def action_leave(self) -> None:
        if isinstance(self.parent, Widget):
            self.parent.focus(scroll_visible=False)

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.post_message(self.Answered(self._part, event.value.strip()))

    @on(OptionList.OptionSelected)
    def _picked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Answered(self._part, self._predict.choices[event.option_index]))


def _told(predict: Predict, given: str, truth: str) -> Content:
    right = same(given, truth)
    lines = [
        Content.styled("✓ Right.", "bold $success")
        if right
        else Content.styled("✗ Not so.", "bold $error")
    ]
    if not right:
        lines.append(Content.assemble(("you said  ", "$quiet"), given))
    lines.append(Content.assemble(("it is     ", "$quiet"), (truth or "nothing", "bold")))
    if predict.because:
        lines.append(Content(predict.because))
    return Content("\n").join(lines)
