"""A frame over a screen, which asks or tells one thing. All of them close at Esc and at a click beside
the frame, and both are one action: what it means to leave, a dialog says once."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget

from visualizer.messages import N_, _

Result = TypeVar("Result")


class Dialog(ModalScreen[Result]):
    """`inside` gives what stands in the frame; `hint` tells its keys."""

    FRAME: ClassVar[type[Widget]] = Vertical
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close")]

    def __init__(self, title: str, hint: str = N_("Esc closes")) -> None:
        super().__init__()
        self.frame = self.FRAME(id="dialog")
        self.entitle(title)
        self.tell_keys(hint)

    def entitle(self, title: str) -> None:
        """Plain text: brackets in it are no markup."""
        self.frame.border_title = Content(title)

    def tell_keys(self, hint: str) -> None:
        self.frame.border_subtitle = Content(_(hint))

    def inside(self) -> ComposeResult:
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with self.frame:
            yield from self.inside()

    def action_close(self) -> None:
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:  # beside the frame
            self.action_close()
