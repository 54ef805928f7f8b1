"""What a screen has told only in part: its panes have the height that they have, and cut what is
longer. The cut shows the key that tells all of it."""

from __future__ import annotations

from textual.content import Content

from visualizer.messages import _
from visualizer.tui.dialogs.panel import Panel

MORE = "… u ▾"  # where words are cut


class UnabridgedScreen(Panel):
    def __init__(self, told: Content) -> None:
        super().__init__(_("Unabridged"), _("↑↓ scroll, Esc closes"))
        self._told = told

    def content(self) -> Content:
        return self._told
