"""Which files a translation unit includes: found, read once, and not entered again.

A file is read from disk one time, and its stamp taken before that, so that whoever remembers the two
can tell later whether the file is still the same. `#pragma once` is kept by path; gcc goes further,
and takes a file of the same time, size and text for the same file, which matters where a generator
wrote the same header twice. clang does not.
"""

from __future__ import annotations

from collections.abc import Iterable

from visualizer.expansion.include_path import IncludePath, Stamp, stamp
from visualizer.expansion.source_files import (
    characters,
    display_path,
    is_gbk,
    read_exactly,
    shown_as,
)
from visualizer.expansion.tokens import Token, spelled_at


class Inclusion:
    """The include path of one translation unit, and the files that were read through it."""

    def __init__(
        self,
        path: IncludePath,
        once_by_text: bool,
        unsaved: Iterable[tuple[str, str]] = (),
        exact: bool = False,
    ) -> None:
        """With `exact`, bytes that aren't UTF-8 stay in the texts (`Options`)."""
        self.path = path
        self.unsaved = dict(unsaved)
        self.included: dict[str, None] = {}  # in the order of their first reading
        self.texts: dict[str, str] = {}
        self._exact = exact
        # By a file's name: the lines, with their bytes, and whether these are GBK.
        self._illegible: dict[str, tuple[list[str], bool]] = {}
        self.stamps: dict[str, Stamp | None] = {}  # of each file, as it was before it was read
        self.once: dict[str, None] = {}
        self.compared: dict[str, None] = {}  # files that turned out to be copies of such, or not
        self._once_by_text = once_by_text
        self._alike: dict[tuple[int, int], list[str]] = {}  # of `once`, by time and size

    def text(self, path: str) -> str:
        """The text of a file that is being included."""
        self.included[path] = None
        return self._text(path)

    def as_asked(self, text: str, name: str) -> str:
        """The text of the file that is shown under this name, as tokens are to be made of it."""
        if self._exact or text.isascii():
            return text
        in_gbk = is_gbk(text)
        shown = shown_as(text, in_gbk)
        if shown != text:
            self._illegible[name] = text.replace("\r\n", "\n").split("\n"), in_gbk
        return shown

    def shows_bytes(self) -> bool:
        """Whether bytes that are no UTF-8 are shown as something else."""
        return bool(self._illegible)

    def exactly(self, token: Token) -> str:
        """The token's spelling, with the bytes that aren't shown as they are."""
        if token.text.isascii() or not self._illegible:
            return token.text
        file, line, column = spelled_at(token)
        if file not in self._illegible:
            return token.text
        lines, in_gbk = self._illegible[file]
        at = slice(column - 1, column - 1 + len(token.text))
        found = b"".join(characters(lines[line - 1], in_gbk)[at]).decode("utf-8", "surrogateescape")
        return found if shown_as(found, in_gbk) == token.text else token.text

    def only_once(self, path: str) -> None:
        """The file says `#pragma once`."""
        self.once[path] = None
        if path not in self.stamps:
            self.stamps[path] = stamp(path)
        self._alike.setdefault(_time_and_size(self.stamps[path]), []).append(path)

    def is_done(self, path: str) -> bool:
        """Whether the file, or what gcc takes for it, said `#pragma once` before."""
        if path in self.once:
            return True
        if not self._once_by_text or not self.once:
            return False
        alike = self._alike.get(_time_and_size(self._stamp(path)), ())
        if alike:
            self.compared[path] = None
        return any(one in self.once and self._text(one) == self._text(path) for one in alike)

    def done_before(
        self, included: Iterable[str], once: Iterable[str], stamps: dict[str, Stamp | None]
    ) -> None:
        """What a cache knows of files that it read at an earlier time."""
        self.included.update(dict.fromkeys(included))
        for path, known in stamps.items():
            self.stamps.setdefault(path, known)
        for path in once:
            self.only_once(path)

    def _text(self, path: str) -> str:
        if path not in self.texts:
            self._stamp(path)
            text = read_exactly(path, True, self.unsaved.items())
            self.texts[path] = self.as_asked(text, display_path(path))
        return self.texts[path]

    def _stamp(self, path: str) -> Stamp | None:
        if path not in self.stamps:
            self.stamps[path] = stamp(path)
        return self.stamps[path]


def _time_and_size(known: Stamp | None) -> tuple[int, int]:
    return (known[0] // 10**9, known[2]) if known is not None else (-1, -1)
