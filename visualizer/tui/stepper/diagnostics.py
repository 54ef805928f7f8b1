"""What is wrong with the file: every message, where it points, and the macros that led there.

A message can be chosen; the stepper then opens the invocation that it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from visualizer.expansion.diagnostics import spelled_place
from visualizer.messages import N_, _
from visualizer.tui.dialogs.dialog import Dialog

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic


class DiagnosticsScreen(Dialog["Diagnostic"]):
    """Dismissed with the message that was chosen; the cursor begins at number `here`."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,e", "close", "Close")]

    def __init__(self, diagnostics: Sequence[Diagnostic], here: int = 0) -> None:
        super().__init__(_("What is wrong with this file"), _("Enter goes there, Esc closes"))
        self._diagnostics, self._here = diagnostics, here

    def inside(self) -> ComposeResult:
        if self._diagnostics:
            yield OptionList(*(Option(_told(d)) for d in self._diagnostics))
        else:
            yield OptionList(Option(_(_NOTHING)))

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = self._here

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._diagnostics[event.option_index] if self._diagnostics else None)


# Bodies are read when they are run, and a message must not say of the others that they compile.
_NOTHING = N_("Nothing was found. A body that nothing runs is left to the compiler.")


def _told(diagnostic: Diagnostic) -> Content:
    file, line, column = diagnostic.where
    style = "$text-error" if diagnostic.severity == "error" else "$text-warning"
    lines = [
        Content.assemble((diagnostic.severity, f"bold {style}"), ": ", diagnostic.message),
        Content.styled(f"  {file}:{line}:{column}", "$quiet"),
    ]
    if diagnostic.hint:
        lines.append(Content.assemble("  → ", diagnostic.hint))
    for text, at in diagnostic.all_notes():
        lines.append(Content.styled(f"  {text}, {spelled_place(at)}", "$quiet"))
    return Content("\n").join(lines)
