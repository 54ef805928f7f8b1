r"""Lines that a backslash glues together, and the way back to the file: translation phases 1 and 2.

A backslash at the end of a line glues the next line on, even in the middle of a word, so positions in
the glued text and positions in the file drift apart. Each cut is remembered, and a token's line and
column are looked up in the uncut text.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from itertools import accumulate, count
from operator import add

from visualizer.expansion import memory
from visualizer.expansion.tokens import Source
from visualizer.expansion.under_way import in_pieces

LOOK = 1 << 15  # characters between two looks at the memory that is held
LONG = 1 << 20  # characters of a text whose tokens are counted before they are made
_SPLICE = re.compile(r"\\[ \t\f\v]*\n")
_SPLICE_OR_TRIGRAPH = re.compile(r"(?:\\|\?\?/)[ \t\f\v]*\n|\?\?([=/'()!<>-])")
_TRIGRAPHS = dict(zip("=/'()!<>-", "#\\^[]|{}~", strict=True))  # C17 §5.2.1.1
_LINE, _SPLICED = 4, 8  # bytes of one


class GluedText:
    """Phases 1 and 2, and the way back: from an offset in the glued text to one in the file."""

    def __init__(self, text: str, trigraphs: bool, file: str, first_line: int) -> None:
        self.text = text
        self.first_line = first_line
        self.lines = array("I", [0])
        if len(text) > LONG:
            self._expect_room(file)
        at = 0
        for piece in in_pieces(text):
            *ended, _ = map(len, piece.split("\n"))
            self.lines.extend(map(add, accumulate(ended), count(at + 1)))
            at += len(piece)
        self.cuts = array("I")  # offsets in the glued text behind which characters are missing
        self.shift = array("I", [0])  # how far glued and file offsets differ from each cut on
        parts: list[str] = []
        done = 0
        found = _SPLICE_OR_TRIGRAPH if trigraphs and "??" in text else _SPLICE
        for m in found.finditer(text) if "\\" in text or found is not _SPLICE else ():
            kept = _TRIGRAPHS[m[1]] if found is not _SPLICE and m[1] else ""
            if done < m.start() or kept:
                parts += [text[done : m.start()], kept]
            done = m.end()
            if len(self.cuts) % LOOK == LOOK - 1:
                line = bisect_right(self.lines, m.start())
                memory.expect_room(Source(file, line + first_line - 1, 1))
            self.cuts.append(m.start() - self.shift[-1] + len(kept))
            self.shift.append(self.shift[-1] + m.end() - m.start() - len(kept))
        self.glued = "".join([*parts, text[done:]]) if done else text

    def _expect_room(self, file: str) -> None:
        """Raises InputError if the lines of the text take too much memory, before they do."""
        line, least = self.first_line, 0
        for piece in in_pieces(self.text):
            lines = piece.count("\n")
            least += lines * _LINE + piece.count("\\\n") * _SPLICED
            memory.expect_room(Source(file, line, 1), least)
            line += lines

    def in_file(self, offset: int) -> int:
        return offset + self.shift[bisect_right(self.cuts, offset)] if self.cuts else offset

    def line_end(self, offset: int) -> int:
        """Up to where in the glued text columns go on as they do at `offset`."""
        newline = self.glued.find("\n", offset)
        end = len(self.glued) if newline < 0 else newline
        cut = bisect_right(self.cuts, offset)
        return min(end, self.cuts[cut]) if cut < len(self.cuts) else end

    def position(self, offset: int) -> tuple[int, int]:
        at = self.in_file(offset)
        line = bisect_right(self.lines, at)
        return line + self.first_line - 1, at - self.lines[line - 1] + 1


def without_carriages(text: str) -> str:
    r"""The text with `\n` for each `\r\n`, some of which the end of a piece may cut in two."""
    pieces: list[str] = []
    cut = ""
    for piece in in_pieces(text):
        piece = cut + piece
        cut = "\r" if piece.endswith("\r") else ""
        pieces.append(piece[: len(piece) - len(cut)].replace("\r\n", "\n"))
    return "".join([*pieces, cut])
