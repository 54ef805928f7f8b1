"""The text that an include adds to the output, as it is kept on disk: its lines.

Who prints a text asks of its tokens what they are, whether a blank stands before each, and where. So
all that stands on one line is one token of the kind LINE, spelled as it is printed. Only a pragma stays
for itself, which is printed on a line of its own; what is rare is left as it is, and isn't kept.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence

from visualizer.expansion.language import Language
from visualizer.expansion.lexer import would_fuse
from visualizer.expansion.tokens import LINE, PRAGMA, Name, Source, Token, standing_at

_LARGEST = 1 << 23  # characters of the text of one include that is kept
_LINE, _BEHIND_A_BLANK, _PRAGMA = range(3)


class PrintedLines:
    """Makes lines of a text's tokens, and keeps them if there are not too many."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._files: dict[str, int] = {}  # in which lines stand, numbered
        self._places = array("I")
        self._texts: list[str] = []
        self._left = _LARGEST  # less than nothing: they can't be kept

    def of(self, tokens: Iterable[Token]) -> Iterator[Token]:
        """The text, line by line."""
        line: list[Token] = []
        where = Source("", 0, 0)
        for token in tokens:
            here = standing_at(token)
            if line and (here.line != where.line or here.file != where.file):
                yield from self._made(line, where) if len(line) > 1 else self._kept(line, where)
                line = []
            if not line:
                where = here
            line.append(token)
        if line:
            yield from self._made(line, where) if len(line) > 1 else self._kept(line, where)

    def packed(self, files: Mapping[str, int]) -> tuple[bytes, bytes] | None:
        """The lines and their places, files by these numbers; None if they can't be kept."""
        if self._left < 0 or not files.keys() >= self._files.keys():
            return None
        numbers = [files[file] for file in self._files]
        self._places[1::4] = array("I", [numbers[n] for n in self._places[1::4]])
        return "\n".join(self._texts).encode("ascii"), self._places.tobytes()

    def _made(self, line: list[Token], where: Source) -> list[Token]:
        text = self._spelled(line)
        if text is None:
            self._left = -1
            return line
        return self._kept([Token(LINE, text, line[0].space, where)], where)

    def _kept(self, line: list[Token], where: Source) -> list[Token]:
        token, text = line[0], line[0].text
        self._left -= len(text)
        if self._left >= 0:
            if "\n" in text or not text.isascii() or type(text) is Name:
                self._left = -1
            form = _PRAGMA if token.kind == PRAGMA else _BEHIND_A_BLANK if token.space else _LINE
            number = self._files.setdefault(where.file, len(self._files))
            self._places.extend((form, number, where.line, where.column))
            self._texts.append(text)
        return line

    def _spelled(self, line: list[Token]) -> str | None:
        """The tokens of a line as they are printed; None where more is to be known for that."""
        before, *rest = line
        pieces = [before.text]
        for token in rest:
            if token.space or would_fuse(before, token, self._language):
                pieces.append(" ")
            pieces.append(token.text)
            before = token
        text = "".join(pieces)
        odd = any(token.kind == PRAGMA or type(token.text) is Name for token in line)
        return None if odd or "\n" in text or not text.isascii() else text


def printed(lines: bytes, places: bytes, files: Sequence[str]) -> Iterator[Token]:
    """The tokens of such lines. Raises ValueError or IndexError where the two don't fit."""
    numbers = array("I", places)
    texts = lines.decode("ascii").split("\n") if numbers else []
    shown = [files[n] for n in numbers[1::4]]
    if len(texts) * 4 != len(numbers):
        raise ValueError("places for other lines")
    rows = zip(texts, numbers[0::4], shown, numbers[2::4], numbers[3::4], strict=True)
    return (
        Token(PRAGMA if kind == _PRAGMA else LINE, text, kind != _LINE, Source(file, line, column))
        for text, kind, file, line, column in rows
    )
