"""What a Python kernel made, while its file is edited: its result beside the reference, its time beside
NumPy's, and the loop that it became."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from visualizer.layout.rows import BAD, GOOD, QUIET, refused, reported
from visualizer.layout.words import Parts, clipped, prose
from visualizer.messages import _
from visualizer.tui.ink.pane import Pane
from visualizer.workbench.own_python import Tried

_Rows: TypeAlias = Callable[[int], list[Parts]]
_LOOP = "Loop"


class KernelPane(Pane):
    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.entitle(_("Kernel"))
        self._told: _Rows = lambda width: []
        self._rows: list[Parts] = []

    @property
    def text(self) -> str:
        return "\n".join("".join(word for word, _ in row) for row in self._rows)

    def say(self, text: str) -> None:
        self._show(lambda width: prose(text, width, QUIET))

    def refuse(self, text: str) -> None:
        self._show(lambda width: refused(text, width))

    def show(self, tried: Tried) -> None:
        self._show(lambda width: _result(tried, width))

    def _show(self, told: _Rows) -> None:
        self._told = told
        self._arrange()

    def on_resize(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        self._rows = self._told(self.room - 2) if self.room > 2 else []
        self.hold(len(self._rows))
        self.repaint()

    def draw(self, row: int) -> Parts:
        return clipped([(" ", ()), *self._rows[row]], self.room, "…")


def _result(tried: Tried, width: int) -> list[Parts]:
    said = _("✓ the kernel and NumPy agree") if tried.agrees else _("✗ the kernel and NumPy differ")
    rows: list[Parts] = [[(said, GOOD if tried.agrees else BAD)], []]
    rows += reported(tried.lines, width)
    for title, _language, text, told in tried.codes:
        if title == _LOOP:
            rows += [[], [(told, QUIET)]]
            rows += [[(line, ())] for line in text.expandtabs(8).splitlines()]
    return rows
