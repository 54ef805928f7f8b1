"""An invocation that directives interrupt.

The arguments of an invocation may lie on many lines, and a line among them may be a directive. The
standard leaves that undefined (C23 §6.10.5 paragraph 11); gcc and clang read on behind the directive.
Text is expanded up to each directive, so there the invocation has no `)` yet: its tokens wait for the
text behind. If the directive was a `#define`, the definition that it made outlives nothing of what was
read before: each token is looked at with the definitions that held when it was read.

A pragma there does what it says at once, and gcc prints it before what the invocation becomes; clang
refuses it.

So the changes are written down, with the number of tokens that stood before each. To expand the
invocation, they are undone, and made again one by one as its tokens are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from visualizer.expansion.definitions import Definition
from visualizer.expansion.tokens import PRAGMA, PUNCTUATOR, Token


class MacroChange(NamedTuple):
    """What a directive made of a name while an invocation's arguments were being read."""

    at: int  # how many tokens of the invocation stood before it
    name: str
    before: Definition | None
    after: Definition | None


@dataclass(slots=True)
class Interrupted:
    """The tokens of an invocation that has no end so far, none if there is none, and what directives
    did among them, in order."""

    tokens: list[Token] = field(default_factory=list)
    changes: list[MacroChange] = field(default_factory=list)


def put(macros: dict[str, Definition], name: str, definition: Definition | None) -> None:
    """Give a name this definition, or none."""
    if definition is None:
        macros.pop(name, None)
    else:
        macros[name] = definition


def make(macros: dict[str, Definition], changes: Iterable[MacroChange]) -> None:
    for change in changes:
        put(macros, change.name, change.after)


def undo(macros: dict[str, Definition], changes: Sequence[MacroChange]) -> None:
    for change in reversed(changes):
        put(macros, change.name, change.before)


def as_read(
    macros: dict[str, Definition],
    tokens: list[Token],
    start: int,
    changes: list[MacroChange],
    more: Callable[[], list[Token]],
    pragmas: list[tuple[int, Token]],
) -> Iterator[Token]:
    """The tokens from there on, each with the definitions that held when it was read. What `more` there
    is to read is put behind them as it is reached for. The `pragmas` inside parentheses are left out,
    and put there with the number of tokens that come before each."""
    done = depth = 0
    for i in count(start):
        if i == len(tokens):
            tokens += more()
            if i == len(tokens):
                return
        due = [change for change in changes[done:] if change.at <= i]
        make(macros, due)
        done += len(due)
        token = tokens[i]
        if token.kind == PRAGMA and depth > 0:
            pragmas.append((i - start - len(pragmas), token))
            continue
        if token.kind == PUNCTUATOR:
            depth += (token.text == "(") - (token.text == ")")
        yield token
