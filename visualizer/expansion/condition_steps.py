"""A directive's line as steps: `#if defined(A) && B(2)` down to `#if 1`.

A condition is an expression that only the preprocessor reads, and what becomes of it is in no output.
So its steps are kept apart from those of the text: `defined X` is answered, macros are replaced as
anywhere, a name that is left then counts as 0, and one operator after the other is applied, but not
to what `&&`, `||` and `?:` make needless. In `#include`, `#embed` and `#line`, only macros are
replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from visualizer.expansion import under_way
from visualizer.expansion.arithmetic import Applied, Value, evaluate, is_name
from visualizer.expansion.tokens import IDENTIFIER, NUMBER, Computed, Token, spell
from visualizer.expansion.trace import Expansion, Operation, Step, StepKind, replay


def expansion_of(line: list[Token], steps: list[Step]) -> Expansion:
    """Of a directive's line, from its `#` on, by steps that count from behind its name."""
    after = [*line[:2], *replay(line[2:], steps)]
    for step in steps:
        step.at += 2
    return Expansion(line, steps, after, directive=line[1].text)


def answered(at: int, asked: Sequence[Token], answer: Token) -> Step:
    """`defined X`, `__has_include(…)` and their like become a number."""
    return _step("answered", at, asked, asked[0], answer)


def computed(
    tokens: Sequence[Token], spellings: Sequence[str], cxx: bool, directive: str, steps: list[Step]
) -> Value:
    """The value of a condition whose macros are replaced, of tokens with these `spellings`, which
    may have bytes that are not UTF-8; what leads to it is put behind `steps`. Raises Trouble where it
    has none."""
    line = list(tokens)
    for at, token in enumerate(tokens):
        if token.kind == IDENTIFIER and is_name(token.text, cxx):
            worth = "1" if cxx and token.text == "true" else "0"
            line[at] = _number(worth, token, token)
            steps.append(_step("unknown", at, [token], token, line[at]))
    applied: list[Applied] = []
    value = evaluate(spellings, cxx, directive, applied)
    waited_for = under_way.current()
    starts = list(range(len(line)))  # where each that is on the line now began
    for one in [*applied, Applied(0, len(tokens), 0, value)]:
        waited_for.step(0)
        first, last = bisect_left(starts, one.start), bisect_left(starts, one.stop)
        if last == first + 1 and line[first].kind == NUMBER:
            continue  # a single number is its own value
        made = _number(_spelled(one.value), tokens[one.at], line[first])
        if spell(line[first:last]) == made.text:
            continue  # so is -1
        step = _step("computed", first, line[first:last], tokens[one.at], made)
        step.operations[0].operands += ("needless",) * one.needless + ("mixed",) * one.mixed
        steps.append(step)
        line[first:last], starts[first:last] = [made], [one.start]
    return value


def _step(kind: StepKind, at: int, took: Sequence[Token], name: Token, made: Token) -> Step:
    operation = Operation("compute", 0, None, (spell(took),), (made,))
    return Step(kind, name, None, at, len(took), [made], operations=(operation,))


def _number(text: str, of: Token, first: Token) -> Token:
    return Token(NUMBER, text, first.space, Computed(of))


def _spelled(value: Value) -> str:
    return f"{value.number()}{'u' * value.unsigned}"
