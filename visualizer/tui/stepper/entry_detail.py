"""The selected entry of the registry, in a few rows: what it leads to, and what there is to know.

Whether it runs is found out by a dry run, behind the reader's back: until that has ended the rows say
that it isn't tried yet.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.reactive import reactive

from visualizer.frameworks.presenter import presenter_of
from visualizer.layout.words import Parts
from visualizer.messages import _
from visualizer.tui.ink.pane import Pane
from visualizer.workbench.background import in_background
from visualizer.workbench.refusals import refused_at, with_its_place

if TYPE_CHECKING:
    from visualizer.frameworks.tried import Tried
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry, Shown


class EntryDetail(Pane):
    class Opened(Message):
        """A click: the reader wants to know all about the entry."""

    shown: reactive[Shown | None] = reactive["Shown | None"](None)

    def __init__(self, bench: Workbench, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._bench = bench
        self.entitle(_("Kernel"), _("Enter tells all"))
        self._content: list[Parts] = []
        self._tried: dict[Entry, Tried] = {}

    def watch_shown(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()

    def on_click(self) -> None:
        self.post_message(self.Opened())

    def tell(self) -> None:
        """Anew, since the registry may have changed: a plug-in is loaded, say."""
        self._tried.clear()
        self._show()

    def _show(self) -> None:
        if not self.room:
            return
        self._content = []
        if self.shown is not None:
            registration = self.shown.entry.registration
            tried = self._tried.get(self.shown.entry)
            told = presenter_of(registration).detail
            self._content = told(self._bench, self.shown, registration, self.room, tried)
            if tried is None and not self.shown.pending:
                self._try(self.shown.entry)
        self.hold(len(self._content))
        self.repaint()

    @work(exclusive=True)
    async def _try(self, entry: Entry) -> None:
        registration = entry.registration
        dry_run = partial(presenter_of(registration).dry_run, registration, self._bench.program)
        tried = await in_background(dry_run)
        self._tried[entry] = {
            dtype: with_its_place(why, at) if (at := refused_at(why, [self._bench])) else why
            for dtype, why in tried.items()
        }
        self._show()

    def draw(self, row: int) -> Parts:
        return self._content[row]
