"""What is wrong with the file: every message, where it points, and the macros that led there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from visualizer.tui.screens.panel import Panel

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic


class DiagnosticsScreen(Panel):
    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("What is wrong with this file")
        self._diagnostics = diagnostics

    def content(self) -> Content:
        if not self._diagnostics:
            return Content("Nothing is wrong with this file.")
        return Content("\n\n").join(_told(d) for d in self._diagnostics)


def _told(diagnostic: Diagnostic) -> Content:
    file, line, column = diagnostic.where
    style = "$text-error" if diagnostic.severity == "error" else "$text-warning"
    lines = [
        Content.assemble(
            (diagnostic.severity, f"bold {style}"),
            ": ",
            diagnostic.message,
        ),
        Content.styled(f"  {file}:{line}:{column}", "$quiet"),
    ]
    if diagnostic.hint:
        lines.append(Content.assemble("  → ", diagnostic.hint))
    for name, at in diagnostic.through:
        where = f"  in the expansion of {name}, {at.file}:{at.line}:{at.column}"
        lines.append(Content.styled(where, "$quiet"))
    return Content("\n").join(lines)
