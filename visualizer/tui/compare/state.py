"""One side's line after a step, with the tokens that the other side hasn't.

They are marked `−` in the margin and struck on the left, `+` and underlined on the right. Of a line
that is very long only the surroundings of the step are laid out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from visualizer.expansion.tokens import Token
from visualizer.layout.line_layout import gap, layout, row_of, shown_text
from visualizer.layout.words import Parts, Styles, clipped, goes_on
from visualizer.tui.ink.pane import Pane

_MARGIN = 3
AROUND = 1_500  # tokens on either side of the step


class StateCompared(Pane):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"compared--left", "compared--right", "compared--made"}

    def __init__(self, sign: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._sign = sign
        left = sign == "−"
        self._side: Styles = ("compared--left",) if left else ("compared--right",)
        self._mark: Styles = ("pane--bad",) if left else ("pane--good",)
        self._tokens: Sequence[Token] = ()
        self._only: set[int] = set()
        self._made = range(0)
        self._line = layout([], 0)

    def show(
        self, title: str, tokens: Sequence[Token], only: set[int], made: range, where: str
    ) -> None:
        """A line, the places that the other side hasn't, those that the step made, and which step it
        was in words."""
        self._tokens, self._only, self._made = tokens, only, made
        self.entitle(title, where)
        self._arrange()

    @property
    def margin_columns(self) -> int:
        return _MARGIN

    def on_resize(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        if not self.room:
            return
        self._line = layout(self._tokens, self.room - _MARGIN, self._line)
        self.hold(max(len(self._line.rows), 1))
        seen = [*sorted(self._only)[:1], *self._made[:1]]
        if seen and self._line.rows:
            row = row_of(self._line.rows, seen[0])
            self.reveal(row, row)
        self.repaint()

    def draw(self, row: int) -> Parts:
        if not self._line.rows:
            return [("   nothing", ("pane--quiet",))]
        here = self._line.rows[row]
        places = range(here.first, here.last)
        differs = any(i in self._only for i in places)
        mark = (self._sign, self._mark) if differs else (" ", ())
        parts: Parts = [(" ", ()), mark, (" " * (here.indent + 1), ())]
        for i in places:
            if i > here.first and gap(self._tokens[i - 1], self._tokens[i]):
                parts.append((" ", ()))
            styles: Styles = ("compared--made",) if i in self._made else ()
            if i in self._only:
                styles = (*styles, *self._side)
            parts.append((shown_text(self._tokens[i])[here.letters(i)], styles))
        return clipped([*parts, *goes_on(here)], self.room)


def around(tokens: Sequence[Token], made: range) -> tuple[Sequence[Token], range]:
    """The part of a long line that is near what a step made, and where that is in it."""
    start = max(made.start - AROUND, 0)
    part = tokens[start : max(made.stop, made.start) + AROUND]
    return part, range(made.start - start, min(made.stop - start, len(part)))
