"""What the expansions did with a name of the source: each time that they met it, and what for.

A token that is an argument goes many ways: it is expanded by itself in the prescan, copied to several
places and met again there, spelled out by `#`, pasted by `##`, or dropped. All of these tokens lead
back, by their origins, to the characters of the one name that is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from visualizer.expansion.tokens import Pasted, Source, Stringized, Token, first_made
from visualizer.expansion.trace import Argument, Expansion, Operation, Step, every


@dataclass(slots=True)
class Fate:
    """All that became of one name. `whole` is the expansion that starts with it."""

    whole: Expansion | None = None
    steps: list[Step] = field(default_factory=list)  # it was replaced, painted or refused
    operations: list[tuple[Operation, Step]] = field(default_factory=list)  # by # and ##
    arguments: list[tuple[Argument, Step]] = field(default_factory=list)  # that have it
    refused: Step | None = None  # the invocation with it that has the wrong number of arguments
    left: bool = False  # met, and no parenthesis followed
    inside: Expansion | None = None  # it was used up by


def fate_of(where: Source, expansions: Iterable[Expansion]) -> Fate:
    """What became of the name whose characters stand there."""
    fate = Fate()
    for expansion in expansions:
        if not expansion.stands_on(where.line):
            continue
        if any(token.origin == where for token in expansion.before):
            fate.inside = expansion
            fate.whole = expansion if expansion.before[0].origin == where else None
            for step in every(expansion.steps):
                _met(fate, where, step)
            taken = _refused(expansion.before, expansion.steps, where)
            fate.refused = next(taken, fate.refused)
            fate.left = any(_is(token, where) for token in _left(expansion))
    return fate


def _met(fate: Fate, where: Source, step: Step) -> None:
    if _is(step.name, where):
        fate.steps.append(step)
    for operation in step.operations:
        if any(_is(token, where) for token in _operands(operation)):
            fate.operations.append((operation, step))
    for argument in step.arguments:
        if any(_is(token, where) for token in argument.raw):
            fate.arguments.append((argument, step))


def _refused(before: Sequence[Token], steps: Sequence[Step], where: Source) -> Iterator[Step]:
    """The refused invocations of these steps that took that name away with their arguments."""
    now = list(before)
    for step in steps:
        taken = now[step.at : step.at + step.remove]
        if step.kind == "refused" and any(_is(token, where) for token in taken[1:]):
            yield step
        for argument in step.arguments:
            if argument.prescan is not None:
                yield from _refused(argument.raw, argument.prescan.steps, where)
        now[step.at : step.at + step.remove] = step.insert


def _is(token: Token, where: Source) -> bool:
    return first_made(token).origin == where


def _operands(operation: Operation) -> Iterator[Token]:
    for token in operation.result:
        match token.origin:
            case Stringized(tokens=tokens):
                yield from tokens
            case Pasted(left=left, right=right):
                yield from (left, right)


def _left(expansion: Expansion) -> Iterator[Token]:
    yield from expansion.left
    for step in every(expansion.steps):
        for argument in step.arguments:
            if argument.prescan is not None:
                yield from argument.prescan.left
