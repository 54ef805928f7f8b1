"""The selected entry of the registry, in a few rows: what it leads to, and what there is to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message
from textual.reactive import reactive

from visualizer.frameworks.presenter import presenter_of
from visualizer.layout.words import Parts
from visualizer.tui.ink.pane import Pane

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Shown


class EntryDetail(Pane):
    class Opened(Message):
        """A click: the reader wants to know all about the entry."""

    shown: reactive[Shown | None] = reactive["Shown | None"](None)

    def __init__(self, bench: Workbench, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._bench = bench
        self.entitle("Kernel", "Enter tells all")
        self._content: list[Parts] = []

    def watch_shown(self) -> None:
        self.tell()

    def on_resize(self) -> None:
        self.tell()

    def on_click(self) -> None:
        self.post_message(self.Opened())

    def tell(self) -> None:
        """Anew, since the registry may have changed: a plug-in is loaded, say."""
        if not self.room:
            return
        self._content = []
        if self.shown is not None:
            registration = self.shown.entry.registration
            told = presenter_of(registration).detail
            self._content = told(self._bench, self.shown, registration, self.room)
        self.hold(len(self._content))
        self.repaint()

    def draw(self, row: int) -> Parts:
        return self._content[row]
