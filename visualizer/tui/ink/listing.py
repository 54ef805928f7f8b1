"""A long text to read: facts in sentences, or machine code, whichever it is given.

Rows are drawn when they come into sight, code is coloured then. The arrow keys scroll; what is wider
than the pane ends in `…`, and is reached by scrolling sideways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from visualizer.layout.words import Parts, clipped, length, seen_from
from visualizer.tui.ink.code import LOOKS, coloured
from visualizer.tui.ink.pane import Pane

_SCROLLS = "Scroll what is read"
_SIDEWAYS = 8  # columns at a time


class Listing(Pane):
    COMPONENT_CLASSES: ClassVar[set[str]] = {*LOOKS}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll(-1)", "scroll up", tooltip=_SCROLLS, show=False),
        Binding("down", "scroll(1)", "scroll down", tooltip=_SCROLLS, show=False),
        Binding("left", "sideways(-1)", "scroll to the left", tooltip=_SCROLLS, show=False),
        Binding("right", "sideways(1)", "scroll to the right", tooltip=_SCROLLS, show=False),
        Binding("home", "ends(True)", "to its beginning", tooltip=_SCROLLS, show=False),
        Binding("end", "ends(False)", "to its end", tooltip=_SCROLLS, show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: Sequence[Parts] | Sequence[str] = []
        self._language = ""
        self._shift = 0
        self._goes_there = "Tab"
        self._tell: Callable[[int], list[Parts]] | None = None

    def entitle(self, title: str, subtitle: str = "", goes_there: str = "Tab") -> None:
        """`goes_there` is the key that brings the focus here."""
        super().entitle(title, subtitle)
        self._goes_there = goes_there
        self._tell_key()

    def _tell_key(self) -> None:
        """What is cut is shown by a key: say which, where nothing else is said."""
        first = "" if self.has_focus else f"{self._goes_there} and "
        said = f"{first}→ show{'s' * self.has_focus} what is cut …" if self._is_cut() else ""
        self.border_title = Content(self._titles[0] or said)

    def _is_cut(self) -> bool:
        seen = range(self.top, min(self.top + self.rows_visible, len(self._rows)))
        return any(length(self._whole(r)) - self._shift > self.room for r in seen)

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self._tell_key()

    def watch_scroll_y(self, old: float, new: float) -> None:
        super().watch_scroll_y(old, new)
        self._tell_key()

    def show(self, tell: Callable[[int], list[Parts]]) -> None:
        """Rows of ink, asked for anew whenever the width changes."""
        self._tell = tell
        self._begin(tell(self.room) if self.room else [], "")  # told when there is room

    def show_code(self, text: str, language: str) -> None:
        """A listing in `assembly`, `LLVM IR`, `PTX` or `CUDA`."""
        self._tell = None
        self._begin(text.splitlines(), language)

    @property
    def text(self) -> str:
        """All of it, without colour."""
        return "\n".join(
            row if isinstance(row, str) else "".join(part for part, _ in row) for row in self._rows
        )

    def _begin(self, rows: Sequence[Parts] | Sequence[str], language: str) -> None:
        self._rows, self._language, self._shift = rows, language, 0
        self.hold(len(rows))
        self.scroll_to(y=0, animate=False, force=True)
        self.repaint()
        self._tell_key()

    def on_resize(self) -> None:
        if self._tell is not None:
            self._rows = self._tell(self.room)
        self.hold(len(self._rows))
        self.repaint()
        self._tell_key()

    def draw(self, row: int) -> Parts:
        return clipped(seen_from(self._whole(row), self._shift), self.room, "…")

    def action_scroll(self, by: int) -> None:
        self.scroll_to(y=self.top + by, animate=False, force=True)

    def action_sideways(self, by: int) -> None:
        seen = range(self.top, min(self.top + self.rows_visible, len(self._rows)))
        widest = max((sum(len(text) for text, _ in self._whole(r)) for r in seen), default=0)
        most = max(widest - self.room, 0)
        self._shift = min(max(self._shift + by * _SIDEWAYS, 0), most)
        self.repaint()
        self._tell_key()

    def action_ends(self, first: bool) -> None:
        self._shift = 0
        self.scroll_to(y=0 if first else len(self._rows), animate=False, force=True)
        self.repaint()

    def _whole(self, row: int) -> Parts:
        line = self._rows[row]
        return coloured(line, self._language) if isinstance(line, str) else line
