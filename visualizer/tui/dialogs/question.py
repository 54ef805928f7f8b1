"""A question with a few answers, each a key and a button. Whoever leaves it gives the last answer,
which is always the one that changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from visualizer.messages import _
from visualizer.tui.dialogs.dialog import Dialog


@dataclass(frozen=True, slots=True)
class Reply:
    """`key` is a letter of `text`, in English at least; `name` is what the screen ends with."""

    name: str
    key: str
    text: str


class QuestionScreen(Dialog[str]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "leave it", tooltip="Change nothing"),
        Binding("left", "app.focus_previous", "previous answer", show=False),
        Binding("right", "app.focus_next", "next answer", show=False),
    ]

    def __init__(
        self, title: str, text: Content, answers: Sequence[Reply], unasked: bool = False
    ) -> None:
        """An `unasked` one comes while the reader types: letters that were typed before it stood are no
        answer."""
        super().__init__(title, _("a marked letter, or ←→ and Enter; Esc changes nothing"))
        self._text = text
        self._answers = answers
        self._stands_since = inf if unasked else 0.0

    def on_mount(self) -> None:
        self.call_after_refresh(self._stands)

    def _stands(self) -> None:
        self._stands_since = min(self._stands_since, monotonic())

    def inside(self) -> ComposeResult:
        with VerticalScroll(id="question-body", can_focus=False):
            yield Static(self._text, id="question-text")
        with Horizontal(id="question-answers"):
            for answer in self._answers:
                text = _(answer.text)
                if answer.key not in text:
                    text = f"{text} ({answer.key})"
                before, key, after = text.partition(answer.key)
                label = Content.assemble(f" {before}", (key, "bold underline"), f"{after} ")
                yield Button(label, id=f"answer-{answer.name}", compact=True)

    def on_key(self, event: events.Key) -> None:
        for answer in self._answers:
            if event.key == answer.key and event.time >= self._stands_since:
                event.stop()
                self.dismiss(answer.name)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss((event.button.id or "").removeprefix("answer-"))

    def action_close(self) -> None:
        self.dismiss(self._answers[-1].name)
