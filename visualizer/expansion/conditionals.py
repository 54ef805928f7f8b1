"""Which lines count: the `#if`s that are open, and what closes and continues them (C23 §6.10.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from visualizer.expansion.tokens import Token, spell, spelled_at
from visualizer.expansion.trace import Branch

if TYPE_CHECKING:
    from visualizer.expansion.definitions import Definition
    from visualizer.expansion.preprocessor import Preprocessor
    from visualizer.expansion.subexpressions import Subexpression

CONDITIONALS = frozenset(("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"))
LATER = frozenset(("elifdef", "elifndef"))  # than the rest: of C23 and C++23


@dataclass(slots=True)
class Conditional:
    """An open `#if`: whether a group was taken, and whether what is around it is taken at all."""

    opened_by: Token
    outer: bool
    taken: bool
    seen_else: bool = False


def lines_count(
    stack: list[Conditional],
    name: Token,
    enabled: bool,
    holds: Callable[[], bool],
    report: Callable[[str, Token], None],
) -> bool:
    """Whether the lines after this `#if`, `#elif`, `#else` or `#endif` count. `enabled` says whether
    those before it did; `holds` is asked only where the condition decides."""
    if name.text in ("if", "ifdef", "ifndef"):
        taken = enabled and holds()
        stack.append(Conditional(name, enabled, taken))
        return taken
    if not stack:
        report(f"#{name.text} without #if", name)
        return enabled
    top = stack[-1]
    if name.text == "endif":
        return stack.pop().outer
    if top.seen_else:
        report(f"#{name.text} after #else", name)
        return False
    if name.text == "else":
        top.seen_else = True
        taken = top.outer and not top.taken
    else:
        taken = top.outer and not top.taken and holds()
    top.taken = top.taken or taken
    return taken


def decide(
    p: Preprocessor,
    stack: list[Conditional],
    line: list[Token],
    enabled: bool,
    asked_whether: Callable[[], bool],
) -> Branch:
    """As `lines_count`, with the reasons, for a reader. `asked_whether` says whether the condition
    holds."""
    name, rest = line[1], line[2:]
    parts: list[Subexpression] | None = None
    definition: Definition | None = None

    def holds() -> bool:
        nonlocal parts, definition
        parts = _parts(p, name, rest)
        if name.text.endswith("def") and rest:
            definition = p.macros.get(rest[0].text)
        return asked_whether()

    depth = len(stack) - (name.text not in ("if", "ifdef", "ifndef"))
    counts = lines_count(stack, name, enabled, holds, p.error)
    text = f"#{name.text} {spell(rest)}".rstrip()
    asked = parts is not None or (name.text == "else" and counts)
    values = tuple(parts or ())
    return Branch(spelled_at(name), text, max(0, depth), counts, asked, values, definition)


def _parts(p: Preprocessor, name: Token, tokens: list[Token]) -> list[Subexpression]:
    """The values of a condition's subexpressions; looking at them changes nothing."""
    if name.text not in ("if", "elif"):
        return []
    from visualizer.expansion.subexpressions import subexpressions

    counter, reported = p.counter, len(p.diagnostics)
    whole = p.condition.value(tokens)
    counts = p.counter != counter  # by `__COUNTER__`: a part by itself would have another value
    p.counter = counter
    parts = [(spell(tokens), whole)] if counts else subexpressions(tokens, p.condition.value)
    del p.diagnostics[reported:]
    return parts
