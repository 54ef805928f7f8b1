"""Invocations that differ in names alone, and are expanded once for all of them.

A file that registers three thousand kernels invokes one macro three thousand times, with other names.
The preprocessor never compares two names with each other. It asks of a name whether it is a macro's,
copies it, makes a string of it, or pastes it into a longer name, of which it asks the same. So where
names that are no macros' stand in the place of names that are none, and no paste gives one that is, an
invocation takes the same steps, and comes to the same tokens with the other names in them.

Which of these tokens is made of which names is read off the trace of one such invocation. It says
nothing of what isn't as simple as that: another macro met than then, a built-in macro but
`__COUNTER__`, a name that looked for its parenthesis behind the invocation, a number or a string that
differs, a paste that gives no name. Then the invocation is expanded like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from visualizer.expansion.definitions import VA_ARGS, VA_OPT, Definition
from visualizer.expansion.substitution import stringized
from visualizer.expansion.text_operators import PRAGMA_OPERATOR
from visualizer.expansion.tokens import (
    IDENTIFIER,
    NUMBER,
    Computed,
    Copied,
    Origin,
    Passed,
    Pasted,
    Source,
    Stringized,
    Token,
    first_made,
)
from visualizer.expansion.trace import Expansion, Step, every

COUNTER = "__COUNTER__"  # the only built-in macro that may be among what is replaced
WORTH_IT = 50  # tokens put in by an invocation, from which on the next is looked at
_LONG = 400  # tokens of an invocation that is expanded by itself
_MOST = 100  # different ones that are kept, each with some of a trace
_LONGEST = 1_000  # characters of its names together, and of a token that is made of them
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
# Names that mean something, and those that a string may begin with.
_APART = frozenset(
    {VA_ARGS, VA_OPT, PRAGMA_OPERATOR, "defined", *"LuUR", "u8", "LR", "uR", "UR", "u8R"}
)
_REPLACING = ("function", "object", "painted")

Shape = tuple[object, ...]  # the spellings of an invocation's tokens but names, and the white space
_Parts = tuple[str | int, ...]  # a text of pieces, and of names by their number
_SEEN, _NEVER = "seen", "never"


@dataclass(frozen=True, slots=True)
class Written:
    """An invocation as it was read: its shape, and the names in which another may differ."""

    tokens: Sequence[Token]
    shape: Shape
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Pattern:
    """What invocations of a shape come to: tokens, of which those at some places are `made` of names,
    whose numbers begin with the invocation's own and go on with what `__COUNTER__` gives `counts`
    times. It holds where the macros that were `met` are the same, and no other name is a macro's,
    neither of the `plain` ones nor of those that are `pasted`."""

    like: Sequence[Token]
    made: Sequence[tuple[int, _Parts]]
    pasted: Sequence[_Parts]
    met: dict[str, Definition]
    plain: Collection[str]
    counts: int
    steps: int
    put_in: int
    learnt: Learnt

    def holds(
        self, names: Sequence[str], macros: Mapping[str, Definition], builtins: Mapping[str, object]
    ) -> bool:
        """Whether an invocation with these names, and what `__COUNTER__` will give, comes to this."""
        if not (macros.keys().isdisjoint(self.plain) and builtins.keys().isdisjoint(self.plain)):
            return False
        if any(macros.get(name) is not definition for name, definition in self.met.items()):
            return False
        pasted = (_joined(parts, names) for parts in self.pasted)
        return all(_is_plain(name, macros, builtins) for name in pasted)

    def texts(self, names: Sequence[str]) -> Iterator[tuple[int, str]]:
        """The spellings at the places that are made of these names."""
        return ((at, _joined(parts, names)) for at, parts in self.made)

    def twins(self, written: Written, names: Sequence[str]) -> Callable[[int], Token]:
        """Of an invocation with these names, what gives its tokens, with their origins."""
        learnt = self.learnt
        return lambda place: _Twin.of(learnt.after[place], learnt, written.tokens, names)


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """The trace that a pattern was read off: the tokens `after` its steps, the place in the invocation
    of each that stood there, and what the tokens are made of, by their identity."""

    after: Sequence[Token]
    places: Mapping[Source, int]
    parts: Mapping[int, _Parts]


class _Twin(Token):
    """A token of an invocation like one that was recorded, in the place of a token there. What it comes
    from is made out when it is asked for."""

    __slots__ = ("_learnt", "_like", "_names", "_tokens")

    def __init__(
        self, like: Token, learnt: Learnt, tokens: Sequence[Token], names: Sequence[str]
    ) -> None:
        self.kind, self.space, self.painted = like.kind, like.space, like.painted
        parts = learnt.parts.get(id(first_made(like)))
        self.text = like.text if parts is None else _joined(parts, names)
        self._like, self._learnt, self._tokens, self._names = like, learnt, tokens, names

    @staticmethod
    def of(like: Token, learnt: Learnt, tokens: Sequence[Token], names: Sequence[str]) -> Token:
        if not isinstance(like.origin, Source):
            return _Twin(like, learnt, tokens, names)
        place = learnt.places.get(
            like.origin
        )  # None: in a replacement list, which all have in common
        return like if place is None else tokens[place]

    @property
    def origin(self) -> Origin:  # type: ignore[override]
        def of(like: Token) -> Token:
            return _Twin.of(like, self._learnt, self._tokens, self._names)

        match self._like.origin:
            case Copied() as made:
                return made._replace(by=of(made.by))
            case Passed() as made:
                return made._replace(by=of(made.by), token=of(made.token), made=of(made.made))
            case Pasted() as made:
                return made._replace(by=of(made.by), left=of(made.left), right=of(made.right))
            case Stringized() as made:
                return made._replace(by=of(made.by), tokens=tuple(map(of, made.tokens)))
            case Computed() as made:
                return made._replace(by=of(made.by))
            case Source() as where:
                return where


class Patterns:
    """Those of one file."""

    def __init__(self) -> None:
        self._known: dict[Shape, Pattern | str] = {}
        self._worth: set[str] = set()  # macros that put in much

    def is_worth(self, macro: str) -> bool:
        return macro in self._worth

    def put_in(self, macro: str, tokens: int) -> None:
        """An invocation of a macro put in so many tokens."""
        if tokens >= WORTH_IT:
            self._worth.add(macro)

    def known(self, shape: Shape) -> Pattern | None:
        found = self._known.get(shape)
        return found if isinstance(found, Pattern) else None

    def may_learn(self, shape: Shape) -> bool:
        """Whether it is the second time that an invocation of this shape was expanded."""
        found = self._known.get(shape)
        if found is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[shape] = _SEEN
        return found is _SEEN

    def learn(self, shape: Shape, pattern: Pattern | None) -> None:
        self._known[shape] = pattern or _NEVER


def read(
    name: Token,
    source: Iterator[Token],
    macros: Mapping[str, Definition],
    builtins: Mapping[str, object],
    taken: list[Token],
) -> Written | None:
    """The invocation that begins with this name, up to its `)`. What is read of it is put behind
    `taken`, also where it has none, or is none that others may be like."""
    texts: list[str | None] = [name.text]
    names: list[str] = []
    depth = 0
    for token in source:
        taken.append(token)
        text = token.text
        if type(token) is not Token or len(taken) > _LONG:
            return None
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
        if not depth:
            if text != ")":
                return None
            break
        if token.kind == IDENTIFIER and _is_plain(text, macros, builtins):
            names.append(text)
            texts.append(None)
        else:
            texts.append(text)
    else:
        return None
    if type(name) is not Token or sum(map(len, names)) > _LONGEST:
        return None
    tokens = [name, *taken]
    return Written(tokens, (*texts, *(token.space for token in tokens)), names)


def pattern(
    written: Written,
    like: Sequence[Token],
    recorded: Expansion,
    met: dict[str, Definition],
    macros: Mapping[str, Definition],
    builtins: Mapping[str, object],
) -> Pattern | None:
    """That of an invocation which came to tokens `like` these, read off its trace. None: others of its
    shape may take other steps."""
    steps = list(every(recorded.steps))
    try:
        reader = _Reader(written, macros, builtins)
        counted = reader.counted(steps)
        if recorded.left or len(like) != len(recorded.after):
            return None
        each = [(at, reader.parts(token)) for at, token in enumerate(recorded.after)]
        operations = (operation for step in steps for operation in step.operations)
        made_so = [o.result[0] for o in operations if o.kind in ("paste", "stringize")]
        pasted = [reader.parts(t) for t in made_so if t.kind == IDENTIFIER]
        _ = [reader.parts(t) for t in made_so]
    except _NotAlike:
        return None
    made = [(at, parts) for at, parts in each if _has_names(parts)]
    constant = [
        parts for parts in (*(parts for _, parts in each), *pasted) if not _has_names(parts)
    ]
    plain = {_joined(parts, ()) for parts in constant}
    for definition in met.values():
        plain |= {t.text for t in definition.replacement if t.kind == IDENTIFIER}
    plain -= macros.keys() | builtins.keys()
    put_in = sum(1 + len(step.insert) for step in steps)
    varying = tuple(dict.fromkeys(parts for parts in pasted if _has_names(parts)))
    each_place = {t.origin: n for n, t in enumerate(written.tokens) if isinstance(t.origin, Source)}
    learnt = Learnt(recorded.after, each_place, reader.known)
    found = Pattern(like, made, varying, met, plain, len(counted), len(steps), put_in, learnt)
    names = [*written.names, *counted]
    told = [token.text for token in like]
    for at, text in found.texts(names):
        if told[at] != text:
            return None
    if [token.text for token in recorded.after] != told or not found.holds(names, macros, builtins):
        return None
    return found


class _NotAlike(Exception):
    """Something depends on more than which names are macros'."""


class _Reader:
    """Reads off the tokens of a trace which names they are made of."""

    def __init__(
        self,
        written: Written,
        macros: Mapping[str, Definition],
        builtins: Mapping[str, object],
    ) -> None:
        each = (t for t in written.tokens[1:] if t.kind == IDENTIFIER)
        plain = [t.origin for t in each if _is_plain(t.text, macros, builtins)]
        self._numbers = {at: n for n, at in enumerate(plain) if isinstance(at, Source)}
        if len(self._numbers) != len(written.names):
            raise _NotAlike
        self._counted: dict[int, int] = {}  # by the identity of the name `__COUNTER__`
        self.known: dict[int, _Parts] = {}  # by the identity of a token

    def counted(self, steps: Sequence[Step]) -> list[str]:
        """What `__COUNTER__` gave."""
        given: list[str] = []
        for step in steps:
            if step.kind == "builtin" and step.macro == COUNTER:
                self._counted[id(step.name)] = len(self._numbers) + len(given)
                given.append(step.insert[0].text)
            elif step.kind not in _REPLACING:
                raise _NotAlike
        if len(self._counted) != len(given):
            raise _NotAlike
        return given

    def parts(self, token: Token) -> _Parts:
        known = self.known.get(id(token))
        if known is None:
            known = self.known[id(token)] = self._read(token)
        return known

    def _read(self, token: Token) -> _Parts:
        origin = token.origin
        if len(token.text) > _LONGEST:
            raise _NotAlike
        match origin:
            case Passed():
                return self.parts(origin.made)
            case Source() if origin in self._numbers:
                return (self._numbers[origin],)
            case Pasted():
                parts = (*self.parts(origin.left), *self.parts(origin.right))
                if _has_names(parts) and not _gives_a_name(token, origin):
                    raise _NotAlike
            case Stringized():
                parts = ('"', *self._within(origin.tokens), '"')
            case Computed():
                if (number := self._counted.get(id(origin.by))) is None:
                    raise _NotAlike
                return (number,)
            case _:
                return (token.text,)
        return parts if _has_names(parts) else (token.text,)

    def _within(self, tokens: Sequence[Token]) -> Iterator[str | int]:
        """The parts of a string of tokens."""
        for n, token in enumerate(tokens):
            if n and token.space:
                yield " "
            parts = self.parts(token)
            if not _has_names(parts):
                yield stringized([token])[1:-1]
            elif token.kind in (IDENTIFIER, NUMBER):
                yield from parts
            else:  # a string in a string is spelled in another way
                raise _NotAlike


def _gives_a_name(token: Token, made: Pasted) -> bool:
    is_name = token.kind == IDENTIFIER and _NAME.fullmatch(token.text) is not None
    return is_name and made.left.kind == IDENTIFIER and made.right.kind in (IDENTIFIER, NUMBER)


def _is_plain(text: str, macros: Mapping[str, Definition], builtins: Mapping[str, object]) -> bool:
    """Whether it is a name like any other, that nothing is done to but what is done to others."""
    if text in macros or text in builtins or text in _APART:
        return False
    return type(text) is str and _NAME.fullmatch(text) is not None


def _has_names(parts: _Parts) -> bool:
    return any(type(part) is int for part in parts)


def _joined(parts: _Parts, names: Sequence[str]) -> str:
    return "".join([part if isinstance(part, str) else names[part] for part in parts])
