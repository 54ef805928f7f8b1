"""Like the subtitles of a film: what just happened, and what comes next.

The two stand in fixed places and never change their height, so that only their words change. What
is longer ends in the key that shows it whole.
"""

from __future__ import annotations

from typing import ClassVar

from textual.geometry import Size

from visualizer.layout.row_breaks import is_wide, rows_of
from visualizer.layout.words import Parts, clipped, prose
from visualizer.messages import spoken
from visualizer.scene.scene import Scene
from visualizer.tui.dialogs.unabridged import MORE
from visualizer.tui.ink.inked import Drawn


class Narration(Drawn):
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "narration--done",
        "narration--done-mark",
        "narration--next",
        "narration--next-mark",
        "pane--quiet",  # the mark of a word that goes on below
    }

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._drawn: tuple[Scene | None, Size, str] | None = None
        self._rows: list[Parts] = []

    def draw(self, y: int) -> Parts:
        if self._drawn != (now := (self.scene, self.size, spoken())):
            self._drawn = now
            self._rows = _rows(self.scene, *self.size)
        rows = self._rows
        return rows[y] if y < len(rows) else []


def _rows(scene: Scene | None, width: int, height: int) -> list[Parts]:
    if scene is None:
        return []
    most = max(height - 1, 1)
    happened = _told(scene.happened_text(), width, most, "✓", "narration--done")
    upcoming = _told(scene.upcoming_text(), width, 1, "▸", "narration--next")
    return [*happened, *([[]] * (most - len(happened))), *upcoming]


def _told(text: str, width: int, most: int, mark: str, name: str) -> list[Parts]:
    """A sentence in no more than `most` rows, with a mark before it; no rows for none."""
    if not text:
        return []
    look = (name,)
    rows = prose(text, width - 2, look)
    if len(rows) > most:
        if is_wide(text):  # its rows aren't parted at blanks
            *_, rest = rows_of(text, width - 2, most=most)
        else:
            rest = " ".join("".join(t for t, _ in row).strip() for row in rows[most - 1 :])
        rows = [*rows[: most - 1], clipped([(rest, look)], width - 2, MORE)]
    return [
        [(f"{mark} " if i == 0 else "  ", (f"{name}-mark",)), *row] for i, row in enumerate(rows)
    ]
