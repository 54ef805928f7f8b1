"""What is wrong with the text, a row each. Enter or a click goes to the place in the editor."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from visualizer.layout.words import Parts, Styles, prose
from visualizer.messages import _
from visualizer.tui.ink.pane import Pane
from visualizer.tui.stepper.notice import summed_up

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic

_QUIET: Styles = ("pane--quiet",)
_KEYS = "Choose a message, when the errors have the focus"


class ProblemsPane(Pane):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"problems--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "select(-1)", "above", tooltip=_KEYS, show=False),
        Binding("down", "select(1)", "below", tooltip=_KEYS, show=False),
        Binding("enter", "go", "go there", tooltip="Put the cursor where the message points"),
    ]

    class Chosen(Message):
        """The reader wants to see the place that a message points at."""

        def __init__(self, diagnostic: Diagnostic) -> None:
            super().__init__()
            self.diagnostic = diagnostic

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.entitle(_("Errors"))
        self._diagnostics: Sequence[Diagnostic] = ()
        self._file = ""
        self._rows: list[tuple[int, Parts]] = []  # the index of a message, a row of it
        self._here = 0

    def show(self, diagnostics: Sequence[Diagnostic], file: str = "") -> None:
        """Errors first, each at its place; a chosen one stays chosen while it is there. Files are named
        as one sees them from `file`, whose folder may be any that an exercise is kept in."""
        self._file = file
        chosen = self._diagnostics[self._here] if self._here < len(self._diagnostics) else None
        self._diagnostics = sorted(diagnostics, key=lambda d: d.severity != "error")
        same = [i for i, d in enumerate(self._diagnostics) if d == chosen]
        self._here = same[0] if same else 0
        self.entitle(_("Errors"), summed_up(tuple(diagnostics)) or _("none"))
        self._arrange()

    def next(self) -> bool:
        """Go to the message behind the last one that was gone to, if there is one."""
        if self._diagnostics:
            self.post_message(self.Chosen(self._diagnostics[self._here]))
            self._select((self._here + 1) % len(self._diagnostics))
        return bool(self._diagnostics)

    def on_resize(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        if not self.room:
            return
        self._rows = [(i, row) for i, d in enumerate(self._diagnostics) for row in self._told(d)]
        self.hold(max(len(self._rows), 1))
        self._reveal()
        self.repaint()

    def _reveal(self) -> None:
        rows = [row for row, (i, _) in enumerate(self._rows) if i == self._here]
        if rows:
            self.reveal(rows[0], rows[-1])

    def _select(self, index: int) -> None:
        self._here = min(max(index, 0), max(len(self._diagnostics) - 1, 0))
        self._reveal()
        self.repaint()

    def draw(self, row: int) -> Parts:
        if not self._rows:
            return [(_(" nothing is wrong"), ("pane--quiet",))]
        index, parts = self._rows[row]
        if index == self._here and self.has_focus:
            return [(text, (*styles, "problems--cursor")) for text, styles in parts]
        return parts

    def _told(self, diagnostic: Diagnostic) -> Iterator[Parts]:
        """A message in rows: where, what, and what to do about it."""
        file, line, column = diagnostic.where
        folder = self._file.removesuffix(os.path.basename(self._file))

        def told(text: str) -> str:
            return text.replace(folder, "") if len(folder) > 1 else text

        where = f"{line}:{column}" if file == self._file else f"{told(file)}:{line}:{column}"
        sign, style = (
            ("✗", "pane--bad") if diagnostic.severity == "error" else ("!", "pane--accent")
        )
        text = f"{sign} {where}  {told(diagnostic.message)}"
        for row in prose(text, self.room - 1, (style,)):
            yield [(" ", ()), *row]
        for row in prose(
            f"→ {told(diagnostic.hint)}" * bool(diagnostic.hint), self.room - 3, _QUIET
        ):
            yield [("   ", ()), *row]

    def on_focus(self) -> None:
        self.repaint()

    def on_blur(self) -> None:
        self.repaint()

    def action_select(self, by: int) -> None:
        self._select(self._here + by)

    def action_go(self) -> None:
        if self._diagnostics:
            self.post_message(self.Chosen(self._diagnostics[self._here]))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        row = self.top + offset.y if offset is not None else -1
        if 0 <= row < len(self._rows):
            self._select(self._rows[row][0])
            self.action_go()
