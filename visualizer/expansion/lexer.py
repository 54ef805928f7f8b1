r"""From characters to lines of preprocessing tokens: translation phases 1 to 3 (C23 §5.1.1.2).

A backslash at the end of a line glues the next line on (phase 2), even in the middle of a word, so
positions in the glued text and positions in the file drift apart. We glue first, remember where each
cut was made, and look a token's line and column up in the uncut text. A comment is one blank; a
block comment may carry a logical line over many physical ones. What comes out is a list of logical
lines, because directives are recognised by line; empty ones are left out.

A name may be spelled with universal character names: `caf\u00e9` is `café` (`tokens.Name`). gcc and
clang refuse one of a character that no name may have (C23 §6.4.3).

pcpp has a lexer of its own, which we do not use: it knows neither `::` nor pp-numbers, prefixed or
raw strings, digraphs, or columns, and it rewrites trigraphs everywhere.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from visualizer.expansion import memory, under_way
from visualizer.expansion.language import Language
from visualizer.expansion.splices import LONG, LOOK, GluedText, without_carriages
from visualizer.expansion.tokens import (
    CHARACTER,
    IDENTIFIER,
    LONGEST,
    NUMBER,
    OTHER,
    PUNCTUATOR,
    STRING,
    UNIVERSAL,
    UNTERMINATED,
    Name,
    Source,
    Token,
)

# What a name may have beside ASCII (C11 annex D).
_LETTERS = (
    r"\xa8\xaa\xad\xaf\xb2-\xb5\xb7-\xba\xbc-\xbe\xc0-\xd6\xd8-\xf6\xf8-\u167f\u1681-\u180d"
    r"\u180f-\u1fff\u200b-\u200d\u202a-\u202e\u203f\u2040\u2054\u2060-\u218f\u2460-\u24ff"
    r"\u2776-\u2793\u2c00-\u2dff\u2e80-\u2fff\u3004-\u3007\u3021-\u302f\u3031-\ud7ff"
    r"\uf900-\ufd3d\ufd40-\ufdcf\ufdf0-\ufe44\ufe47-\ufffd"
) + "".join(rf"\U{plane:04x}0000-\U{plane:04x}fffd" for plane in range(1, 15))
_LETTER = rf"(?![\x00-\x7f])[{_LETTERS}]"
_FOLLOWING = r"[\u0300-\u036f\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"  # these begin no name
_EXTENDED_NAME = (rf"[A-Za-z_$]|(?!{_FOLLOWING}){_LETTER}", rf"[A-Za-z_0-9$]|{_LETTER}")
_PLAIN_NAME = ("[A-Za-z_$]", "[A-Za-z_0-9$]")


def _is_plain(text: str) -> bool:
    """Whether names in it are of ASCII letters, as nearly everywhere: the pattern for all letters takes
    longer to be made than many a file to be read, and reads slower."""
    return text.isascii() and ("\\" not in text or ("\\u" not in text and "\\U" not in text))


def _characters_of_names(language: Language, plain: bool) -> tuple[str, str]:
    """Patterns of a name's first character, and of any other."""
    if plain:
        return _PLAIN_NAME
    start, going_on = _EXTENDED_NAME if language.extended_names else _PLAIN_NAME
    universal = f"|{UNIVERSAL.pattern}" if language.universal_names else ""
    return f"(?:{start}{universal})", f"(?:{going_on}{universal})"


@lru_cache
def _grammar(language: Language, plain: bool) -> re.Pattern[str]:
    """One pattern for all tokens, perhaps of a text that is `plain`; the name of the alternative that
    matched is the token's kind."""
    separator = r"|'(?=\w)" if language.digit_separators else ""
    line_comment = r"//(?!\*)" if language.division_before_comment else "//"
    strings = "(?:u8|[uUL])?" if language.unicode_literals else "L?"
    characters = "(?:u8|[uUL])?" if language.utf8_characters else strings.replace("u8|", "")
    raw = rf'{strings}R"(?P<delimiter>[^()\\\s"]{{0,16}})\(' if language.raw_strings else r"(?!)"
    start, going_on = _characters_of_names(language, plain)
    if language.assembler:
        start, going_on = start.replace("$", ""), going_on.replace("$", "")
    return re.compile(
        rf"""
    (?P<blank>   [ \t\f\v\r]+ | {line_comment}[^\n]* | /\*.*?\*/ )
  | (?P<newline> \n )
  | (?P<raw>     {raw} )
  | (?P<string>  {strings}"(?:[^"\\\n]++|\\[^\n])*+" )
  | (?P<character> {characters}'(?:[^'\\\n]++|\\[^\n])*+' )
  | (?P<identifier> {start}{going_on}*+ )
  | (?P<number>  \.?[0-9](?:[eEpP][+-]{separator}|\.|{going_on})*+ )
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
_NO_UTF8 = re.compile("[\ud800-\udfff\ufffd]")  # as a file has it, or as it is shown
_COMBINING = re.compile(_FOLLOWING)
_VIEW = LONGEST + 2 * LOOK  # characters that a token is first looked for in
_CUT = ("comment", "quote")  # what one seems to be that ends behind them
_IN_QUOTES = {quote: re.compile(rf"(?:[^{quote}\\\n]++|\\[^\n])*+", re.DOTALL) for quote in "\"'"}
_GOING_ON = re.compile(r"[\w$.]*+")
_SHORT = 1000  # characters of a text that is worth remembering
_LEAST, _SMALL = 190, 32  # bytes of a token, and of those what is shared at a line's beginning
_NO_TOKENS = ('"', "'", "//", "/*")  # where what looks like tokens may be none
_ALONE = "(),;{}"  # each is a token by itself
_OTHERS = re.compile(rf"[^\s{_ALONE}]+")


@lru_cache
def _suffix(plain: bool) -> re.Pattern[str]:
    start, going_on = _characters_of_names(_NEWEST, plain)
    return re.compile(f"{start}{going_on}*")


@lru_cache
def _may_be_named() -> re.Pattern[str]:
    return re.compile(rf"[${_LETTERS}]")


def tokenize(
    text: str, file: str, language: Language = _NEWEST, first_line: int = 1
) -> list[list[Token]]:
    """The logical lines that have tokens, of a file's text from its `first_line` on. Never fails: a
    quote or a comment without its end becomes an UNTERMINATED token, which is an error only where it
    is not skipped by `#if`. In C++ a name right behind a string or character is its suffix, and part of
    it ([lex.ext])."""
    if len(text) < LOOK:
        return _tokenized(text, file, language, first_line)
    with memory.no_garbage():
        return _tokenized(text, file, language, first_line)


def _tokenized(text: str, file: str, language: Language, first_line: int) -> list[list[Token]]:
    text = without_carriages(text) if "\r" in text else text
    layout = GluedText(text, language.trigraphs, file, first_line)
    glued = layout.glued
    lines: list[list[Token]] = []
    line: list[Token] = []
    space = True  # a new line is white space too
    at, end = 0, len(glued)
    plain = _is_plain(glued)
    line_number = line_start = line_end = 0  # of the file's line that `at` is on, in glued offsets
    look_at, stop = LOOK, min(_VIEW, end)
    is_long = end > LONGEST
    if end > LONG:
        for behind, least in _least_memory(glued):
            memory.expect_room(Source(file, *layout.position(behind)), least)
    match, suffix_at = _grammar(language, plain).match, _suffix(plain).match
    while at < end:
        if at >= look_at:
            look_at, stop = at + LOOK, min(at + _VIEW, end)
            memory.expect_room(Source(file, *layout.position(at)))
        m = match(glued, at, stop)
        assert m is not None  # the last alternative takes any character
        kind, behind = m.lastgroup, m.end()
        if is_long and (behind - at > LONGEST or (kind in _CUT and stop < end)):
            kind, behind = _long(glued, m, stop)
        if kind == "blank":
            space = True
            at = behind
            continue
        if kind == "newline":
            if line:
                lines.append(line)
                line = []
            space = True
            at = behind
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
            text_, at = glued[at:behind], behind
        if (
            language.literal_suffixes
            and kind in ("string", "character")
            and (suffix := suffix_at(glued, at, at + _VIEW))
        ):
            text_ += suffix.group()
            at = suffix.end()
        if not plain and "\\" in text_ and kind in ("identifier", "number"):
            line.append(_named(_KINDS[kind], text_, space, where))
        else:
            line.append(Token(_KINDS[kind or "other"], text_, space, where))
        space = False
    if line:
        lines.append(line)
    return lines


def _long(text: str, m: re.Match[str], stop: int) -> tuple[str, int]:
    """The kind of a token that is long, or that the end of the view at `stop` may cut, and where it
    ends. Only blanks may be that long: what else is found here is an error (`line_checks`)."""
    at, end, kind = m.start(), m.end(), m.lastgroup or "other"
    if kind == "comment":
        closed = text.find("*/", at + 2)
        return (kind, len(text)) if closed < 0 else ("blank", closed + 2)
    if kind in ("identifier", "number"):
        return kind, _through(_GOING_ON, text, end)
    if end == stop and (kind == "quote" or text.startswith("//", at)):
        if kind == "quote":
            end = _through(_IN_QUOTES[text[at]], text, at + 1)
            if text.startswith(text[at], end):
                return ("string" if text[at] == '"' else "character"), end + 1
        newline = text.find("\n", end)
        end = len(text) if newline < 0 else newline
    return kind, end


def _through(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where what repeats ends: looked for in pieces. Raises CalledOff."""
    waited_for = under_way.current()
    while (m := pattern.match(text, at, at + _VIEW)) and m.end() > at:
        waited_for.step(0)
        at = m.end()
    return at


def _least_memory(text: str) -> Iterator[tuple[int, int]]:
    """Bytes that the tokens of a text surely take up to here and there, as far as they can be counted
    without being made."""
    least = lines = 0
    for at in range(0, len(text), LOOK):
        if any(text.find(mark, at, at + LOOK + 1) >= 0 for mark in _NO_TOKENS):
            return
        piece = text[at : at + LOOK]
        # A run of other characters may go on in the next piece.
        least += max(0, len(_OTHERS.findall(piece)) - 1) + sum(map(piece.count, _ALONE))
        lines += 1 + piece.count("\n")
        yield at, least * _LEAST - min(least, lines * 256) * _SMALL


def _named(kind: str, text: str, space: bool, where: Source) -> Token:
    """A name or number with universal character names in it; OTHER if no name can have those."""
    first = UNIVERSAL.match(text)
    misplaced = first is not None and _COMBINING.match(_character(first.group()))
    if misplaced or _wrong_in_name(text):
        return Token(OTHER, text, space, where)
    return Token(kind, as_name(text) if kind == IDENTIFIER else text, space, where)


def as_name(text: str) -> str:
    """A token's text, whichever way it spells a name."""
    return Name(text) if text[0] not in "\"'" and UNIVERSAL.search(text) else text


def _wrong_in_name(text: str) -> str:
    """The first universal character name of a character that no name may have."""
    names = UNIVERSAL.findall(text)
    return next((name for name in names if not _may_be_named().match(_character(name))), "")


def _character(name: str) -> str:
    code = int(name[2:], 16)
    return chr(code) if code <= 0x10FFFF else ""


def not_in_names(text: str, cxx: bool, is_clang: bool) -> str:
    """Of a token that is OTHER: why it is refused, since it can only be meant for a name; or empty.
    gcc's C++ takes any letter for part of one; its C, and clang, pass on those that can't be."""
    if wrong := _wrong_in_name(text):
        return f"universal character {wrong} is not valid in an identifier"
    if UNIVERSAL.match(text):
        return f"universal character {text[:10]} is not valid at the start of an identifier"
    if text.isascii() or is_clang or _NO_UTF8.match(text):
        return ""
    if _COMBINING.match(text):
        return f"extended character {text} is not valid at the start of an identifier"
    return f"extended character {text} is not valid in an identifier" if cxx else ""


def _raw_string(layout: GluedText, opening: re.Match[str]) -> tuple[str, int]:
    """A raw string's spelling, and where the glued text goes on after it. Inside one, phase 2 is
    undone (C++ [lex.pptoken]): its characters are those of the file."""
    start = layout.in_file(opening.start())
    closing = ")" + opening["delimiter"] + '"'
    begun = layout.in_file(opening.end())
    end = layout.text.find(closing, begun)
    if end < 0:
        end = layout.text.find("\n", begun)
        end = len(layout.text) if end < 0 else end
    else:
        end += len(closing)
    cut = bisect_right(layout.cuts, opening.start())
    while cut < len(layout.cuts) and layout.cuts[cut] + layout.shift[cut] < end:
        cut += 1
    behind = (
        layout.cuts[cut - 1] if cut else 0
    )  # where one ends that no `"` does, in the midst of a cut
    return layout.text[start:end], max(behind, end - layout.shift[cut])


def spell_one(text: str, language: Language = _NEWEST) -> str | None:
    """The kind of the single token that `text` spells, or None if it spells none or several."""
    spelled = _spelled if len(text) < _SHORT else _spelled.__wrapped__
    return spelled(text, language)


@lru_cache(maxsize=4096)
def _spelled(text: str, language: Language) -> str | None:
    lines = tokenize(text, "", language)
    if len(lines) != 1 or len(lines[0]) != 1 or len(lines[0][0].text) != len(text):
        return None
    kind = lines[0][0].kind
    return None if kind in (OTHER, UNTERMINATED) else kind


def would_fuse(left: Token, right: Token, language: Language = _NEWEST) -> bool:
    """Whether printing `right` straight after `left` would change how the text is read back."""
    if left.kind in (STRING, CHARACTER) and left.text[-1] in "\"'":
        return right.kind == IDENTIFIER
    if left.text == right.text == "." and not language.assembler:  # a third one may follow
        return True
    fuse = _fusing_newest() if language is _NEWEST else fusing(language)
    return fuse(left.text, right.text)


@lru_cache
def fusing(language: Language) -> Callable[[str, str], bool]:
    """Whether two tokens' spellings, one straight behind the other, begin with another token than the
    first of them."""

    @lru_cache(maxsize=1 << 14)  # the same few touch again and again
    def fuse(left: str, right: str) -> bool:
        both = left + right
        m = _grammar(language, _is_plain(both)).match(both)
        return m is None or m.end() != len(left)

    return fuse


@cache
def _fusing_newest() -> Callable[[str, str], bool]:
    """Of the language that most ask about: to find one among others takes longer than to answer."""
    return fusing(_NEWEST)


def spellings(text: str) -> list[str]:
    """The tokens of a text that is no file's, as they are spelled."""
    return [token.text for line in tokenize(text, "") for token in line]
