"""The line: the tokens of this state, the largest thing on the screen.

What the next step consumes is underlined, what the last one produced is bold, a painted name is
in italics, and each of them has its colour besides. In the margin, `+` stands beside the rows that the
last step wrote, `−` where it only took something away, `▸` where the next step happens, and `◆` beside
the followed token; the frame says so. A parameter's hue lies on the tokens that it is bound to, or
that it brought.

Struck through, as it once was, a painted name looks deleted. But not every terminal has italics, and
tmux draws them in reverse video where the one around it has none: so the name is quiet besides, and
without colours it is faint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.reactive import reactive

from visualizer.expansion.tokens import CHARACTER, NUMBER, PUNCTUATOR, STRING, Token
from visualizer.layout.line_layout import Row, layout, row_of
from visualizer.layout.shown import shown_chars
from visualizer.layout.words import Parts, Styles, goes_on, hued
from visualizer.messages import N_, _
from visualizer.scene.marks import Piece
from visualizer.scene.scene import Scene
from visualizer.tui.ink.pane import Pane

if TYPE_CHECKING:
    from visualizer.workbench.entries import Entry

_MARGIN = 3
_LEGEND = N_("+ new  ▸ next")
_PLAIN: Styles = ()
_PRODUCED_MARK: Styles = ("line--produced-mark",)
_CONSUMED_MARK: Styles = ("line--consumed-mark",)
_FOLLOWED_MARK: Styles = ("line--followed-mark",)
_KINDS: dict[str, Styles] = {
    PUNCTUATOR: ("line--punctuation",),
    STRING: ("line--literal",),
    CHARACTER: ("line--literal",),
    NUMBER: ("line--literal",),
}


class LineView(Pane):
    MOUSE: ClassVar = ("line", "a click follows a token")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line--punctuation",
        "line--literal",
        "line--tail",
        "line--statement",
        "line--consumed",
        "line--head",
        "line--produced",
        "line--painted",
        "line--followed",
        "line--followed-mark",
        "line--produced-mark",
        "line--consumed-mark",
    }

    scene: reactive[Scene | None] = reactive[Scene | None](None, repaint=False)
    entry: reactive[Entry | None] = reactive["Entry | None"](None, repaint=False)

    class Picked(Message):
        """A token was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, nowhere: str = "", *, id: str | None = None) -> None:
        """`nowhere` is what stands there in a file that invokes nothing."""
        super().__init__(id=id)
        self._nowhere = nowhere
        self.entitle(_("Line"), _(_LEGEND))
        self._line = layout([], 0)
        self._statement: frozenset[int] = frozenset()

    @property
    def margin_columns(self) -> int:
        return _MARGIN

    def watch_scene(self, old: Scene | None, new: Scene | None) -> None:
        self._show(backwards=_steps_back(old, new))

    def watch_entry(self, entry: Entry | None) -> None:
        """Show which statement of the block behind the invocation registered the chosen entry."""
        self._statement = frozenset(map(id, entry.statement)) if entry is not None else frozenset()
        self.repaint()

    def on_resize(self) -> None:
        self.show_what_happened()

    def show_what_happened(self) -> None:
        """Also to a reader who came from further on, as one is led back by a lesson."""
        self._show(backwards=False)

    def _show(self, backwards: bool) -> None:
        scene = self.scene
        if not self.room:  # hidden: what it held is of another scene when it is seen again
            self._line = layout([], 0)
            self.hold(0)
            return
        if scene is None:
            self.hold(len(self._nothing()))
            self.repaint()
            return
        self.entitle(_("Line"), _(_LEGEND) + (_("  ◆ followed") if scene.token is not None else ""))
        self._line = layout(scene.tokens, self.room - _MARGIN, self._line)
        self.hold(len(self._line.rows))
        self.reveal(*self._target(scene, backwards))
        self.repaint()

    def _target(self, scene: Scene, backwards: bool) -> tuple[int, int]:
        """The rows that the eye should find: what the key just did, and if it stands near enough,
        where the next step happens."""
        places = []
        if scene.happened is not None and not scene.happened.meeting:
            places.append(scene.produced)
        if scene.upcoming is not None:
            places.append(scene.consumed)
        if backwards:
            places.reverse()
        if scene.followed is not None:
            places = [range(scene.followed, scene.followed + 1)]
        if not places:
            return 0, 0
        spans = [
            (row_of(self._line.rows, p.start), row_of(self._line.rows, max(p.start, p.stop - 1)))
            for p in places
        ]
        first, last = spans[0][0], spans[-1][0]
        if abs(last - first) >= self.rows_visible:
            return spans[0]  # the two stand too far apart to see both
        low, high = min(first, last), max(s[1] for s in spans)
        return low, max(first, last, min(high, low + self.rows_visible - 1))

    def draw(self, row: int) -> Parts:
        scene = self.scene
        if scene is None:
            said = self._nothing()  # fewer rows may be held than there were before a resize
            return [(said[row], ("pane--quiet",))] if row < len(said) else []
        texts, gaps, _ = self._line.words
        here = self._line.rows[row]
        parts = [*self._margin(scene, here), (" " * here.indent, ())]
        previous: Styles = ()
        for i, styles in enumerate(self._worn(scene, here.first, here.last), here.first):
            if i > here.first and gaps[i]:
                parts.append((" ", _between(previous, styles)))
            if i in scene.hued and i != scene.followed:  # a hue doesn't read on its ground
                parts.extend(_pieces(scene.pieces(i), styles, here.letters(i)))
            else:
                parts.append((texts[i][here.letters(i)], styles))
            previous = styles
        return [*parts, *goes_on(here)]

    def _nothing(self) -> list[str]:
        """What stands here where there is no line, in rows."""
        margin = " " * _MARGIN
        return wrap(
            self._nowhere, max(self.room, 20), initial_indent=margin, subsequent_indent=margin
        )

    def token_above(self, index: int, by: int) -> int:
        """The token that stands so many rows below this one, or above it, in about the same column."""
        if not self._line.rows:  # where there is no room for a row, none is drawn
            return index
        row = row_of(self._line.rows, index)
        target = min(max(row + by, 0), len(self._line.rows) - 1)
        first, last, *_ = self._line.rows[target]
        return min(first + index - self._line.rows[row].first, last - 1) if last > first else index

    def on_click(self, event: events.Click) -> None:
        offset, scene = event.get_content_offset(self), self.scene
        if offset is None or scene is None or self.top + offset.y >= len(self._line.rows):
            return
        row = self._line.rows[self.top + offset.y]
        at = _MARGIN + row.indent
        texts, gaps, _ = self._line.words
        for i in range(row.first, row.last):
            at += gaps[i] if i > row.first else 0
            width = cell_len(texts[i][row.letters(i)])
            if at <= offset.x < at + width:
                self.post_message(self.Picked(i))
                return
            at += width

    @staticmethod
    def _margin(scene: Scene, row: Row) -> Parts:
        produced, consumed = scene.produced, scene.consumed
        left = (" ", _PLAIN)
        if max(row.first, produced.start) < min(row.last, produced.stop):
            left = ("+", _PRODUCED_MARK)
        elif scene.vanished and row.first <= min(produced.start, len(scene.tokens) - 1) < row.last:
            left = ("−", _PRODUCED_MARK)
        starts = bool(consumed) and row.first <= consumed.start < row.last and not row.skip
        followed = scene.followed is not None and row.first <= scene.followed < row.last
        return [
            left,
            ("▸", _CONSUMED_MARK) if starts else (" ", _PLAIN),
            ("◆", _FOLLOWED_MARK) if followed else (" ", _PLAIN),
        ]

    def _worn(self, scene: Scene, first: int, last: int) -> Iterator[Styles]:
        """What these tokens wear. Most stretches of a line play no part in a step."""
        parts = [
            (stretch, name)
            for stretch, name in (
                (scene.tail, "line--tail"),
                (scene.produced, "line--produced"),
                (scene.consumed, "line--consumed"),
                (scene.consumed[:1], "line--head"),
            )
            if stretch.start < last and first < stretch.stop
        ]
        for i in range(first, last):
            token: Token = scene.tokens[i]
            styles = _KINDS.get(token.kind, _PLAIN)
            for stretch, name in parts:
                if i in stretch:
                    of_statement = stretch is scene.tail and id(token) in self._statement
                    styles += ("line--statement" if of_statement else name,)
            if token.painted:
                styles += ("line--painted",)
            if i == scene.followed:
                styles += ("line--followed",)
            yield styles


def _pieces(pieces: Sequence[Piece], styles: Styles, letters: slice) -> Parts:
    """Those letters of a token that stand in a row, with their hues."""
    parts, at = [], 0
    start, stop = letters.start, letters.stop
    for text, hue in pieces:
        end = None if stop is None else max(stop - at, 0)
        parts.append((shown_chars(text)[max(start - at, 0) : end], styles + hued(hue)))
        at += len(text)
    return parts


def _between(left: Styles, right: Styles) -> Styles:
    """A blank inside of a marked stretch is marked as well."""
    roles = ("line--produced", "line--consumed")
    return tuple(r for r in roles if r in left and r in right)


def _steps_back(old: Scene | None, new: Scene | None) -> bool:
    if old is None or new is None or old.expansion != new.expansion:
        return False
    return new.state < old.state
