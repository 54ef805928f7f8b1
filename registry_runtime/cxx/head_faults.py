"""What can be wrong with the head of a declaration, and how its writer will mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from registry_runtime.cxx.head_tokens import HeadTokens
from registry_runtime.cxx.span import Span

Kind = Literal[
    "alone",
    "unended",
    "unclosed",
    "unexpected",
    "idle",
    "conflicts",
    "of members",
    "of objects",
    "in a class",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at `span`: words that stand `alone` where another declaration begins behind them;
    what is `unended` by a `;`; the last of template parameters whose list is `unclosed`; what is
    `unexpected`; a word that is `idle`, as what follows is neither an object nor a function; one that
    `conflicts` with the next of its kind, or is said `of members` only, or only `of objects`; one
    that no compiler takes `in a class`.

    `type` is the name that stands for the type of the declaration, and is at fault itself if it names
    none. To mend it, `cut` is blanked out, and where something ends before `end`, a `;` put in, or the
    `>` of a list."""

    kind: Kind
    span: Span
    type: Span | None = None
    cut: Span | None = None
    end: int = 0


def stray(kind: Kind, span: Span) -> Fault:
    return Fault(kind, span, cut=span)


def unended(t: HeadTokens, at: int, type: Span | None = None) -> Fault:
    """For a `;` that is missing before a token."""
    return Fault("unended", t.span(at - 1, at - 1), type, end=t.starts[at])


def mend_heads(text: str, faults: Sequence[Fault]) -> str:
    """`text`, as long as it was, without what is stray and with the `;` that are missing."""
    characters = list(text)
    for fault in faults:
        if fault.cut is not None:
            for at in range(fault.cut.start, fault.cut.end):
                characters[at] = "\n" if characters[at] == "\n" else " "
        at = fault.end - 1 if fault.cut is None else fault.cut.start
        if fault.end and characters[at].isspace():
            characters[at] = ">" if fault.kind == "unclosed" else ";"
    return "".join(characters)
