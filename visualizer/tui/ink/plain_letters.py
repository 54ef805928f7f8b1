"""For a terminal without UTF-8: every sign that the screens draw with, as the ASCII that is nearest.

Each sign becomes as many letters as it takes cells, so that nothing moves.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_SIGNS = {
    "…": "~", "→": ">", "←": "<", "↑": "^", "↓": "v", "⏎": "<", "↵": "\\", "⇒": ">", "⭘": "o",
    "▸": ">", "▶": ">", "›": ">", "◂": "<", "◀": "<", "‹": "<", "▾": "v", "▼": "v", "▲": "^",
    "★": "*", "●": "o", "◆": "*", "·": ".", "•": "*", "✓": "v", "✗": "x", "×": "x", "−": "-",
    "–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "µ": "u", "±": "~", "\xa0": " ",
    "≠": "!", "≤": "<", "≥": ">", "≈": "~", "⁰": "0", "¹": "1", "²": "2", "³": "3", "⁷": "7",
    "○": "o", "◇": "*", "◉": "o", "□": "o", "■": "#", "▷": ">", "◁": "<", "△": "^", "▽": "v",
    "░": ".", "▒": ":", "▓": ":", "█": "#", "▔": "-", "▁": "_", "▂": "_", "▀": "-", "▄": "_",
}  # fmt: skip
_UPRIGHT = "│┃║▏▎▍▌▋▊▉▐▕╎╏┆┇┊┋╵╷╹╻"
_LEVEL = "─━═╌╍┄┅┈┉╴╶╸╺"


class _Plain(dict[int, str]):
    def __missing__(self, code: int) -> str:
        """A corner or crossing of lines, a letter of some other script, or ASCII as it is."""
        sign = chr(code)
        if code < 128:
            plain = sign
        elif 0x2500 <= code < 0x2580:
            plain = "+"
        else:
            plain = "?" * cell_len(sign)
        self[code] = plain
        return plain


_PLAIN = _Plain({ord(sign): plain for sign, plain in _SIGNS.items()})
_PLAIN.update({ord(sign): "|" for sign in _UPRIGHT} | {ord(sign): "-" for sign in _LEVEL})


class PlainLetters(LineFilter):
    """Textual sends every row through this on its way to the terminal."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(plain(text), style, more) for text, style, more in segments]


def plain(text: str) -> str:
    """What was cut ends in `~`, since a `.` would be read as a part of it; a sentence that trails off
    behind a blank ends in two dots."""
    return text.replace(" …", "..").translate(_PLAIN)


def has_utf8(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the terminal is said to take UTF-8. Where nothing is said, nearly all do."""
    names = ("LC_ALL", "LC_CTYPE", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "utf-8")
    return "utf" in locale.lower()
