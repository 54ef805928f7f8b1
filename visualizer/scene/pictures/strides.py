"""Strides as a grid: what a loop reads at each index, by the number of the element in memory.

    input 0  strides 4 1    input 1  strides 1 0
      0  1  2  3              0 ·0 ·0 ·0
      4  5  6  7              1 ·1 ·1 ·1

A stride says how many elements further on the next index finds its own. One of 0 finds the same cell
again, and that is all that broadcasting is: nothing is copied. A dot stands before what was read
before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rich.cells import cell_len

from visualizer.frameworks.story import Story, Strided
from visualizer.layout.words import Parts, clipped, prose
from visualizer.messages import N_, _
from visualizer.scene.pictures.cells import ACCENT, QUIET, STRONG

TITLE = N_("picture: what is read where")
_ROWS, _COLUMNS = 6, 12  # of a grid; what is beyond is a `…`
_APART = 3


def of_story(story: Story | None, at: int, width: int) -> list[Parts]:
    """The operands as they are at that step of a call, `width` cells at most; none where the iterator
    has no strides yet, or no more than one element."""
    steps = story.steps[: at + 1] if story is not None else ()
    known = next((step.strided for step in reversed(steps) if step.strided), ())
    return strides(known, width)


def strides(operands: Sequence[Strided], width: int) -> list[Parts]:
    """A grid for each operand, side by side where they find room, the last index in the columns."""
    grids = [_grid(one) for one in operands if one.shape]
    if not grids:
        return []
    rows: list[Parts] = []
    beside: list[list[Parts]] = []
    for one in grids:
        if beside and _wide(beside) + _APART + _length(one) > width:
            rows += [*_joined(beside), []]
            beside = []
        beside.append(one)
    rows += _joined(beside)
    if any(0 in one.strides for one in operands):
        rows += [[], *prose(_("A stride of 0 reads the same cell again: ·0"), width, QUIET)]
    return [clipped(row, width, "…") for row in rows]


def _grid(of: Strided) -> list[Parts]:
    rows: list[Parts] = [
        [(of.name, STRONG), (f"  {_('strides')} {' '.join(map(str, of.strides))}", QUIET)]
    ]
    *outer, last = of.shape
    *steps, step = of.strides
    column = len(str(_last(of))) + 2
    seen: set[int] = set()
    # A Meta tensor may be of any size: no more places are made than are shown, and one.
    for number, place in enumerate(product(*(range(min(size, _ROWS + 1)) for size in outer))):
        if number == _ROWS:
            rows.append([("  …", QUIET)])
            break
        first = sum(index * by for index, by in zip(place, steps, strict=True))
        # A blank row would part the planes; a mark at the first of each does too.
        begins = number and outer and place[-1] == 0
        row: Parts = [("─ " if begins else "  ", QUIET)]
        for index in range(min(last, _COLUMNS)):
            at = first + index * step
            again = at in seen
            text = f"·{at}" if again else str(at)
            row.append((" " * (column - cell_len(text)), ()))
            row.append((text, QUIET if again else ACCENT))
            seen.add(at)
        rows.append([*row, (" …", QUIET)] if last > _COLUMNS else row)
    return rows


def _last(of: Strided) -> int:
    """The number of the last element that is read."""
    return sum((size - 1) * by for size, by in zip(of.shape, of.strides, strict=True))


def _length(grid: Sequence[Parts]) -> int:
    return max(sum(cell_len(text) for text, _ in row) for row in grid)


def _wide(beside: Sequence[Sequence[Parts]]) -> int:
    return sum(map(_length, beside)) + _APART * (len(beside) - 1)


def _joined(beside: Sequence[list[Parts]]) -> Iterator[Parts]:
    for n in range(max(map(len, beside), default=0)):
        row: Parts = []
        for grid in beside:
            here = grid[n] if n < len(grid) else []
            if row:
                row.append((" " * _APART, ()))
            room = _length(grid) - sum(cell_len(text) for text, _ in here)
            row += [*here, (" " * room, ())]
        yield row
