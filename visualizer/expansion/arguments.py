"""The arguments of an invocation: reading them, and binding them to parameters (C23 §6.10.5).

Arguments are separated by the commas that stand outside of inner parentheses; brackets and braces
protect nothing, which is why `F(std::map<int, int>{})` has two. The trailing ones of a variadic macro
are one argument, commas and all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from visualizer.expansion.allowance import look
from visualizer.expansion.definitions import Definition
from visualizer.expansion.depth import DEPTH_LIMIT
from visualizer.expansion.language import Language
from visualizer.expansion.tokens import Token
from visualizer.expansion.trace import Argument

_STRUCTURE = frozenset("(),")
_LOOK = 10_000  # arguments between two looks at the memory that is held


@dataclass(slots=True)
class ArgumentList:
    """What stood behind a `(`: all tokens up to and with the `)`, and the arguments, each with its
    distance from the macro's name. `closed` is False where the tokens ended before the `)`."""

    tokens: list[Token]
    arguments: list[tuple[int, list[Token]]]
    closed: bool = False


def read_arguments(
    next_token: Callable[[], Token | None], separates: Callable[[Token], bool] | None
) -> ArgumentList:
    """The arguments behind a `(` that has been read. `separates` may refuse a comma its office."""
    read = ArgumentList([], [])
    current: list[Token] = []
    depth, start = 0, 2  # the name and the ( are 0 and 1
    while (token := next_token()) is not None:
        read.tokens.append(token)
        text = token.text
        if text == "(":
            depth += 1
        elif text == ")":
            if depth == 0:
                read.arguments.append((start, current))
                read.closed = True
                break
            depth -= 1
        elif text == "," and depth == 0 and (separates is None or separates(token)):
            read.arguments.append((start, current))
            current, start = [], 2 + len(read.tokens)
            if len(read.arguments) % _LOOK == 0:
                look()
            continue
        current.append(token)
    return read


def read_from(tokens: Sequence[Token], start: int) -> ArgumentList | None:
    """The arguments behind a `(`, if all of them stand in `tokens` from `start` on; else None."""
    depth, begun = 0, start
    arguments: list[tuple[int, list[Token]]] = []
    for i in range(start, len(tokens)):
        text = tokens[i].text
        if text not in _STRUCTURE:
            continue
        if text == "(":
            depth += 1
        elif text == ")":
            if depth == 0:
                arguments.append((2 + begun - start, [*tokens[begun:i]]))
                return ArgumentList([*tokens[start : i + 1]], arguments, closed=True)
            depth -= 1
        elif depth == 0:
            arguments.append((2 + begun - start, [*tokens[begun:i]]))
            begun = i + 1
    return None


def bind(
    definition: Definition, read: ArgumentList, language: Language
) -> tuple[tuple[Argument, ...] | None, bool]:
    """The parameters' arguments, and whether their number is right.

    Where it is wrong there are none; only Microsoft's preprocessor goes on with too few.
    """
    named, given = definition.parameters or (), read.arguments
    if not named and len(given) == 1 and not given[0][1] and not definition.variadic:
        return (), True
    if definition.variadic is None and len(given) == len(named):
        return tuple(Argument(p, t, s) for p, (s, t) in zip(named, given, strict=True)), True
    if definition.variadic is not None and len(given) >= len(named):
        arguments = [Argument(p, t, s) for p, (s, t) in zip(named, given, strict=False)]
        start = given[len(named)][0] if len(given) > len(named) else 1 + len(read.tokens)
        rest = Argument(definition.variadic, read.tokens[start - 2 : -1], start)
        # GNU's comma goes away for an argument that is not there, even `F()` of `F(...)`, where the
        # standard sees one that is empty.
        alone = not named and not language.strict
        rest.omitted = not rest.raw and (alone or len(given) == len(named))
        return (*arguments, rest), True
    if language.msvc_traditional and len(given) < len(named):
        end = 1 + len(read.tokens)
        bound = [Argument(p, t, s) for p, (s, t) in zip(named, given, strict=False)]
        missing = definition.all_parameters[len(given) :]
        return (*bound, *(Argument(p, [], end, omitted=True) for p in missing)), False
    return None, False


def nests_too_deep(tokens: Sequence[Token], macros: Mapping[str, Definition]) -> bool:
    """Whether invocations stand inside invocations beyond the limit: to be known before each of
    them has read all of those inside it."""
    if len(tokens) <= DEPTH_LIMIT:
        return False
    depth, invoked = 0, [False]
    for before, token in pairwise(tokens):
        if token.text == "(":
            definition = macros.get(before.text)
            invoked.append(definition is not None and definition.parameters is not None)
            depth += invoked[-1]
            if depth > DEPTH_LIMIT:
                return True
        elif token.text == ")" and len(invoked) > 1:
            depth -= invoked.pop()
    return False
