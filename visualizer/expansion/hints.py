"""Where a classic mistake is made: said beside the step that makes it.

Nothing here is an error; each is what a colleague would point at. So a hint is given only where the
trace shows that the reader is surprised for sure: a macro's name inside a paste that makes no macro,
a comma that really is left over, an operator that really does tear an expression apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from visualizer.expansion.moments import Moment, Timeline
from visualizer.expansion.shapes import split_at_commas
from visualizer.expansion.tokens import (
    CHARACTER,
    IDENTIFIER,
    NUMBER,
    Copied,
    Passed,
    Pasted,
    Source,
    Token,
    first_made,
    spell,
)
from visualizer.expansion.trace import Step, Trace
from visualizer.expansion.wording import short
from visualizer.messages import _

_PRECEDENCE = {"*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "==": 6, "!=": 6}
_PRECEDENCE |= {"&": 5, "^": 4, "|": 3, "&&": 2, "||": 1}
_SELECTS = (".", "->", "::")  # before a member's name
_OPERANDS = (IDENTIFIER, NUMBER, CHARACTER)


@dataclass(frozen=True, slots=True)
class Hint:
    """What to say at a moment, by its index."""

    moment: int
    text: str


def hints(trace: Trace, timeline: Timeline) -> list[Hint]:
    """The hints of one of a trace's expansions, in the order of its moments."""
    found = [
        Hint(k, text)
        for k, moment in enumerate(timeline.moments)
        if not moment.meeting
        for rule in _RULES
        for text in dict.fromkeys(rule(trace, moment))
    ]
    found += _left_alone(timeline)
    found += _commas_left(timeline)
    found += _torn_replacements(trace, timeline)
    return sorted(found, key=lambda hint: hint.moment)


# ---------------------------------------------------------------------- of one step


def _pasted_names(trace: Trace, moment: Moment) -> Iterator[str]:
    step = moment.step
    if _of_a_list(step):
        return
    stringized = {o.parameter for o in step.operations if o.kind == "stringize"}
    pasted = [(o.result[0], o.result[0].origin) for o in step.operations if o.pastes()]
    operands = [
        (parent, _parameter(parent.origin), result)
        for result, origin in pasted
        if isinstance(origin, Pasted)
        for parent in (origin.left, origin.right)
        if isinstance(parent.origin, Passed) and _names_macro(trace, parent)
    ]
    meant = {of for _, of, result in operands if _exists(result, trace)} | stringized
    for parent, of, _result in operands:
        if of not in meant:
            yield (
                _(
                    "{text} is a macro, but ## takes it as it is written; {macro} needs one more "
                    "level of macro"
                ).format(text=parent.text, macro=step.macro)
            )


def _parameter(passed: Passed) -> str:
    return passed.definition.replacement[passed.place].text


def _exists(pasted: Token, trace: Trace) -> bool:
    """Whether a name that ## makes is there already: then the operand was meant as it is written."""
    if pasted.text in trace.definitions:
        return True
    return any(t.text == pasted.text and isinstance(t.origin, Source) for t in trace.output)


def _of_a_list(step: Step) -> bool:
    """Whether a list of names had the macro done for each, as `LIST(X)` does, or one that calls X line
    by line: its items are meant as they are written."""
    match step.name.origin:
        case Passed():
            return True
        case Copied(definition=definition):
            return sum(t.text == step.macro for t in definition.replacement) > 1
    return False


def _stringized_names(trace: Trace, moment: Moment) -> Iterator[str]:
    step = moment.step
    if _of_a_list(step):
        return
    expanded = {o.parameter for o in step.operations if o.kind == "substitute"}
    for operation in step.operations:
        if operation.kind != "stringize" or operation.parameter in expanded:
            continue
        raw = next((a.raw for a in step.arguments if a.parameter == operation.parameter), [])
        if len(raw) == 1 and _names_macro(trace, raw[0]):
            yield (
                _(
                    "{text} is a macro, but # takes it as it is written; {macro} needs one more "
                    "level of macro"
                ).format(text=raw[0].text, macro=step.macro)
            )


def _names_macro(trace: Trace, token: Token) -> bool:
    """Whether a token would have been replaced if it had been expanded by itself."""
    definition = trace.definitions.get(token.text)
    return definition is not None and definition.parameters is None and not token.painted


def _painted(trace: Trace, moment: Moment) -> Iterator[str]:
    step = moment.step
    if step.kind != "painted" or _is_meant(step):
        return
    around = step.inside.names() if step.inside else []
    way = around[around.index(step.macro) :] if step.macro in around else [step.macro]
    if len(way) == 1:
        yield _(
            "{macro} is in its own replacement list: a macro never expands inside itself"
        ).format(macro=step.macro)
    else:
        route = " → ".join([*way, step.macro])
        yield _("{route} is a circle: a macro never expands inside itself").format(route=route)


def _is_meant(step: Step) -> bool:
    """Whether a macro has its own name in its replacement on purpose: `#define stdin stdin` says that
    there is one, and `#define sa_handler inner.sa_handler` names a member."""
    origin = first_made(step.name).origin
    if not isinstance(origin, Copied) or origin.definition.name != step.macro:
        return False
    body, place = origin.definition.replacement, origin.place
    return len(body) == 1 or (place > 0 and body[place - 1].text in _SELECTS)


def _packed_arguments(trace: Trace, moment: Moment) -> Iterator[str]:
    """Only Microsoft's traditional preprocessor puts commas into an argument that is not variadic."""
    step = moment.step
    if step.definition is None or len(step.definition.all_parameters) < 2:
        return
    for argument in step.arguments:
        many = len(split_at_commas(argument.raw))
        if many > 1 and argument.parameter != step.definition.variadic:
            yield (
                _(
                    "{parameter} got {many} arguments as one: this preprocessor splits __VA_ARGS__ "
                    "only when it is scanned again; put the call of {macro} into EXPAND(…), with "
                    "#define EXPAND(x) x"
                ).format(parameter=argument.parameter, many=many, macro=step.macro)
            )


def _torn_arguments(trace: Trace, moment: Moment) -> Iterator[str]:
    """`#define SQR(x) x * x` given `a + b`."""
    step = moment.step
    places = {id(token): i for i, token in enumerate(step.insert)}
    for operation in step.operations:
        if operation.kind != "substitute" or id(operation.result[0]) not in places:
            continue
        start = places[id(operation.result[0])]
        stop = start + len(operation.result)
        if step.insert[start:stop] != list(operation.result):
            continue  # one of its ends was pasted
        beside = _tearing(step.insert, start, stop)
        if beside is not None:
            yield (
                _(
                    "{beside} binds tighter than what is in {result}: write ({parameter}) in the "
                    "definition of {macro}"
                ).format(
                    beside=beside,
                    result=short(operation.result),
                    parameter=operation.parameter,
                    macro=step.macro,
                )
            )


_RULES: tuple[Callable[[Trace, Moment], Iterator[str]], ...] = (
    _pasted_names,
    _stringized_names,
    _painted,
    _packed_arguments,
    _torn_arguments,
)


# ---------------------------------------------------------------------- of the whole line


def _left_alone(timeline: Timeline) -> Iterator[Hint]:
    """Function-like macros whose names are still there at the end."""
    after = timeline.expansion.after
    members = {id(token) for before, token in pairwise(after) if before.text in _SELECTS}
    standing = {id(token) for token in after} - members
    for token in timeline.expansion.left:
        if id(token) in standing and len(timeline):
            text = _(
                "{text} is a function-like macro, but no ( follows it: it stays a name"
            ).format(text=token.text)
            yield Hint(max(0, timeline.born(token) - 1), text)


def _commas_left(timeline: Timeline) -> Iterator[Hint]:
    """`f(x, __VA_ARGS__)` without variable arguments."""
    replaced = {id(m.step.name): k for k, m in enumerate(timeline.moments) if not m.meeting}
    after = timeline.expansion.after
    for comma, closing in pairwise(after):
        if comma.text != "," or closing.text != ")":
            continue
        origin = comma.origin
        while isinstance(origin, Passed):
            origin = origin.token.origin
        if not isinstance(origin, Copied) or id(origin.by) not in replaced:
            continue
        body, variadic = origin.definition.replacement, origin.definition.variadic
        behind = body[origin.place + 1].text if origin.place + 1 < len(body) else ""
        if variadic is not None and behind == variadic:
            yield Hint(
                replaced[id(origin.by)],
                _(
                    "{variadic} is empty and leaves a comma before the ): write __VA_OPT__(,) "
                    "{variadic} instead of , {variadic}"
                ).format(variadic=variadic),
            )


def _torn_replacements(trace: Trace, timeline: Timeline) -> Iterator[Hint]:
    """`#define SIZE n + 1` in `2 * SIZE`."""
    expansion = timeline.expansion
    start, stop = expansion.at, expansion.at + len(expansion.after)
    before, behind = trace.output[max(0, start - 2) : start], trace.output[stop : stop + 1]
    if expansion.directive:  # the whole line
        before, behind = [], []
    for k, moment in enumerate(timeline.moments):
        if moment.step.kind != "object" or not _is_expression(moment.insert):
            continue
        line = [*before, *timeline.state(k + 1), *behind]
        at = len(before) + moment.at
        beside = _tearing(line, at, at + len(moment.insert))
        if beside is not None:
            yield Hint(
                k,
                _(
                    "{beside} binds tighter than what is in {result}: put the replacement list of "
                    "{macro} in parentheses"
                ).format(beside=beside, result=spell(moment.insert), macro=moment.step.macro),
            )


def _tearing(line: list[Token], start: int, stop: int) -> str | None:
    """The operator beside an expression that takes an operand out of it."""
    inside = line[start:stop]
    if not _is_expression(inside):
        return None
    weakest = min(_PRECEDENCE[t.text] for t in inside[1::2])
    if start >= 2 and (line[start - 2].kind in _OPERANDS or line[start - 2].text == ")"):
        left = line[start - 1].text
        if _PRECEDENCE.get(left, 0) > weakest or (
            left in ("-", "/", "%", "<<", ">>") and _PRECEDENCE[left] == weakest
        ):
            return left
    if stop < len(line) and _PRECEDENCE.get(line[stop].text, 0) > weakest:
        return line[stop].text
    return None


def _is_expression(tokens: list[Token]) -> bool:
    """Names and numbers with operators between them, and nothing else."""
    return (
        len(tokens) >= 3
        and len(tokens) % 2 == 1
        and all(t.kind in _OPERANDS for t in tokens[::2])
        and all(t.text in _PRECEDENCE for t in tokens[1::2])
    )
