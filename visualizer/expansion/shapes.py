"""What kind of macro is this? Shapes that a reader of macros knows at sight.

Most macros are one of a few: one that only hands its arguments on to another; one that *peels* the
first argument off a list and hands the rest on, as a loop would; one that *counts* its arguments by
letting them push a falling row of numbers along. They are known here by what their replacement list
looks like and by what was recorded of one invocation, never by their names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from visualizer.expansion.definitions import PASTE, VA_OPT, Definition
from visualizer.expansion.tokens import IDENTIFIER, Copied, Passed, Pasted, Stringized, Token
from visualizer.expansion.trace import Argument, Step

Range = tuple[int, int]  # places in a replacement list, from and up to


@dataclass(frozen=True, slots=True)
class Call:
    """`callee(piece, piece…)` in a replacement list. The callee is a name, or pieces of one beside
    `##`, or a call itself, as in `CAT(F, N)(x)`; or nothing, for a list in parentheses."""

    callee: Range
    pieces: tuple[Range, ...]
    end: int  # behind the )

    @property
    def start(self) -> int:
        return self.callee[0]

    @property
    def is_call(self) -> bool:
        return self.callee[0] < self.callee[1]


@dataclass(frozen=True, slots=True)
class HandingOn:
    """The whole replacement list is one call, perhaps inside another as in `EXPAND(F(x))`.

    `handed` are the parameters that are a piece by themselves. The other pieces are `built` around
    parameters that are handed on in no other way, or `added`. `packed` says that they are all in
    parentheses of their own, and so one argument.
    """

    call: Call
    inside: Call | None
    packed: bool
    handed: tuple[str, ...]
    built: tuple[tuple[tuple[str, ...], Range], ...]
    added: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Peeling:
    """The last named parameter is used up, and the variable arguments are handed on to `call`."""

    taken: str
    user: Call | None  # the call that the taken argument goes to
    call: Call


@lru_cache(maxsize=1024)
def calls(definition: Definition) -> tuple[Call, ...]:
    """All calls, and lists in parentheses, in a replacement list; inner ones before outer ones."""
    body = definition.replacement
    found: list[Call] = []
    opened: list[tuple[int, list[Range], int]] = []  # place of the (, pieces so far, piece's start
    for i, token in enumerate(body):
        if token.text == "(":
            opened.append((i, [], i + 1))
        elif token.text == "," and opened:
            at, pieces, start = opened.pop()
            opened.append((at, [*pieces, (start, i)], i + 1))
        elif token.text == ")" and opened:
            at, pieces, start = opened.pop()
            if pieces or start < i:
                pieces.append((start, i))
            found.append(Call((_callee(definition, at, found), at), tuple(pieces), i + 1))
    return tuple(found)


def _callee(definition: Definition, opening: int, found: list[Call]) -> int:
    """Where what stands before a `(` and is called begins: at the `(` itself if nothing is."""
    body = definition.replacement
    if opening == 0:
        return opening
    if body[opening - 1].text == ")":
        return next((c.start for c in reversed(found) if c.end == opening), opening)
    first = opening - 1
    if body[first].kind != IDENTIFIER or body[first].text == VA_OPT:
        return opening
    while first >= 2 and body[first - 1].text in PASTE:
        first -= 2
    return first


def handing_on(definition: Definition) -> HandingOn | None:
    """The call that a macro's whole replacement is, if it passes on at least one parameter."""
    stop = len(definition.replacement)
    while stop and definition.replacement[stop - 1].text == ";":
        stop -= 1
    every = calls(definition)
    spans = {(c.start, c.end): c for c in every}  # CAT(F, N)(x) comes after CAT(F, N), and wins
    call = spans.get((0, stop))
    inside = None
    if call is None or not call.is_call:
        return None
    pieces, packed = call.pieces, False
    if len(pieces) == 1 and pieces[0] in spans:
        inner = spans[pieces[0]]
        pieces, packed = inner.pieces, not inner.is_call
        inside, call = (call, inner) if inner.is_call else (None, call)
    alone = [_only(definition, piece) for piece in pieces]
    handed = tuple(p for p in alone if p is not None)
    others = [
        (_parameters_in(definition, piece) - {*handed}, piece)
        for piece, p in zip(pieces, alone, strict=True)
        if p is None
    ]
    built = tuple(
        (tuple(sorted(names, key=definition.all_parameters.index)), piece)
        for names, piece in others
        if names
    )
    added = tuple(piece for names, piece in others if not names)
    return HandingOn(call, inside, packed, handed, built, added) if handed else None


def peeling(definition: Definition) -> Peeling | None:
    """How a macro of `first, ...` takes one off the list and hands on what is left."""
    if definition.variadic is None or not definition.parameters:
        return None
    taken = definition.parameters[-1]
    body = definition.replacement
    every = [c for c in calls(definition) if c.is_call]
    direct = [(c, {_only(definition, piece) for piece in c.pieces}) for c in every]
    if any({taken, definition.variadic} <= pieces for _, pieces in direct):
        return None  # the list goes on whole somewhere
    for call, pieces in direct:
        if definition.variadic not in pieces:
            continue
        within = range(call.start, call.end)
        places = [i for i, token in enumerate(body) if token.text == taken]
        if not places or any(i in within for i in places):
            continue
        users = [c for c in every if any(c.callee[1] < i < c.end for i in places)]
        outside = [c for c in users if not (c.start <= call.start and call.end <= c.end)]
        if users and not outside and not {*definition.parameters} - {taken} <= pieces:
            continue  # the first and the rest are arguments of one call, and not of a loop
        return Peeling(taken, outside[0] if outside else None, call)
    return None


def counted(step: Step) -> int | None:
    """How many arguments stand before a row of numbers that falls by one, if the macro picks the
    number which says so: in `PICK(_1, _2, _3, N, ...) N` called with `a, b, 3, 2, 1, 0`, two."""
    picked = picked_parameter(step)
    if picked is None or step.definition is None or step.definition.variadic is None:
        return None
    given = [a.raw for a in step.arguments if a.parameter != step.definition.variadic]
    given += split_at_commas(step.arguments[-1].raw)
    place = step.definition.all_parameters.index(picked)
    number = _number(given[place]) if place < len(given) else None
    if number is None or number > place:
        return None
    falling = 0
    while number + falling < len(given) and _number(given[number + falling]) == place - falling:
        falling += 1
    reaches_the_pick = number + falling > place
    return number if falling >= 3 and reaches_the_pick else None


def picked_parameter(step: Step) -> str | None:
    """The parameter that is all of the replacement list, if there are others."""
    if step.definition is None or len(step.definition.replacement) != 1:
        return None
    name = step.definition.replacement[0].text
    several = len(step.definition.all_parameters) > 1
    return name if several and name in step.definition.parameter_set else None


def made_at(step: Step, places: Range) -> list[Token]:
    """What a step put in for these places of the replacement list."""
    start, stop = places
    return [
        token
        for token in step.insert
        if isinstance(token.origin, Copied | Passed | Pasted | Stringized)
        and start <= token.origin.place < stop
    ]


def how_many(argument: Argument) -> int:
    """Arguments in an argument: the variable ones are bound as one, commas and all."""
    return len(split_at_commas(argument.raw))


def split_at_commas(tokens: list[Token]) -> list[list[Token]]:
    """The pieces of a list between its top-level commas; none of an empty list."""
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if token.text == "," and depth == 0:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return pieces if tokens else []


def _only(definition: Definition, piece: Range) -> str | None:
    """The parameter that is all of a piece."""
    start, stop = piece
    if stop == start + 2 and definition.replacement[start].text in PASTE:
        start += 1  # GNU's `, ## __VA_ARGS__`
    name = definition.replacement[start].text if stop == start + 1 else ""
    return name if name in definition.parameter_set else None


def _parameters_in(definition: Definition, piece: Range) -> set[str]:
    return {t.text for t in definition.replacement[slice(*piece)]} & definition.parameter_set


def _number(tokens: list[Token]) -> int | None:
    return int(tokens[0].text) if len(tokens) == 1 and tokens[0].text.isdecimal() else None
