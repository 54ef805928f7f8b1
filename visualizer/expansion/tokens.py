"""Preprocessing tokens, and where each one comes from.

The preprocessor does not work on characters, it works on *preprocessing tokens* (C23 §6.4): names,
numbers, strings, punctuators. A macro never edits text; it takes tokens out of a sequence and puts
others in. So if each token remembers who put it there, any token on the screen can be followed back,
hop by hop, until the hops end at characters of a source file.

There are five ways for a token to come into being, besides standing in a source file: it was copied
from a macro's replacement list (`Copied`), it is an argument's token put where a parameter stood
(`Passed`), it was made by `##` (`Pasted`), by `#` (`Stringized`), or by the preprocessor itself
(`Computed`, as for `__LINE__`). Each of these names the invocation that did it, `by`: the macro-name
token that was replaced. Following `by` gives the chain "in expansion of macro …".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from visualizer.expansion.definitions import Definition
    from visualizer.expansion.trace import Postponed

IDENTIFIER = "identifier"
NUMBER = "number"
CHARACTER = "character"
STRING = "string"
PUNCTUATOR = "punctuator"
PRAGMA = "pragma"  # a whole `#pragma` line, carried through to the output as one token
LINE = "line"  # a whole line of text in which nothing is replaced, carried through to the output as one
UNTERMINATED = "unterminated"  # a quote without its partner, up to the end of the line
OTHER = "other"
PLACEMARKER = (
    "placemarker"  # stands for an empty argument beside ## (C23 §6.10.5.4); never in a result
)
LONGEST = 1 << 20  # characters of a token; `#` and `##` would double one for ever
UNIVERSAL = re.compile(r"\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}")  # character names (C23 §6.4.3)


class Source(NamedTuple):
    """Characters of a file. Lines and columns count from 1, columns in characters of that line."""

    file: str
    line: int
    column: int


class Copied(NamedTuple):
    """Copied from `definition.replacement[place]`."""

    definition: Definition
    place: int
    by: Token


class Passed(NamedTuple):
    """An argument's `token`, put where the parameter at `definition.replacement[place]` stood. `made`
    is what that token was before it was handed on for the first time: an argument may be handed on a
    thousand times, and nobody should have to walk back through all of them."""

    definition: Definition
    place: int
    by: Token
    token: Token
    made: Token


class Pasted(NamedTuple):
    """Made of two tokens by the `##` at `definition.replacement[place]`."""

    definition: Definition
    place: int
    by: Token
    left: Token
    right: Token


class Stringized(NamedTuple):
    """The spelling of an argument's `tokens`, made by the `#` at `definition.replacement[place]`."""

    definition: Definition
    place: int
    by: Token
    tokens: tuple[Token, ...]


class Computed(NamedTuple):
    """What a built-in macro such as `__LINE__` stood for."""

    by: Token


Origin: TypeAlias = Source | Copied | Passed | Pasted | Stringized | Computed


@dataclass(slots=True, eq=False, repr=False)
class Token:
    """One preprocessing token. Treat it as immutable; two tokens are equal only if they are the same.

    `space` says that white space, a comment or a new line stands before it (False, True, or what
    `spacing` makes of it). `painted` says that it is the name of a macro which was being replaced when
    it was found, so that it is never available for replacement again (C23 §6.10.5.5).
    """

    kind: str
    text: str
    space: int
    origin: Origin
    painted: bool = False

    def __repr__(self) -> str:  # origins lead to tokens that lead to origins: name the place only
        return f"<{self.text!r} of {':'.join(map(str, spelled_at(self)))}>"

    # pcpp reads these four off every token that passes through it.
    @property
    def type(self) -> str:
        return {IDENTIFIER: "CPP_ID", STRING: "CPP_STRING"}.get(self.kind, self.kind)

    @property
    def value(self) -> str:
        return self.text

    @property
    def lineno(self) -> int:
        return spelled_at(self).line

    @property
    def source(self) -> str:
        return spelled_at(self).file


class Respaced(Token):
    """One that stands elsewhere too, with its `own` white space: that is another here."""

    __slots__ = ("own",)

    def __init__(self, token: Token, space: int) -> None:
        super().__init__(token.kind, token.text, space, token.origin, token.painted)
        self.own: int = token.own if isinstance(token, Respaced) else token.space


class AfterDirective(Token):
    """The first token of the text behind a directive. A `(` here opens no argument list for a name
    before the directive: gcc and clang look no further than the directive."""

    __slots__ = ()


class Unrecorded(Token):
    """A token that an expansion came to whose steps were `postponed`. Where it comes from is found out
    with these: it has a twin there, at the same `place` of what the invocation came to."""

    __slots__ = ("place", "postponed")

    def __init__(self, like: Token, postponed: Postponed, place: int) -> None:
        self.kind, self.text, self.space, self.painted = (
            like.kind,
            like.text,
            like.space,
            like.painted,
        )
        self.postponed, self.place = postponed, place

    def twin(self) -> Token:
        return self.postponed.expansion().after[self.place]

    @property
    def origin(self) -> Origin:  # type: ignore[override]
        return self.postponed.origin_of(self.place)


class Name(str):
    r"""A name that is spelled with universal character names: `caf\u00e9`. It is shown as it is
    spelled, and equal to the name that it is, `café`, in whichever table that is looked up."""

    __slots__ = ("characters",)
    characters: str

    def __new__(cls, spelled: str) -> Name:
        name = super().__new__(cls, spelled)
        name.characters = UNIVERSAL.sub(lambda m: chr(int(m.group()[2:], 16)), spelled)
        return name

    def __eq__(self, other: object) -> bool:
        return self.characters == (other.characters if isinstance(other, Name) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.characters)


class SharpOfText(Token):
    """A `#` that begins a line of assembler and is no directive: a comment there, or an operand."""

    __slots__ = ()

    @property
    def value(self) -> str:  # pcpp takes it for no directive
        return ""


def spelled_at(token: Token) -> Source:
    """The source characters where this token's own spelling stands, or its first parent's does."""
    origin = token.origin
    while not isinstance(origin, Source):
        match origin:
            case Copied(definition, place):
                origin = definition.replacement[place].origin
            case Passed():
                origin = origin.made.origin
            case Pasted():
                origin = origin.left.origin
            case Stringized(definition, place):
                tokens = origin.tokens
                origin = tokens[0].origin if tokens else definition.replacement[place].origin
            case Computed():
                origin = origin.by.origin
    return origin


def invocations_of(token: Token) -> list[Token]:
    """The macro names whose replacement led to this token, innermost first."""
    chain = []
    while not isinstance(token.origin, Source):
        token = token.origin.by
        chain.append(token)
    return chain


def standing_at(token: Token) -> Source:
    """Where the reader sees the cause of this token: its outermost invocation, or the token itself."""
    if type(token) is Token and type(token.origin) is Source:  # most are as they were written
        return token.origin
    if isinstance(token, Unrecorded):
        return spelled_at(token.postponed.name)
    chain = invocations_of(token)
    return spelled_at(chain[-1] if chain else token)


def first_made(token: Token) -> Token:
    """The token that this one is, before it was handed on as an argument, however often."""
    origin = token.origin
    if isinstance(origin, Passed):
        return origin.made
    return token.twin() if type(token) is Unrecorded else token  # of each token that is passed on


def written_at(token: Token) -> Source:
    """Where to point: at the characters that the user wrote if this token is made of them, else at
    the invocation that it came from. A macro's replacement list is not where to look first."""
    origin = token.origin
    if isinstance(origin, Passed):
        origin = origin.made.origin
    match origin:
        case Source():
            return origin
        case Pasted():
            parents = [written_at(origin.right), written_at(origin.left)]
            return max(parents, key=lambda at: at != standing_at(token))
        case Stringized() if origin.tokens:
            return written_at(origin.tokens[0])
        case _:
            return standing_at(token)


def spell(tokens: Sequence[Token]) -> str:
    """Tokens as text on one line, white space collapsed to single blanks."""
    return "".join((" " if t.space else "") + t.text for t in tokens).strip()
