r"""From characters to lines of preprocessing tokens: translation phases 1 to 3 (C23 §5.1.1.2).

A backslash at the end of a line glues the next line on (phase 2), even in the middle of a word, so
positions in the glued text and positions in the file drift apart. We glue first, remember where each
cut was made, and look a token's line and column up in the uncut text. A comment is one blank; a
block comment may carry a logical line over many physical ones. What comes out is a list of logical
lines, because directives are recognised by line; empty ones are left out.

pcpp has a lexer of its own, which we do not use: it knows neither `::` nor pp-numbers, prefixed or
raw strings, digraphs, or columns, and it rewrites trigraphs everywhere.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from visualizer.expansion.language import Language
from visualizer.expansion.tokens import (
    CHARACTER,
    IDENTIFIER,
    NUMBER,
    OTHER,
    PUNCTUATOR,
    STRING,
    UNTERMINATED,
    Source,
    Token,
)

_UCN = r"\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}"
_START = rf"(?:[A-Za-z_$]|[^\x00-\x7f]|{_UCN})"
_CONTINUE = rf"(?:[\w$]|[^\x00-\x7f]|{_UCN})"
_PREFIX = r"(?:u8|[uUL])?"


@lru_cache
def _grammar(language: Language) -> re.Pattern[str]:
    """One pattern for all tokens; the name of the alternative that matched is the token's kind."""
    separator = r"|'(?=\w)" if language.digit_separators else ""
    raw = rf'{_PREFIX}R"(?P<delimiter>[^()\\\s"]{{0,16}})\(' if language.raw_strings else r"(?!)"
    return re.compile(
        rf"""
    (?P<blank>   [ \t\f\v\r]+ | //[^\n]* | /\*.*?\*/ )
  | (?P<newline> \n )
  | (?P<raw>     {raw} )
  | (?P<string>  {_PREFIX}"(?:[^"\\\n]|\\[^\n])*" )
  | (?P<character> {_PREFIX}'(?:[^'\\\n]|\\[^\n])*' )
  | (?P<identifier> {_START}{_CONTINUE}* )
  | (?P<number>  \.?[0-9](?:[eEpP][+-]{separator}|\.|{_CONTINUE})* )
  | (?P<comment> /\* )
  | (?P<quote>   ["'][^\n]* )
  | (?P<punctuator>
        %:%: | \.\.\. | <=> | <<= | >>= | ->\*
      | <(?=::(?![:>]))
      | <: | :> | <% | %> | %:
      | \#\# | :: | -> | \.\* | \+\+ | -- | << | >> | <= | >= | == | != | && | \|\|
      | \*= | /= | %= | \+= | -= | &= | \|= | \^=
      | [][(){{}}<>\#;:?.~!+\-*/%^&|=,] )
  | (?P<other>   . )
    """,
        re.VERBOSE | re.DOTALL,
    )


_NEWEST = Language()
_KINDS = {
    "identifier": IDENTIFIER,
    "number": NUMBER,
    "string": STRING,
    "character": CHARACTER,
    "punctuator": PUNCTUATOR,
    "quote": UNTERMINATED,
    "comment": UNTERMINATED,
    "other": OTHER,
}
_SUFFIX = re.compile(f"{_START}{_CONTINUE}*")
_SPLICE = re.compile(r"\\[ \t\f\v]*\n")
_SPLICE_OR_TRIGRAPH = re.compile(r"(?:\\|\?\?/)[ \t\f\v]*\n|\?\?([=/'()!<>-])")
_TRIGRAPHS = dict(zip("=/'()!<>-", "#\\^[]|{}~", strict=True))  # C17 §5.2.1.1


class _Layout:
    """Phases 1 and 2, and the way back: from an offset in the glued text to one in the file."""

    def __init__(self, text: str, trigraphs: bool) -> None:
        self.text = text
        self.lines = [0, *(m.end() for m in re.finditer("\n", text))]
        self.cuts: list[int] = []  # offsets in the glued text behind which characters are missing
        self.shift = [0]  # how far glued and file offsets differ from each cut on
        parts: list[str] = []
        done = 0
        for m in (_SPLICE_OR_TRIGRAPH if trigraphs else _SPLICE).finditer(text):
            kept = _TRIGRAPHS[m[1]] if trigraphs and m[1] else ""
            parts += [text[done : m.start()], kept]
            done = m.end()
            self.cuts.append(m.start() - self.shift[-1] + len(kept))
            self.shift.append(self.shift[-1] + m.end() - m.start() - len(kept))
        self.glued = "".join([*parts, text[done:]]) if parts else text

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
        return line, at - self.lines[line - 1] + 1


def tokenize(text: str, file: str, language: Language = _NEWEST) -> list[list[Token]]:
    """The logical lines of `text` that have tokens. Never fails: a quote or a comment without its end
    becomes an UNTERMINATED token, which is an error only where it is not skipped by `#if`. In C++ a
    name right behind a string or character is its suffix, and part of it ([lex.ext])."""
    text = text.replace("\r\n", "\n") if "\r" in text else text
    layout = _Layout(text, language.trigraphs)
    glued = layout.glued
    lines: list[list[Token]] = []
    line: list[Token] = []
    space = True  # a new line is white space too
    at, end = 0, len(glued)
    line_number = line_start = line_end = 0  # of the file's line that `at` is on, in glued offsets
    match = _grammar(language).match
    while at < end:
        m = match(glued, at)
        assert m is not None  # the last alternative takes any character
        kind = m.lastgroup
        if kind == "blank":
            space = True
            at = m.end()
            continue
        if kind == "newline":
            if line:
                lines.append(line)
                line = []
            space = True
            at = m.end()
            continue
        if at >= line_end:
            line_number, column = layout.position(at)
            line_start, line_end = at - column, layout.line_end(at)
        where = Source(file, line_number, at - line_start)
        if kind == "raw":
            text_, at = _raw_string(layout, m)
            kind = "string" if text_.endswith('"') else "quote"
        elif kind == "comment":
            text_, at = glued[at:], end
        else:
            text_ = m.group()
            at = m.end()
        if (
            language.literal_suffixes
            and kind in ("string", "character")
            and (suffix := _SUFFIX.match(glued, at))
        ):
            text_ += suffix.group()
            at = suffix.end()
        line.append(Token(_KINDS[kind or "other"], text_, space, where))
        space = False
    if line:
        lines.append(line)
    return lines


def _raw_string(layout: _Layout, opening: re.Match[str]) -> tuple[str, int]:
    """A raw string's spelling, and where the glued text goes on after it. Inside one, phase 2 is
    undone (C++ [lex.pptoken]): its characters are those of the file."""
    start = layout.in_file(opening.start())
    closing = ")" + opening["delimiter"] + '"'
    end = layout.text.find(closing, layout.in_file(opening.end()))
    if end < 0:
        end = layout.text.find("\n", start)
        end = len(layout.text) if end < 0 else end
    else:
        end += len(closing)
    cut = bisect_right(layout.cuts, opening.start())
    while cut < len(layout.cuts) and layout.cuts[cut] + layout.shift[cut] < end:
        cut += 1
    return layout.text[start:end], end - layout.shift[cut]


@lru_cache(maxsize=4096)
def spell_one(text: str) -> str | None:
    """The kind of the single token that `text` spells, or None if it spells none or several."""
    lines = tokenize(text, "")
    if len(lines) != 1 or len(lines[0]) != 1 or lines[0][0].text != text:
        return None
    kind = lines[0][0].kind
    return None if kind in (OTHER, UNTERMINATED) else kind


def would_fuse(left: Token, right: Token) -> bool:
    """Whether printing `right` straight after `left` would change how the text is read back."""
    if left.kind in (STRING, CHARACTER) and right.kind == IDENTIFIER:
        return True
    m = _grammar(_NEWEST).match(left.text + right.text)
    return m is None or m.end() != len(left.text)


def spellings(text: str) -> list[str]:
    """The tokens of a text that is no file's, as they are spelled."""
    return [token.text for line in tokenize(text, "") for token in line]
