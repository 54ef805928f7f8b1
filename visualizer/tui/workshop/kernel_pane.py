"""What a Python kernel made, while its file is edited: its result beside the reference, its time beside
NumPy's, and the loop that it became."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from visualizer.layout.rows import BAD, GOOD, QUIET, refused, reported
from visualizer.layout.words import Parts, prose
from visualizer.messages import _
from visualizer.tui.ink.listing import Listing
from visualizer.workbench.own_python import Tried

_LOOP = "Loop"


class KernelPane(Listing):
    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.entitle(_("Kernel"))

    def say(self, text: str) -> None:
        self._tell_inside(lambda width: prose(text, width, QUIET))

    def refuse(self, text: str) -> None:
        self._tell_inside(lambda width: refused(text, width))

    def tell(self, tried: Tried) -> None:
        self._tell_inside(partial(_result, tried))

    def _tell_inside(self, told: Callable[[int], list[Parts]]) -> None:
        """Behind a cell, as the other results are."""
        self.show(lambda width: [[(" ", ()), *row] for row in told(max(width - 2, 1))])


def _result(tried: Tried, width: int) -> list[Parts]:
    said = _("✓ the kernel and NumPy agree") if tried.agrees else _("✗ the kernel and NumPy differ")
    rows: list[Parts] = [[(said, GOOD if tried.agrees else BAD)], []]
    rows += reported(tried.lines, width)
    for title, _language, text, told in tried.codes:
        if title == _LOOP:
            rows += [[], [(told, QUIET)]]
            rows += [[(line, ())] for line in text.expandtabs(8).splitlines()]
    return rows
