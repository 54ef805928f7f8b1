"""Expanded C++ as tokens, each bracket with its partner: what the heads of declarations are read from.

Of names, template arguments and classes only where they end is looked for. What can't be followed that
far, as an expression may stand anywhere between `<` and `>`, raises `LostError`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from registry_runtime.cxx.span import Span


class LostError(Exception):
    """It can't be told what stands here."""


_WORD = re.compile(r"[A-Za-z_]\w*")
_ITS_OWN = re.compile(r"__|_[A-Z]")
_WITH_ARGUMENTS = frozenset(
    (
        *(
            "__attribute__",
            "__attribute",
            "__declspec",
            "__asm__",
            "__asm",
            "__align__",
            "_Alignas",
        ),
        *("__launch_bounds__", "__cluster_dims__", "__pragma", "_Pragma"),
    )
)
_TOKEN = re.compile(
    r"""
      \s+ | //[^\n]* | /\*.*?\*/
    | (?P<token>
          (?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"
        | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*" | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)*'
        | \.?\d(?:[eEpP][-+]|'\w|[\w.])* | [A-Za-z_]\w* | :: | -> | \.\.\. | && | .
      )
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENING = {")": "(", "]": "[", "}": "{"}
_BRACKETS = frozenset("()[]{}")


class HeadTokens(NamedTuple):
    """The tokens of a text, where they begin, and for the number of a bracket that of its partner.
    Behind the last there are as many empty ones as one likes."""

    texts: Sequence[str]
    starts: Sequence[int]
    partners: Mapping[int, int]

    def __call__(self, at: int) -> str:
        return self.texts[at] if at < len(self.texts) else ""

    def span(self, first: int, last: int) -> Span:
        """Where these tokens stand."""
        return Span(self.starts[first], self.starts[last] + len(self.texts[last]))

    def is_word(self, at: int) -> bool:
        """Whether it is a name or a keyword."""
        return _WORD.fullmatch(self(at)) is not None

    def is_name(self, at: int) -> bool:
        """Whether it may name something."""
        return self.is_word(at) and self(at) not in RESERVED

    def is_the_compilers(self, at: int) -> bool:
        """Whether it is one of the names that the implementation keeps for itself."""
        return self.is_word(at) and _ITS_OWN.match(self(at)) is not None

    def is_extension(self, at: int) -> bool:
        """Whether it is such a name and, behind a type, none that is declared: `__restrict`."""
        if self(at + 1) == "(":
            return self(at) in _WITH_ARGUMENTS
        goes_on = self.is_name(at + 1) or self(at + 1) in ("*", "&", "&&", "::", "operator")
        return self.is_the_compilers(at) and goes_on

    def is_value(self, at: int) -> bool:
        """Whether it is a number, a character or a string."""
        return self(at)[:1].isdigit() or self(at)[-1:] in ('"', "'")

    def is_attribute(self, at: int) -> bool:
        """Whether a `[[` begins here."""
        return self(at) == "[" and self(at + 1) == "["

    def behind(self, at: int) -> int:
        """What follows the group that a bracket opens."""
        partner = self.partners.get(at, at)
        if partner <= at:
            raise LostError
        return partner + 1

    def behind_word(self, at: int) -> int:
        """What follows a word, and the group behind it if there is one: `noexcept(…)`."""
        return self.behind(at + 1) if self(at + 1) == "(" else at + 1

    def behind_angles(self, at: int) -> int:
        """What follows the `<…>` that begins here."""
        depth = 0
        while self(at) not in ("", ";", "}", ")", "]"):
            if self(at) in ("(", "[", "{"):
                at = self.behind(at)
                continue
            depth += (self(at) == "<") - (self(at) == ">")
            at += 1
            if depth == 0:
                return at
        raise LostError

    def behind_name(self, at: int) -> int:
        """What follows `::a::b<…>::c`; in `a::operator=` and `a::~a` that word and that mark are its
        last, and in `a::*` the `::` is."""
        at += self(at) == "::"
        while True:
            at += self(at) == "template"
            if self(at) in ("~", "operator"):
                return at + 1
            if not self.is_name(at):
                raise LostError
            at += 1
            if self(at) == "<":
                at = self.behind_angles(at)
            if self(at) != "::":
                return at
            at += 1
            if self(at) == "*":
                return at

    def behind_operator(self, at: int) -> int:
        """What follows `operator+`, or `operator()`."""
        if self(at + 1) == "(" and self(at + 2) == ")":
            return at + 3
        while self(at) not in ("(", ";", "{", ""):
            at += 1
        return at

    def behind_key(self, at: int) -> int:
        """What follows `struct`, or `enum class`."""
        return at + 1 + (self(at) == "enum" and self(at + 1) in ("class", "struct"))

    def behind_class(self, at: int) -> int:
        """What follows a class or an enumeration, with its body if it has one."""
        at = self.behind_key(at)
        while self(at) == "alignas" or self(at) in _WITH_ARGUMENTS or self.is_attribute(at):
            at = self.behind(at) if self(at) == "[" else self.behind_word(at)
        if self(at) == "::" or self.is_name(at):
            at = self.behind_name(at)
        elif self(at) not in ("{", ":"):
            raise LostError
        if self(at) == "final" and self(at + 1) in ("{", ":"):
            at += 1
        if self(at) == ":":
            while self(at) not in ("{", ";", ""):
                at = self.behind(at) if self(at) in ("(", "[") else at + 1
        return self.behind(at) if self(at) == "{" else at


def head_tokens(text: str) -> HeadTokens:
    """The tokens of a text."""
    found = [match for match in _TOKEN.finditer(text) if match.lastgroup]
    texts = [match["token"] for match in found]
    partners: dict[int, int] = {}
    opened: list[int] = []
    for number, token in enumerate(texts):
        if token not in _BRACKETS:
            continue
        if token not in _OPENING:
            opened.append(number)
            continue
        # What a `}` closes, it closes with all the brackets inside that nobody closed.
        while token == "}" and opened and texts[opened[-1]] != "{":
            opened.pop()
        if opened and texts[opened[-1]] == _OPENING[token]:
            partner = opened.pop()
            partners[partner], partners[number] = number, partner
    return HeadTokens(texts, [match.start() for match in found], partners)


# --- Words ----------------------------------------------------------------------------------------

CONFLICTING = frozenset(("static", "extern", "typedef"))
SPECIFYING = CONFLICTING | frozenset(
    (
        *("inline", "const", "volatile", "constexpr", "consteval", "constinit", "thread_local"),
        *("register", "mutable", "virtual", "explicit", "friend"),
    )
)
TYPES_IN_PARTS = frozenset(("signed", "unsigned", "short", "long", "int", "char", "double"))
TYPES = TYPES_IN_PARTS | frozenset(
    ("void", "bool", "float", "auto", "wchar_t", "char8_t", "char16_t", "char32_t")
)
CLASS_KEYS = frozenset(("struct", "class", "union", "enum"))
BEGINNING = frozenset(("template", "using", "namespace", "static_assert"))
IN_BODIES = frozenset(
    (
        *("return", "if", "else", "for", "while", "do", "switch", "case", "default", "break"),
        *("continue", "goto", "throw", "try", "catch", "new", "delete", "sizeof", "this"),
        *("true", "false", "nullptr", "const_cast", "dynamic_cast", "reinterpret_cast"),
        *("static_cast", "typeid", "noexcept", "alignof"),
    )
)
RESERVED = frozenset(
    (
        *(*SPECIFYING, *TYPES, *CLASS_KEYS, *BEGINNING, *IN_BODIES),
        *("alignas", "asm", "concept", "decltype", "export", "operator", "requires", "typename"),
    )
)
