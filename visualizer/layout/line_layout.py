"""Laying out a line of tokens in rows: where to break, and how far to indent.

A registration unfolds into one line of code, thousands of characters long. It is shown as a reader
would have written it: every declaration starts a row of its own; what stands between the braces of a
body, or between the parentheses of a macro that was handed whole declarations, is indented; and what
is too long goes on below, further in.

Two things matter more than beauty. The layout is *local*: the rows of a declaration depend only on
its own tokens and on how deep it stands, so that a step moves nothing but what it changes. And it is
*fast*: a line may have a hundred thousand tokens, and a key is answered within a frame. Both come
from one fact: a row is chosen by looking at no more tokens than would fill it. So of two states of a
line that agree up to some token, all rows are the same but for the last few before it; and behind the
change, once a row begins where one began before, all rows that follow are the old ones.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple, TypeVar

from rich.cells import cell_len

from visualizer.expansion.lexer import would_fuse
from visualizer.expansion.tokens import Token
from visualizer.layout.line_breaks import Break, declarations, structure
from visualizer.layout.shown import shown_chars

HANGING = 4  # how much further in a row goes on below

GOES_ON = "↵"  # behind a name that is cut and goes on below

_DEEPER = {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1, ">>": -2}


_SEEN = attrgetter("kind", "text", "space")
_Item = TypeVar("_Item")


class Row(NamedTuple):
    """Tokens `first` to `last` (exclusive). One that is wider than a row is cut: `skip` letters of
    the first stand in the rows above, and if the last goes on below, `stop` of its letters are told
    by then."""

    first: int
    last: int
    indent: int
    skip: int = 0
    stop: int | None = None

    def moved(self, by: int) -> Row:
        """The same row of a line that has so many tokens more before it."""
        return self._replace(first=self.first + by, last=self.last + by)

    def letters(self, index: int) -> slice:
        """Which letters of a token stand in this row."""
        skip = self.skip if index == self.first else 0
        return slice(skip, self.stop if index == self.last - 1 else None)


def shown_text(token: Token) -> str:
    return shown_chars(token.text)


def gap(left: Token, right: Token) -> int:
    """How many blanks stand between two tokens in a row: one where the source has white space, and
    where the two would be read as another token without. None after an opening parenthesis: there it
    only tells that the source goes on in the next line."""
    if right.space:
        return left.text != "("
    return _touching(left.text[-1:], right.text[:1]) and would_fuse(left, right)


@lru_cache(maxsize=4096)
def _touching(end: str, start: str) -> bool:
    """Whether tokens that end and start so could fuse at all. Most can't, and asking is expensive."""
    if end in "(){};," or start in "(){};,":
        return False
    return (end.isalnum() or end in "_$") == (start.isalnum() or start in "_$") or end in ".'\""


def cells_of(text: str) -> int:
    """How many cells a text takes, one at least."""
    return (len(text) if text.isascii() else cell_len(text)) or 1


class Words(NamedTuple):
    """What a layout knows of each word: its text, the blanks before it, the cells that it takes."""

    texts: list[str]
    gaps: list[int]
    cells: list[int]


@dataclass(frozen=True, slots=True)
class Layout:
    """The rows of a line, and what the layout of another state of it can take over."""

    tokens: Sequence[Token]
    width: int
    words: Words
    places: list[int]  # of the tokens by which declarations are told
    breaks: list[Break]
    rows: list[Row]


def lay_out(tokens: Sequence[Token], width: int) -> list[Row]:
    """The rows of a line that is `width` cells wide."""
    return layout(tokens, width).rows


def layout(tokens: Sequence[Token], width: int, known: Layout | None = None) -> Layout:
    """The layout of a line. `known`, that of another line, changes nothing in it, but the more the
    two lines have in common at their ends, the sooner it is found."""
    width = max(width, 8)
    if known is None or known.width != width:
        known = Layout([], width, Words([], [], []), [], [], [])
    change = _change(known.tokens, tokens)
    words = _words(tokens, known.words, change)
    places = [
        *known.places[: bisect_left(known.places, change.start)],
        *(change.start + place for place in structure(words.texts[change.start : change.stop])),
        *(p + change.grown for p in known.places[bisect_left(known.places, change.old_stop) :]),
    ]
    breaks = declarations(words.texts, places)
    rows = _rows(words, breaks, known, _with_breaks(change, known.breaks, breaks))
    return Layout(tokens, width, words, places, breaks, rows)


class _Change(NamedTuple):
    """Where two lines differ: from `start` on up to `old_stop` in one, up to `stop` in the other."""

    start: int
    old_stop: int
    stop: int

    @property
    def grown(self) -> int:
        return self.stop - self.old_stop


def _change(old: Sequence[Token], new: Sequence[Token]) -> _Change:
    """Where two lines differ for the eye. Most tokens are the same ones; others only look the same."""
    start, old_stop, stop = _difference(old, new)
    was, now = map(_SEEN, old[start:old_stop]), map(_SEEN, new[start:stop])
    return _Change(*(start + at for at in _difference([*was], [*now])))


def _difference(old: Sequence[_Item], new: Sequence[_Item]) -> _Change:
    same = _in_common(old, new)
    rest = _in_common(old[same:][::-1], new[same:][::-1])
    return _Change(same, len(old) - rest, len(new) - rest)


def _in_common(a: Sequence[_Item], b: Sequence[_Item]) -> int:
    """How many items two sequences begin with alike. By halves: slices are compared in C."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _words(tokens: Sequence[Token], known: Words, change: _Change) -> Words:
    start, old_stop, stop = change
    texts = [shown_text(token) for token in tokens[start:stop]]
    # The first token behind the change has another one before it.
    gaps = [
        gap(tokens[i - 1], tokens[i]) if i else 0 for i in range(start, min(stop + 1, len(tokens)))
    ]
    return Words(
        [*known.texts[:start], *texts, *known.texts[old_stop:]],
        [*known.gaps[:start], *gaps, *known.gaps[old_stop + 1 :]],
        [*known.cells[:start], *map(cells_of, texts), *known.cells[old_stop:]],
    )


def _with_breaks(change: _Change, old: list[Break], new: list[Break]) -> _Change:
    """The change, and around it all breaks that are not the same in both lines."""
    start, old_stop, stop = change
    before = [breaks[: bisect_left(breaks, (start,))] for breaks in (old, new)]
    same = _in_common(*before)
    start = min([start, *(breaks[same].at for breaks in before if len(breaks) > same)])
    moved = [
        Break(at + change.grown, indent) for at, indent in old[bisect_left(old, (old_stop,)) :]
    ]
    behind = [breaks[::-1] for breaks in (moved, new[bisect_left(new, (stop,)) :])]
    same = _in_common(*behind)
    stop = max([stop, *(breaks[same].at + 1 for breaks in behind if len(breaks) > same)])
    return _Change(start, stop - change.grown, stop)


def _rows(words: Words, breaks: list[Break], known: Layout, change: _Change) -> list[Row]:
    """The rows of a line: what was known before the change, and again from where it comes round."""
    # A row is chosen by no more tokens than it has cells: each takes one at least.
    kept = bisect_left(known.rows, change.start - known.width, key=lambda row: row.first)
    rows = known.rows[:kept]
    for row in _wrapped(words, breaks, known.width, known.rows[kept] if kept else Row(0, 0, 0)):
        if row.first >= change.stop:
            was = row.moved(-change.grown)
            k = bisect_left(
                known.rows, (was.first, was.skip), key=lambda row: (row.first, row.skip)
            )
            if known.rows[k : k + 1] == [was]:
                rows.extend(row.moved(change.grown) for row in known.rows[k:])
                break
        rows.append(row)
    return rows


def _wrapped(words: Words, breaks: list[Break], width: int, start: Row) -> Iterator[Row]:
    """The rows of a line from the beginning of some row on."""
    here = bisect_right(breaks, start.first, key=lambda b: b.at) - 1
    ends = [*(b.at for b in breaks[here + 1 :]), len(words.texts)]
    for (at, indent), end in zip(breaks[here:], ends, strict=True):
        begin = start if at <= start.first else Row(at, at, indent)
        yield from wrap(words, width, begin, end, min(indent + HANGING, width // 2))


def row_of(rows: Sequence[Row], index: int) -> int:
    """The row in which the token at `index` begins."""
    row = bisect_right(rows, index, key=lambda r: r.first) - 1
    while row > 0 and rows[row].skip and rows[row].first == index:
        row -= 1
    return max(row, 0)


def wrap(words: Words, width: int, start: Row, stop: int, hanging: int) -> Iterator[Row]:
    """Rows of the words up to `stop`, from where the row `start` begins; those that go on below are
    indented by `hanging`. A row whose last word goes on below leaves a cell for a mark."""
    texts, gaps, cells = words
    first, _, indent, skip, _ = start
    while first < stop:
        room = width - indent
        ends: list[int] = []  # where each word ends, of those that fit
        end = -gaps[first] - cells[first] + cells_of(texts[first][skip:])
        for i in range(first, stop):
            end += gaps[i] + cells[i]
            if end > room:
                break
            ends.append(end)
        last = first + len(ends)
        free = room - ends[-1] - gaps[last] if first < last < stop else 0
        if last == first:  # not even one word has room: it is cut
            cut = _cut(texts[first], skip, room)
            yield Row(first, first + 1, indent, skip, cut)
            skip = cut
        elif free * 4 > max(room, 8) and gaps[last] + cells[last] > width - hanging:
            cut = _cut(texts[last], 0, free)  # cut below anyway: then cut it here
            yield Row(first, last + 1, indent, skip, cut)
            first, skip = last, cut
        else:
            if last < stop:
                last = _best_break(texts, gaps, ends, first, room)
            yield Row(first, last, indent, skip)
            first, skip = last, 0
        indent = hanging


def _cut(text: str, skip: int, room: int) -> int:
    """Up to which letter a text has room, one at least, with a mark behind it that it goes on."""
    if text.isascii():
        return skip + max(room - 1, 1)
    stop, free = skip + 1, room - 1 - cell_len(text[skip])
    while free >= 0 and stop < len(text):
        free -= cell_len(text[stop])
        stop += free >= 0
    return stop


def _best_break(
    texts: Sequence[str], gaps: Sequence[int], ends: Sequence[int], first: int, room: int
) -> int:
    """Before which word to break a row that has room for no more than end in `ends`: late, but
    rather between two arguments than inside of one."""
    start = ends[0]
    best, best_cost = first + len(ends), 1000.0
    depth = 0
    for i, end in enumerate(ends, first):
        depth += _DEEPER.get(texts[i], 0)
        following = texts[i + 1]
        cost = (ends[-1] - end) / room + depth * 0.4
        if (end - start) * 4 < room:
            cost += 1.0
        if not gaps[i + 1] and texts[i] not in ("(", ","):
            clings = following in ")>,;(" or "::" in (texts[i], following)
            cost += 1.0 if texts[i] == "<" else 2.0 + clings
        if cost <= best_cost:
            best, best_cost = i + 1, cost
    return best
