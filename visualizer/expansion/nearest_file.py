"""The compiled file that another one is most like, from its name and place alone.

Headers are not compiled on their own, and new files not yet; their flags must be guessed from those
of a file that is. clangd's rule, which this follows: names say most (`softmax.h` goes with
`softmax.cc`, also across folders), then the innermost folders (`cpu`), then the length of the path
that both have in common. A C file and a C++ file are not alike, whatever their names.

A project has thousands of files, and a survey asks for each of its headers. So files are found by
their stems' prefixes, and the best by place alone is remembered for each folder.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from visualizer.expansion.source_files import is_c, is_header

_TELLING = 3  # letters that a prefix must have: `a.cc` is not about the same as `abs.h`
_SAME_STEM, _BEGINS_ALIKE = 3, 2  # against 1 for each of the two innermost folders


@dataclass(frozen=True, slots=True)
class _Place:
    """What likeness is made of."""

    file: str
    folders: tuple[str, ...]
    stem: str
    language: str  # empty for a header, which may be of either


def _place(file: str) -> _Place:
    folder, name = os.path.split(file)
    language = "" if is_header(file) else "c" if is_c(file) else "c++"
    return _Place(file, tuple(folder.split(os.sep)), name.partition(".")[0].lower(), language)


def _likeness(one: _Place, other: _Place) -> tuple[bool, int, int, int]:
    same_language = not one.language or one.language == other.language
    points = sum(name in other.folders[-2:] for name in one.folders[-2:])
    if one.stem == other.stem:
        points += _SAME_STEM
    elif min(len(one.stem), len(other.stem)) >= _TELLING and (
        one.stem.startswith(other.stem) or other.stem.startswith(one.stem)
    ):
        points += _BEGINS_ALIKE
    pairs = enumerate(zip(one.folders, other.folders, strict=False))
    ends = min(len(one.folders), len(other.folders))
    shared = next((n for n, (a, b) in pairs if a != b), ends)
    return same_language, points, shared, -abs(len(one.folders) - len(other.folders))


class NearestFile:
    """Finds, among these files (absolute paths, at least one), the one that is most like another."""

    def __init__(self, files: Iterable[str]) -> None:
        self._places = [_place(file) for file in files]
        self._order = {place: n for n, place in enumerate(self._places)}
        self._by_stem = sorted(self._places, key=lambda place: place.stem)
        self._stems = [place.stem for place in self._by_stem]
        self._by_folder: dict[tuple[tuple[str, ...], str], _Place] = {}

    def find(self, file: str) -> str:
        """Of files that are equally like it, the first."""
        place = _place(file)
        candidates = [self._best_by_place(place), *self._with_stem_like(place.stem)]
        return max(candidates, key=lambda c: (*_likeness(place, c), -self._order[c])).file

    def _best_by_place(self, place: _Place) -> _Place:
        key = place.folders, place.language
        if key not in self._by_folder:
            nameless = _Place("", place.folders, "", place.language)
            self._by_folder[key] = max(self._places, key=lambda p: _likeness(nameless, p))
        return self._by_folder[key]

    def _with_stem_like(self, stem: str) -> list[_Place]:
        """The files whose stem begins with this one, or is a beginning of it."""
        found = self._between(stem, stem + "\U0010ffff")
        for end in range(_TELLING, len(stem)):
            found += self._between(stem[:end], stem[:end] + "\0")
        return found

    def _between(self, first: str, last: str) -> list[_Place]:
        return self._by_stem[bisect_left(self._stems, first) : bisect_left(self._stems, last)]
