"""Something to fill in: its name, what is typed, and what kind of thing it is."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from visualizer.frameworks.runnable import Blank


class BlankRow(Horizontal):
    class Changed(Message):
        """The reader typed."""

        def __init__(self, row: BlankRow) -> None:
            super().__init__()
            self.row = row

    class Submitted(Message):
        """Enter."""

    def __init__(self, blank: Blank, *, name: str) -> None:
        super().__init__(name=name)
        self.blank = blank
        self.text = blank.text

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(self.blank.title, "$quiet"), classes="label")
        yield Input(self.text, compact=True, select_on_focus=False)
        yield Static(self._kind(), classes="kind")

    def offer(self, blank: Blank) -> None:
        """Let it say this, as if nobody had typed. A letter on its way stays where nothing changes."""
        self.blank = blank
        if blank.text != self.text:
            self.text = self.query_one(Input).value = blank.text
        self.query_one(".kind", Static).update(self._kind())

    def _kind(self) -> Content:
        return Content.styled(f" {self.blank.kind}", "$quiet")

    @on(Input.Changed)
    def _type(self, event: Input.Changed) -> None:
        event.stop()
        if event.value != self.text:  # or it is news of what we have put there
            self.text = event.value
            self.post_message(self.Changed(self))

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Submitted())
