"""Operators among the text: `_Pragma("…")`, and what a compiler answers, `__has_builtin(X)`.

Each reads its operand behind its name, as a macro does its arguments, and becomes something that no
replacement list says: a directive's token, a number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from visualizer.expansion.arguments import read_arguments
from visualizer.expansion.contexts import Line
from visualizer.expansion.diagnostics import at_token
from visualizer.expansion.tokens import NUMBER, PRAGMA, STRING, Computed, Token

if TYPE_CHECKING:
    from visualizer.expansion.expander import Expander

PRAGMA_OPERATOR = "_Pragma"


@dataclass(frozen=True, slots=True)
class TextOperator:
    """A built-in macro that takes an operand in parentheses, as `__has_attribute(noreturn)`: `answer`
    makes a number of its name and its operand, and reports what is wrong with them; None of one that is
    for `#if` alone. Conditions answer theirs before they expand what is left."""

    answer: Callable[[Token, list[Token]], str] | None


def pragma(expander: Expander, line: Line, name: Token, last: bool) -> None:
    """`_Pragma("…")` becomes the directive that its string spells (C23 §6.10.11)."""
    read: list[Token] = []
    operands: list[Token] = []
    for wanted in ("(", STRING, ")"):
        operand = line.reach()
        if operand is None:
            line.expect_end(last)
        elif wanted == STRING and expander.is_macro(operand):
            line.give_back(operand)
            behind = read_arguments(line.reach, None)
            if not behind.closed:
                line.expect_end(last)
            operands = expander.expanded_apart(behind.tokens[:-1])
            read += behind.tokens
            if behind.closed and [t.kind for t in operands] == [STRING]:
                break
        elif wanted in (operand.text, operand.kind):
            operands = [operand] if wanted == STRING else operands
            read.append(operand)
            continue
        message = "_Pragma takes a parenthesized string literal"
        expander.report(at_token("error", message, operand or name))
        if operand is not None and operand not in read:
            line.give_back(operand)
        line.done += [name, *read]
        return
    quoted = operands[0].text.removeprefix("L")
    text = quoted[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    made = [Token(PRAGMA, f"#pragma {expander.pragma_text(text)}", True, Computed(name))]
    if text.strip() == "once":
        made = []  # done with, as gcc and clang have it
    expander.step(line, "builtin", name, None, 1 + len(read), made, frame=line.frame())
    line.done += made


def ask(expander: Expander, line: Line, name: Token, operator: TextOperator, last: bool) -> None:
    """`__has_builtin(X)` and its like become the number that the compiler answers with."""
    if operator.answer is None:
        said = f'"{name.text}" used outside of preprocessing directive'
        expander.report(at_token("error", said, name, "ask it in #if or #elif"))
        line.done.append(name)
        return
    opening = line.reach()
    if opening is None:
        line.expect_end(last)
    if opening is None or opening.text != "(":
        expander.report(at_token("error", f"missing '(' after \"{name.text}\"", name))
        if opening is not None:
            line.give_back(opening)
        line.done.append(name)
        return
    read = read_arguments(line.reach, None)
    if not read.closed:
        line.expect_end(last)
        expander.report(at_token("error", f"missing ')' after \"{name.text}\"", name))
        line.done += [name, opening, *read.tokens]
        return
    frame = line.frame()
    operand = expander.expanded_apart(read.tokens[:-1])
    made = Token(NUMBER, operator.answer(name, operand), name.space, Computed(name))
    expander.step(line, "builtin", name, None, 2 + len(read.tokens), [made], frame=frame)
    line.done.append(made)
