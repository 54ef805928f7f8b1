"""The words of a schema string, and the errors that point into it.

Schemas are read with TorchScript's lexer, which was made for Python. So a schema may hold comments
and line breaks between brackets, an argument can't be called `is` or `def`, and outside of brackets
a line break is a word that means something.

Every error knows the characters that it is about. The schema stands in a string literal of some C++
file, and whoever knows that file can follow them to a token there.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from registry_runtime.aten.errors import TorchError


class Token(NamedTuple):
    """`kind` is PyTorch's name for the kind of token; a single character is its own kind."""

    kind: str
    text: str
    start: int
    end: int


class SchemaError(TorchError):
    """A schema string that PyTorch does not take.

    `message` is PyTorch's sentence; `start` and `end` say which characters of `text`, the schema,
    it is about (all of it where no single word is to blame).
    """

    def __init__(
        self, message: str, text: str, start: int, end: int, *, intro: str = "", hint: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.text = text
        self.start = start
        self.end = end
        self._intro = intro
        if (start, end) != (0, len(text)):
            self.within = start, end

    @property
    def what(self) -> str:
        """The whole of what PyTorch prints: the sentence, then the schema, underlined."""
        if not self._intro:
            return self.message
        return self._intro + highlight(self.text, self.start, self.end)


def report(sentence: str, text: str, at: Token) -> SchemaError:
    """PyTorch's `ErrorReport(at) << sentence`."""
    return SchemaError(sentence, text, at.start, at.end, intro=f"\n{sentence}:\n")


def expected(what: str, text: str, found: Token) -> SchemaError:
    """PyTorch's `Lexer::expected`."""
    sentence = f"expected {what} but found '{found.kind}'"
    return SchemaError(sentence, text, found.start, found.end, intro=f"{sentence} here:\n")


_KEYWORDS = {
    "if": "if",
    "else": "else",
    "elif": "elif",
    "while": "while",
    "return": "return",
    "def": "def",
    "is": "is",
    "True": "True",
    "False": "False",
    "None": "None",
    "and": "and",
    "or": "or",
    "not": "not",
    "global": "global",
    "for": "for",
    "in": "in",
    "raise": "raise",
    "assert": "assert",
    "break": "break",
    "continue": "continue",
    "del": "del",
    "pass": "pass",
    "class": "class",
    "import": "import",
    "with": "with",
    "as": "as",
    "Ellipsis": "Ellipsis",
    "NoneType": "NoneType",
}
_OPERATORS = {
    "<=>": "equivalent",
    "<<=": "<<=",
    ">>=": ">>=",
    "**=": "**=",
    "...": "dots",
    "!=": "ne",
    "==": "eq",
    "<=": "le",
    ">=": "ge",
    "//": "floordiv",
    "<<": "<<",
    ">>": ">>",
    "+=": "+=",
    "-=": "-=",
    "*=": "*=",
    "/=": "/=",
    "%=": "%=",
    "|=": "|=",
    "&=": "&=",
    "^=": "^=",
    "**": "pow operator",
    "->": "arrow",
    "# type:": "type comment",
}
_SPELLED_OUT = "|".join(re.escape(operator) for operator in _OPERATORS)
_WORD = re.compile(
    r"""
    (?P<number> 0[xX][0-9a-fA-F]+j? | (?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?j? )
    | (?P<string_literal>
        '{3}(?:\\.|(?!'{3}).)*'{3} | "{3}(?:\\.|(?!"{3}).)*"{3}
        | '(?!'')(?:\\.|[^'\\\n])*' | "(?!"")(?:\\.|[^"\\\n])*" )
    | (?P<phrase> is\ not|not\ in )
    | (?P<ident> [A-Za-z_][A-Za-z0-9_]* )
    | (?P<operator> """
    + _SPELLED_OUT
    + r""" | [-+*/%@()\[\]:,={}><.?!&^|~] )
    """,
    re.VERBOSE | re.DOTALL,
)
_BLANK = re.compile(r"(?:[ \t\r\f\v]|\#(?!\ type:)[^\n]*|\\\n)*")
_NEWLINES = re.compile(r"\n(?:[ \t\r\f\v]*(?:\#(?!\ type:)[^\n]*)?\n)*[ \t\r\f\v]*")


class Lexer:
    """The tokens of `text`, in order. `current` is the next one; nothing behind it is looked at
    before it is taken, so an earlier error is never hidden by a later one."""

    __slots__ = ("_ahead", "_indents", "_nesting", "_position", "current", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._nesting = 0
        self._ahead: list[Token] = []
        # Whatever the first line is indented by is no indentation.
        blank = _BLANK.match(text)
        assert blank is not None
        breaks = _NEWLINES.match(text, blank.end())
        self._position = (breaks or blank).end()
        self._indents = [self._position - (text.rfind("\n", 0, self._position) + 1)]
        self.current = self._lex()

    def next(self) -> Token:
        """Takes the current token."""
        taken = self.current
        self.current = self._ahead.pop(0) if self._ahead else self._lex()
        return taken

    def next_if(self, kind: str) -> bool:
        """Takes the current token if it is of this kind."""
        if self.current.kind != kind:
            return False
        self.next()
        return True

    def expect(self, kind: str) -> Token:
        """Takes the current token. Raises SchemaError if it is of another kind."""
        if self.current.kind != kind:
            raise expected(kind, self.text, self.current)
        return self.next()

    def lookahead(self) -> Token:
        """The token behind the current one."""
        if not self._ahead:
            self._ahead.insert(0, self._lex())  # a line break may have put dedents there
        return self._ahead[0]

    def _lex(self) -> Token:
        text, before = self.text, self._position
        at = self._skip(before)
        if at < len(text) and text[at] == "\n":
            return self._line_break(at)
        if at >= len(text):
            self._position = len(text)
            return Token("eof", "", len(text), len(text))
        match = _WORD.match(text, at)
        if match is None:
            # PyTorch names the character after the last token here, be it only a blank.
            raise expected("a valid token", text, Token(text[before], "", at, at + 1))
        self._position = match.end()
        word = match.group()
        kind = match.lastgroup or ""
        if kind == "operator":
            kind = _OPERATORS.get(word, word)
            self._nesting += (kind in "([{") - (kind in ")]}")
        elif kind == "ident":
            kind = _KEYWORDS.get(word, kind)
        elif kind == "phrase":
            kind = word
        return Token(kind, word, at, match.end())

    def _skip(self, at: int) -> int:
        while True:
            match = _BLANK.match(self.text, at)
            assert match is not None
            at = match.end()
            if not (self._nesting and at < len(self.text) and self.text[at] == "\n"):
                return at
            at += 1

    def _line_break(self, at: int) -> Token:
        """The token that a line break outside of brackets is, as Python counts indentation."""
        match = _NEWLINES.match(self.text, at)
        assert match is not None
        end = self._position = match.end()
        start = self.text.rfind("\n", 0, end) + 1
        depth = self._indents[0] if end == len(self.text) else end - start
        if depth > self._indents[-1]:
            self._indents.append(depth)
            return Token("indent", "", start, end)
        while self._indents[-1] != depth:
            self._indents.pop()
            dedent = Token("dedent", "", start, end)
            self._ahead.append(dedent)
            if not self._indents:
                raise report(f"invalid indent level {depth}", self.text, dedent)
        return Token("newline", "", start, end)


_CONTEXT = 3


def highlight(text: str, start: int, end: int) -> str:
    """`text` with the characters from `start` to `end` underlined, and up to two lines before it
    (`SourceRange::highlight`)."""
    if end - start == len(text):
        return text
    end = min(end, len(text))
    lines = text[:start].count("\n")
    context = 0
    for _ in range(max(0, lines - _CONTEXT + 1)):
        context = text.index("\n", context) + 1
    shown = text[context:start]
    line_end = start
    if start < end:
        line_start = text.rfind("\n", 0, start) + 1
        line_end = text.find("\n", start)
        line_end = len(text) if line_end < 0 else line_end
        shown += text[start:line_end] + "\n"
        marked = text[start : min(end, line_end)].lstrip(" ")
        if marked:
            shown += f"{'~' * len(marked):>{min(end, line_end) - line_start}} <--- HERE\n"
        line_end += 1
    after = "\n".join(text[line_end:].split("\n")[: _CONTEXT - (start < end)])
    return shown + (f"{after}\n" if after else "")
