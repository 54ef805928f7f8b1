r"""Text between two directives, of which only some lines are read into tokens.

Who wants a trace wants each token. Who wants the text that a compiler reads needs tokens only where
something is replaced, and in most lines nothing is: no macro's name stands in them. Such a line goes
through as it is written, without its comments, as one token of the kind LINE.

So a `Passage` is looked at line by line. First its comments become blanks of the same length, so that
what is left has the places that it had, and no line hides another. Then the words of a line are looked
up in the macro table. There are more words than names in it, those in its strings among them, and that
is no harm: a line is read into tokens once too often, and never too seldom. A line is also read if it
has anything that takes a lexer to understand, as a backslash outside of strings, or that might be
complained of.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from functools import lru_cache

from visualizer.expansion import memory
from visualizer.expansion.definitions import VA_ARGS, VA_OPT
from visualizer.expansion.language import Language
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.text_operators import PRAGMA_OPERATOR
from visualizer.expansion.tokens import LINE, LONGEST, AfterDirective, Source, Token

_LOOK = 1 << 16  # things that hide, between two looks at the memory that is held
_BLANKS = " \t\f\v"
_WORDS = re.compile(r"[A-Za-z_$][A-Za-z_0-9$]*")
_PIECE = re.compile(rf".{{1,{1 << 16}}}[\w$]*+", re.DOTALL)
_SPLICED_COMMENT = re.compile(r"[/*]\\\n")  # a comment's beginning or end, cut in two
_STRING = r'"(?:[^"\\\n]++|\\.)*+"'
_CHARACTER = r"'(?:[^'\\\n]++|\\.)*+'"
_STRING_OR_BLANKS = re.compile(rf"({_STRING}|{_CHARACTER})|[ \t\f\v]{{2,}}|[\t\f\v]")
# What is not plain wherever it stands: the last two are warned of where they don't belong.
_NEVER_PLAIN = frozenset((PRAGMA_OPERATOR, VA_ARGS, VA_OPT))


@lru_cache
def _hiding(language: Language, quotes: bool) -> re.Pattern[str]:
    """What hides the characters in it; what is `odd`, so that its line is read into tokens; and where
    the way is `lost`, since only a lexer knows what hides what there. In a text without `quotes` there
    is less of it. Each begins with one of few characters, which stands before the alternatives: by it
    `re` passes over what is none of them ten times as fast."""
    alone = r"(?<![\w$].)"  # that character begins a word
    prefix = r"(?:(?<=u)8?|(?<=[UL]))"
    end = r'.*?\)(?P=mark)"[A-Za-z_$]?'  # if it has one
    begun = rf'{alone}(?:(?<=R)|{prefix}R)"'
    raw = rf'{begun}(?P<mark>[^()\\\s"]{{0,16}})\((?:{end})?'
    separated = r"(?<=[0-9])(?<![\w$.].)[\w.]*'\w[\w.']*"
    character = rf"{alone}(?:(?<=')|{prefix}'){_CHARACTER[1:]}"
    first = r"/.\\@`\x00-\x08\x0d-\x1f\x7f-\U0010ffff" + ("\"'uULR0-9" if quotes else "")
    return re.compile(
        rf"""[{first}](?:
    (?<=/)(?P<comment> /(?:[^\\\n]++|\\.)*+ | \*.*?\*/ )
  | (?P<odd>     {raw if language.raw_strings else "(?!)(?P<mark>)"}
               | {separated if language.digit_separators else "(?!)"}
               | (?<=\.)(?: \.(?!\.) | \.{{3}} ) | (?<=[^\t-\f\x20-\x7e]) | (?<=[\\@`]) )
  | (?<=\.)\.\.
  | (?P<string>  (?: (?<="){_STRING[1:]} | {character} ) (?P<suffix> [A-Za-z_$\\] )? )
  | (?P<lost>    (?<=/)\* | (?<=["']) | {begun if language.raw_strings else "(?!)"} ) )
    """,
        re.VERBOSE | re.DOTALL | re.ASCII,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """Text of whole lines, the first of which has this number in its file. A passage behind a
    directive begins `after_directive` (see `tokens.AfterDirective`)."""

    text: str
    file: str
    line: int
    after_directive: bool

    # pcpp reads these two off whatever passes through it.
    @property
    def type(self) -> str:
        return LINE

    @property
    def value(self) -> str:
        return ""


def is_blank(text: str, language: Language) -> bool:
    """Whether there is nothing but comments in it."""
    return not _code(text, language, "", 1)[0].strip()


class Reader:
    """Reads what lies between two directives, with the macros that there are when it comes to a line:
    passages, or tokens where a file was read whole."""

    def __init__(
        self,
        text: Iterable[Token | Passage],
        language: Language,
        macros: Set[str],
        others: Iterable[str],
        checked: Callable[[list[Token]], list[Token]],
    ) -> None:
        """A line with the name of one of the `macros`, which may change meanwhile, or one of the
        `others` is read into tokens, and `checked`."""
        self._text = iter(text)
        self._language = language
        self._macros = macros
        self._others = _NEVER_PLAIN.union(others)
        self._checked = checked
        self._tokens: list[Token] = []  # that come before the lines
        self._lines: list[str] = []  # of the passage that is being read, without its comments
        self._at = 0  # the next of them
        self._stops: dict[int, int] = {}  # lines to be read into tokens, and up to where
        self._file, self._line = "", 0
        self._after_directive = False

    def watch(self, names: Iterable[str]) -> None:
        """From here on, a line with one of these is read into tokens too."""
        self._others = self._others.union(names)

    def next_line(self, plain: list[Token]) -> list[Token]:
        """The tokens of the next logical line in which something may be replaced, none where no other
        comes. The lines before it are put behind `plain`."""
        while self._has_more():
            if not self._tokens:
                self._pass_plain_lines(plain)
            if (self._tokens or self._at < len(self._lines)) and (tokens := self.line()):
                return tokens
        return []

    def line(self) -> list[Token]:
        """The tokens of the next logical line, whatever stands in it; or all that were read whole."""
        while self._has_more():
            if self._tokens:
                tokens, self._tokens = self._tokens, []
                return tokens
            first = self._at
            self._at = self._stops.get(first, first + 1)
            text = "\n".join(self._lines[first : self._at])
            lines = tokenize(text, self._file, self._language, self._line + first)
            tokens = [token for line in lines for token in line]
            if tokens:
                return self._checked(self._begun(tokens))
        return []

    def _has_more(self) -> bool:
        while not self._tokens and self._at >= len(self._lines):
            passage = None
            for item in self._text:
                if isinstance(item, Passage):
                    passage = item
                    break
                self._tokens.append(item)
            if passage is not None:
                code, self._stops = _code(passage.text, self._language, passage.file, passage.line)
                self._lines, self._at = code.split("\n"), 0
                self._file, self._line = passage.file, passage.line
                self._after_directive = self._after_directive or passage.after_directive
            elif not self._tokens:
                return False
        return True

    def _pass_plain_lines(self, plain: list[Token]) -> None:
        """Put the lines that nothing happens to behind `plain`, up to the next one that is not so."""
        lines, stops, file, words_of = self._lines, self._stops, self._file, _WORDS.findall
        isnt_macro, isnt_other = self._macros.isdisjoint, self._others.isdisjoint
        for n in range(self._at, len(lines)):
            line = lines[n]
            text = line.strip(_BLANKS)
            where = Source(file, self._line + n, len(line) - len(line.lstrip(_BLANKS)) + 1)
            for piece in [text] if len(text) <= LONGEST else _pieces(text, where):
                words = words_of(piece)
                if n in stops or not (isnt_macro(words) and isnt_other(words)):
                    self._at = n
                    return
            if not text:
                continue
            if "  " in text or not text.isprintable():
                text = _STRING_OR_BLANKS.sub(_one_blank, text)
            plain.append(Token(LINE, text, True, where))
            self._after_directive = False
        self._at = len(lines)

    def _begun(self, tokens: list[Token]) -> list[Token]:
        first = tokens[0]
        if self._after_directive and first.text == "(":
            tokens[0] = AfterDirective(first.kind, first.text, first.space, first.origin)
        self._after_directive = False
        return tokens


def _pieces(line: str, where: Source) -> Iterator[str]:
    """Of a long line, cut between its words, which are too many to be there at once; and names that are
    never plain, where a token in it may be longer than any."""
    if '"' in line or "'" in line:
        yield from _NEVER_PLAIN
    for piece in _PIECE.finditer(line):
        memory.expect_room(where)
        yield from [piece[0]] if len(piece[0]) <= LONGEST else _NEVER_PLAIN


def _one_blank(m: re.Match[str]) -> str:
    return m[1] or " "


class _LostWay(Exception):
    """What hides what is for a lexer to say."""


def _code(text: str, language: Language, file: str, first_line: int) -> tuple[str, dict[int, int]]:
    """The text with blanks for comments, and the lines in it that take a lexer: the first one of those
    that belong together by its number, from 0, with the number behind the last one."""
    odd: list[tuple[int, int]] = []  # from where, up to where
    seen = 0

    def shown(m: re.Match[str]) -> str:
        nonlocal seen
        seen += 1
        if seen % _LOOK == 0:
            memory.expect_room(Source(file, first_line + text.count("\n", 0, m.start()), 1))
        kind, said = m.lastgroup, m.group()
        if kind == "comment":
            return "\n".join([" " * len(line) for line in said.split("\n")])
        if kind == "lost" or (m["mark"] is not None and said[-1] != '"'):
            raise _LostWay  # behind it is nothing to be found; or a raw string has no end, or a suffix
        if kind == "odd" or m["suffix"] or "\n" in said:
            odd.append(m.span())
        return said

    try:
        if _SPLICED_COMMENT.search(text) or (language.trigraphs and "??" in text):
            raise _LostWay
        code = _hiding(language, '"' in text or "'" in text).sub(shown, text)
    except _LostWay:
        return text, {0: text.count("\n") + 1}
    return code, _groups(code, odd) if odd else {}


def _groups(code: str, odd: list[tuple[int, int]]) -> dict[int, int]:
    """The lines that these spans lie in, each with those that a backslash at its end glues on."""
    newlines = [m.start() for m in re.finditer("\n", code)]
    groups: dict[int, int] = {}
    first = end = 0
    for start, stop in odd:
        line = bisect_left(newlines, start)
        if line >= end:
            first = line
        end = max(end, bisect_left(newlines, stop) + 1)
        while end <= len(newlines) and code[newlines[end - 1] - 1] == "\\":
            end += 1
        groups[first] = end
    return groups
