"""One row that says what is wrong with the invocation that is shown, or else where something is wrong.

It is not there when nothing is wrong: warnings alone, of which real headers give some, wait behind the
key `e`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.message import Message

from visualizer.expansion.wording import counted
from visualizer.layout.words import Part, Parts, clipped, length
from visualizer.scene.scene import Scene
from visualizer.tui.ink.drawn import Drawn

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
        errors = [d for d in self._diagnostics if d.severity == "error"]
        here = [d for d in errors if self.scene is not None and is_about(d, self.scene)]
        told = [*here, *errors][0]
        where = f"{'' if here else 'elsewhere, '}line {told.where.line}: {told.message}"
        count: Part = (f" ✗ {summed_up(self._diagnostics)}  ", ("notice--error",))
        key: Part = ("  e shows all", ("notice--quiet",))
        return [count, *clipped([(where, ())], self.size.width - length([count, key]), "…"), key]

    def on_click(self) -> None:
        self.post_message(self.Opened())


def is_about(diagnostic: Diagnostic, scene: Scene) -> bool:
    """Whether it points into the invocation that is shown."""
    invocation = scene.invocation
    lines = range(invocation.where.line, invocation.last_line() + 1)
    return diagnostic.where.file == invocation.where.file and diagnostic.where.line in lines


def summed_up(diagnostics: tuple[Diagnostic, ...]) -> str:
    """`2 errors, 1 warning`."""
    parts = []
    for severity in ("error", "warning"):
        number = sum(d.severity == severity for d in diagnostics)
        if number:
            parts.append(counted(number, severity))
    return ", ".join(parts)
