"""Something to fill in: its name, what is typed, and what kind of thing it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

if TYPE_CHECKING:
    from registry_runtime.lab.phi.operands import Blank


class FieldRow(Horizontal):
    """`typed` is what the reader wrote; None as long as it is left as it stands."""

    class Changed(Message):
        """The reader typed."""

    class Submitted(Message):
        """Enter."""

    def __init__(self, label: str, text: str, kind: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.label, self._kind = label, kind
        self.typed: str | None = None
        self._stands = text

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(self.label, "$quiet"), classes="label")
        yield Input(self._stands, compact=True, select_on_focus=False)
        yield Static(Content.styled(f" {self._kind}", "$quiet"), classes="kind")

    @property
    def text(self) -> str:
        """What stands there, typed or not."""
        return self._stands

    def say(self, text: str) -> None:
        """Let it say this, as if nobody had typed."""
        self.typed = None
        self._put(text)

    def spell_out(self, text: str) -> None:
        """Let it say this, as if it were typed."""
        self.typed = text
        self._put(text)

    def _put(self, text: str) -> None:
        self._stands = text
        self.query_one(Input).value = text

    @on(Input.Changed)
    def _type(self, event: Input.Changed) -> None:
        event.stop()
        if event.value != self._stands:  # or it is news of what we have put there
            self.typed = self._stands = event.value
            self.post_message(self.Changed())

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Submitted())


class BlankRow(FieldRow):
    """A parameter of a kernel of PHI's."""

    def __init__(self, blank: Blank) -> None:
        super().__init__(blank.name, blank.text, _kind(blank))
        self.blank = blank


def _kind(blank: Blank) -> str:
    if blank.dtype is not None:
        return str(blank.dtype)
    word = blank.parameter.cpp_type.removeprefix("const ").removesuffix("&")
    return word.replace("std::", "")
