"""A registry as rows: each kernel's name, and below it, unless it is folded, the keys that lead to it.

A registry may hold thousands of kernels, so a large one is folded from the beginning but for one name,
and letters leave only the entries that have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from visualizer.workbench.entries import Shown

Kernels: TypeAlias = "dict[str, list[Shown]]"

_LARGE = 200  # entries, from which on names are folded at first


@dataclass(frozen=True, slots=True)
class NameRow:
    """The row of a kernel's name, above its keys."""

    name: str
    count: int
    open: bool


Row: TypeAlias = "NameRow | Shown"


def grouped(registry: Iterable[Shown]) -> Kernels:
    """The entries by name, both in the order of their registration."""
    kernels: Kernels = {}
    for shown in registry:
        kernels.setdefault(shown.entry.registration.kernel_name, []).append(shown)
    return kernels


def with_letters(kernels: Kernels, letters: str) -> Kernels:
    """The entries whose name and key together have all of these words."""
    words = letters.lower().split()
    found: Kernels = {}
    for name, entries in kernels.items():
        left = [word for word in words if word not in name.lower()]
        kept = [s for s in entries if all(w in _key(s) for w in left)] if left else entries
        if kept:
            found[name] = kept
    return found


def _key(shown: Shown) -> str:
    return str(shown.entry.registration.key).lower()


def rows_of(kernels: Kernels, folds: Mapping[str, bool], unfolded: str | None) -> list[Row]:
    """`folds` says of a name whether the reader has unfolded it or folded it; of other names, a large
    registry shows only the keys of `unfolded`."""
    large = sum(map(len, kernels.values())) > _LARGE
    rows: list[Row] = []
    for name, entries in kernels.items():
        is_open = folds.get(name, not large or name == unfolded)
        rows.append(NameRow(name, len(entries), is_open))
        if is_open:
            rows += entries
    return rows


def row_of(rows: Iterable[Row], shown: Shown | None, name: str | None) -> int:
    """The row of this entry; of its name, where that is folded or no entry is given."""
    place = 0
    for i, row in enumerate(rows):
        if shown is not None and row is shown:
            return i
        if isinstance(row, NameRow) and row.name == name:
            place = i
            if shown is None or not row.open:
                break
    return place


def first_choice(kernels: Kernels, chosen: object) -> Shown | None:
    """The chosen entry; if there is none, the newest, the last that is complete, the first."""
    last: Shown | None = None
    newest: Shown | None = None
    first: Shown | None = None
    for entries in kernels.values():
        for shown in entries:
            if shown.entry is chosen:
                return shown
            first = first or shown
            newest = shown if shown.newest else newest
            last = last if shown.pending else shown
    return newest or last or first
