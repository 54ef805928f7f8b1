"""The source file, with the invocation that is open marked, the others to be opened by a click, and
the lines dimmed that conditionals skip.

A line that is wider than the pane is cut, and says so. Such lines are scrolled sideways to the token
that is followed, or by keys, and those that fit stay; or all of them are wrapped. With Enter, a cursor
goes over the names, and with one more to the definition of the one it stands on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from visualizer.expansion.tokens import Source, Token
from visualizer.expansion.trail import sources
from visualizer.layout.line_layout import GOES_ON
from visualizer.layout.shown import shown_chars
from visualizer.layout.words import Parts, Styles, from_column, seen_from
from visualizer.scene.scene import Scene
from visualizer.tui.ink.pane import Pane
from visualizer.tui.stepper.names import NameOnLine, beside, nearest, on_another_line
from visualizer.tui.stepper.source_rows import SourceRow, row_at, unwrapped, wrapped

if TYPE_CHECKING:
    from visualizer.expansion import Expansion
    from visualizer.expansion.trace import IncludedFile
    from visualizer.workbench.bench import Workbench

_WORD = re.compile(r"\w+|[^\w\s]+")
_SIDEWAYS = "Scroll the source sideways"
_STEP = 8  # columns at a time
_CHOOSE = "Choose a name with the arrows; once more: to its definition, as it is in force there"
_NAMES = "The name beside it, above it, below it"
_CODE = re.compile(r'(?:[^"/]|"(?:[^"\\]|\\.)*"|/(?![/*]))*')


@dataclass(frozen=True, eq=False)
class SourceText:
    """What a pane shows: a file, the lines in it that are skipped, and what of it can be opened."""

    file: str
    lines: Sequence[str]
    skipped: Sequence[range]
    expansions: Sequence[Expansion] = ()
    includes: Sequence[IncludedFile] = ()


def text_of(bench: Workbench) -> SourceText:
    trace = bench.trace
    opens = bench.expansions, trace.includes
    return SourceText(trace.file, bench.source_lines, trace.skipped, *opens)


class SourcePane(Pane):
    MOUSE: ClassVar = (
        "source",
        "a click on another invocation, directive or #include (▸) opens it, on any other line tells "
        "why not",
    )
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "source--number",
        "source--comment",
        "source--directive",
        "source--here",
        "source--here-mark",
        "source--other-mark",
        "source--skipped",
        "source--name",
        "source--lit",
    }

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("shift+left", "sideways(-1)", "left", tooltip=_SIDEWAYS, show=False),
        Binding("shift+right", "sideways(1)", "right", tooltip=_SIDEWAYS, show=False),
        Binding("enter", "choose", "definition", tooltip=_CHOOSE),
        Binding("left", "beside(-1)", "name before", tooltip=_NAMES, show=False),
        Binding("right", "beside(1)", "name behind", tooltip=_NAMES, show=False),
        Binding("up", "row(-1)", "name above", tooltip=_NAMES, show=False),
        Binding("down", "row(1)", "name below", tooltip=_NAMES, show=False),
        Binding("escape", "let_go", "let go", tooltip="Leave the names alone"),
    ]

    scene: reactive[Scene | None] = reactive[Scene | None](None, repaint=False)
    wraps: reactive[bool] = reactive(False, repaint=False)
    cursor: reactive[NameOnLine | None] = reactive[NameOnLine | None](
        None, repaint=False, bindings=True
    )

    class Sought(Message):
        """The definition of a name is wanted, as it is in force at that place."""

        def __init__(self, name: str, where: Source) -> None:
            super().__init__()
            self.name, self.where = name, where

    class Chosen(Message):
        """An invocation was clicked."""

        def __init__(self, expansion: int) -> None:
            super().__init__()
            self.expansion = expansion

    class Entered(Message):
        """An `#include` was clicked."""

        def __init__(self, text: IncludedFile) -> None:
            super().__init__()
            self.text = text

    class Asked(Message):
        """A line was clicked on which no macro is invoked."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def __init__(
        self, shown: SourceText, *, id: str | None = None, only_names: bool = False
    ) -> None:
        """With `only_names`, the arrows have nothing else to do than to go over the names."""
        super().__init__(id=id)
        self._only_names = only_names
        self.entitle(os.path.basename(shown.file))
        self._raw = shown.lines
        self._lines = [shown_chars(line.expandtabs(4)) for line in self._raw]
        self._comments = _inside_comment(self._lines)
        self._expansions = shown.expansions
        self._invocations = [(e.where.line, e.last_line()) for e in shown.expansions]
        self._skipped = shown.skipped
        self._starts = {first: i for i, (first, _) in reversed([*enumerate(self._invocations)])}
        self._included = {text.through[-1].line: text for text in shown.includes}
        self._rows = unwrapped(self._lines)
        self._shift = 0  # columns at the left that are not seen
        self._open: int | None = None
        self._seen: int | None = None
        self._file = shown.file
        self._token: Token | None = None
        self._lit: dict[
            int, list[range]
        ] = {}  # of a row: the cells that the followed token came from

    @property
    def margin_columns(self) -> int:
        return len(str(len(self._lines))) + 3

    def on_resize(self) -> None:
        self._arrange()

    def watch_wraps(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        if self.room:
            self._rows = wrapped(self._lines, self._width) if self.wraps else unwrapped(self._lines)
            self._shift = 0
            self.hold(len(self._rows))
            self._follow()

    @property
    def _width(self) -> int:
        """How many cells there are for the text."""
        return self.room - self.margin_columns

    def watch_scene(self, scene: Scene | None) -> None:
        expansion = scene.expansion if scene else None
        token = scene.token if scene else None
        seen = scene.seen if scene else None
        if (expansion, seen) == (self._open, self._seen) and token is self._token:
            return  # a step moves nothing here
        if (expansion, seen) != (self._open, self._seen):
            self.cursor = None
        self._open, self._seen = expansion, seen
        if token is not self._token:
            self._token = token
            self._light_up(sources(token) if token is not None else ())
        self._follow()

    def _light_up(self, places: Iterable[Source]) -> None:
        """Mark the characters that the followed token came from."""
        self._lit = {}
        for file, line, column in places:
            if file != self._file or line > len(self._raw):
                continue
            before = self._raw[line - 1][: column - 1].expandtabs(4)
            word = _WORD.match(self._raw[line - 1], column - 1)
            length = len(word[0]) if word else 1
            self._lit.setdefault(line - 1, []).append(range(len(before), len(before) + length))

    def _follow(self) -> None:
        if self._open is not None and self._lines:
            lines = self._lit or {
                line - 1: [] for line in self._to_be_seen(*self._invocations[self._open])
            }
            first, last = min(lines), max(lines)
            ends = max((cells.stop - 1 for cells in lines[last]), default=0)
            self.reveal(row_at(self._rows, first), row_at(self._rows, last, ends))
            if not self.wraps:
                self._shift = self._shift_to(next(iter(lines[first]), range(0)))
        self.repaint()

    def _shift_to(self, cells: range) -> int:
        """From which column on these cells are seen: no further from where it is than need be."""
        seen = range(self._shift + (self._shift > 0), self._shift + self._width - 1)
        if not cells or (cells.start in seen and cells.stop <= seen.stop):
            return self._shift if cells else 0
        if cells.stop < self._width:
            return 0
        at_left, at_right = max(cells.start - 1, 0), cells.stop - self._width + 1
        return at_left if cells.start < seen.start else min(at_left, at_right)

    def action_sideways(self, by: int) -> None:
        seen = self._rows[self.top : self.top + self.rows_visible]
        widest = max((row.stop for row in seen), default=0)
        most = 0 if self.wraps else max(widest - self._width, 0)
        self._shift = min(max(self._shift + by * _STEP, 0), most)
        self.repaint()

    def _to_be_seen(self, first: int, last: int) -> tuple[int, int]:
        """The invocation's lines together with the one that is wanted, or that one if not all fit."""
        seen = self._seen or first
        together = min(first, seen), max(last, seen)
        fit = together[1] - together[0] < self.rows_visible
        return together if fit or self._seen is None else (seen, seen)

    def watch_cursor(self, name: NameOnLine | None) -> None:
        if name is not None and self.room:
            cells = self._cells(name)
            self.reveal(*2 * (row_at(self._rows, name.line, cells.start),))
            if not self.wraps:
                self._shift = self._shift_to(cells)
        self.repaint()

    def _cells(self, name: NameOnLine) -> range:
        """Which cells of its line a name takes."""
        before = self._raw[name.line][: name.start].expandtabs(4)
        return range(len(before), len(before) + len(name.text))

    def choose(self, line: int, letter: int = 0) -> None:
        """Put the cursor on the name there, or on the nearest; both count from 0."""
        self.cursor = nearest(self._raw, line, letter)

    def action_choose(self) -> None:
        if self.cursor is not None:
            where = Source(self._file, self.cursor.line + 1, self.cursor.start + 1)
            self.post_message(self.Sought(self.cursor.text, where))
        elif self._open is not None:
            where = self._expansions[self._open].where
            self.choose(where.line - 1, where.column - 1)
        else:
            self.choose(self._rows[self.top].line if self._rows else 0)

    def action_beside(self, by: int) -> None:
        if self.cursor is not None:
            self.cursor = beside(self._raw, self.cursor, by)

    def action_row(self, by: int) -> None:
        if self.cursor is not None:
            self.cursor = on_another_line(self._raw, self.cursor, by)

    def action_let_go(self) -> None:
        self.cursor = None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "let_go" and self._only_names:
            return False
        return action not in ("beside", "row", "let_go") or self.cursor is not None

    def draw(self, row: int) -> Parts:
        place = self._rows[row]
        number = place.line + 1
        first, last = (0, -1) if self._open is None else self._invocations[self._open]
        here = first <= number <= last
        ground: Styles = ("source--here",) if here else ()
        mark, styles = "  ", ground
        if here:
            mark, styles = "▌ ", (*ground, "source--here-mark")
        elif number == self._seen and not place.start:
            mark, styles = "→ ", ("source--here-mark",)
        elif (number in self._starts or number in self._included) and not place.start:
            mark, styles = "▸ ", ("source--other-mark",)
        elif self._is_skipped(place.line):
            mark, styles = "┊ ", ("source--skipped",)
        label, digits = "" if place.start else str(number), self.margin_columns - 3
        parts: Parts = [(mark, styles), (f"{label:>{digits}} ", (*ground, "source--number"))]
        parts.extend((text, (*ground, *names)) for text, names in self._told(place))
        if here:
            parts.append((" " * self.room, ground))
        return parts

    def _told(self, row: SourceRow) -> Parts:
        if not self.wraps:
            fits = cell_len(self._lines[row.line]) <= self._width
            return seen_from(self._text(row.line), 0 if fits else self._shift)
        letters: Parts = [(" " * row.indent, ())]
        left = row.stop - row.start
        for text, styles in from_column(self._text(row.line), row.start):
            letters.append((text[: max(left, 0)], styles))
            left -= len(text)
        return [*letters, (GOES_ON * row.cut, ("pane--quiet",))]

    def _text(self, row: int) -> Parts:
        parts, at = [], 0
        for text, styles in self._plain_text(row):
            for cells, style in self._marks(row):
                low, high = max(cells.start - at, 0), min(cells.stop - at, len(text))
                if low < high:
                    parts += [(text[:low], styles), (text[low:high], (*styles, style))]
                    text, at = text[high:], at + high
            parts.append((text, styles))
            at += len(text)
        return parts

    def _marks(self, row: int) -> list[tuple[range, str]]:
        """The cells that are marked, in order, and how. The cursor hides what it stands on."""
        name = self.cursor
        here = self._cells(name) if name is not None and name.line == row else range(0)
        lit = [cells for cells in self._lit.get(row, ()) if cells != here]
        marked = [(cells, "source--lit") for cells in lit] + [(here, "source--name")]
        return sorted(marked, key=lambda mark: mark[0].start)

    def _plain_text(self, row: int) -> Parts:
        line = self._lines[row]
        if self._is_skipped(row):
            return [(line, ("source--skipped",))]
        if self._comments[row]:
            return [(line, ("source--comment",))]
        if line.lstrip().startswith("#"):
            return [(line, ("source--directive",))]
        code, comment = _divided(line)
        return [(code, ()), (comment, ("source--comment",))]

    def _is_skipped(self, row: int) -> bool:
        """Whether the line lies in a group of a conditional that is not taken."""
        return any(row + 1 in lines for lines in self._skipped)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        row = self.row_at(offset.y)
        number = 0 if row is None else self._rows[row].line + 1
        for i, (first, last) in enumerate(self._invocations):
            if first <= number <= last:
                self.post_message(self.Chosen(i))
                return
        if number in self._included:
            self.post_message(self.Entered(self._included[number]))
        elif number:
            self.post_message(self.Asked(number))


def _divided(line: str) -> tuple[str, str]:
    """A line's code, and the comment behind it."""
    match = _CODE.match(line)
    end = match.end() if match and line.startswith(("//", "/*"), match.end()) else len(line)
    return line[:end], line[end:]


def _inside_comment(lines: list[str]) -> list[bool]:
    """Of each line, whether it lies inside of a comment that began above."""
    inside, found = False, []
    for line in lines:
        found.append(inside)
        if inside:
            inside = "*/" not in line
        else:
            comment = _divided(line)[1]
            inside = comment.startswith("/*") and "*/" not in comment
    return found
