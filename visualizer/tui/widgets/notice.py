"""One row that says what is wrong with the file, and where. It is not there when nothing is wrong:
warnings alone, of which real headers give some, wait behind the key `e`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.message import Message

from visualizer.expansion.wording import counted
from visualizer.tui.ink import Parts, clipped
from visualizer.tui.widgets.drawn import Drawn

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic


class Notice(Drawn):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"notice--error", "notice--quiet"}

    class Opened(Message):
        """The reader wants to see all diagnostics."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._diagnostics = diagnostics
        self.display = any(d.severity == "error" for d in diagnostics)

    def draw(self, y: int) -> Parts:
        if y or not self.display:
            return []
        first = next(d for d in self._diagnostics if d.severity == "error")
        where = f"line {first.where.line}: {first.message}"
        parts: Parts = [
            (f" ✗ {summed_up(self._diagnostics)}  ", ("notice--error",)),
            (where, ()),
            ("  e shows all", ("notice--quiet",)),
        ]
        return clipped(parts, self.size.width, "…")

    def on_click(self) -> None:
        self.post_message(self.Opened())


def summed_up(diagnostics: tuple[Diagnostic, ...]) -> str:
    """`2 errors, 1 warning`."""
    parts = []
    for severity in ("error", "warning"):
        number = sum(d.severity == severity for d in diagnostics)
        if number:
            parts.append(counted(number, severity))
    return ", ".join(parts)
