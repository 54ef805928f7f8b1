"""Declarations that stand in included headers, found when somebody needs them.

A registration names a function: `&phi::FullKernel<float, phi::CPUContext>`. To know the kernel's
arguments the runtime must see the template's declaration, and that may stand in a header whose text
was skipped. So: which functions does the file take the address of, without declaring them? Which
headers have such a name in their text? Only those few are expanded, each alone, with the macros as
they are at the end of the file; and of their tokens only the declarations that were asked for are
kept, each in its namespaces. They are tokens like all others: a message about one points into the
header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from visualizer.expansion import Options, Token, Trace
from visualizer.expansion.tokens import IDENTIFIER, PUNCTUATOR
from visualizer.workbench.namespace_scope import headers_with, items

_OPERAND_ENDS = (")", "]", ">")


def missing_declarations(trace: Trace, options: Options) -> list[Token]:
    """Declarations of functions that the file uses by address, from the headers that it includes."""
    wanted = _addressed(trace.output) - _declared(trace.output)
    if not wanted or not trace.included:
        return []
    called = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(wanted)))})\s*\(")
    found: list[Token] = []
    seen: set[str] = set()
    for tokens in headers_with(trace, options, wanted, called):
        for declaration in _declarations(tokens, wanted):
            spelled = " ".join(t.text for t in declaration)
            if spelled not in seen:
                seen.add(spelled)
                found += declaration
    return found


def _addressed(tokens: Sequence[Token]) -> set[str]:
    """Last names of what stands behind a unary `&`: `FullKernel` of `&phi::FullKernel<float>`."""
    names = set()
    for i, token in enumerate(tokens):
        if token.text != "&" or not i or i + 1 == len(tokens):
            continue
        before = tokens[i - 1]
        if before.kind != PUNCTUATOR or before.text in _OPERAND_ENDS:
            continue  # `a & b`, or a reference
        last, at = "", i + 1
        while at < len(tokens) and (tokens[at].text == "::" or tokens[at].kind == IDENTIFIER):
            last = tokens[at].text
            at += 1
        if last and last != "::":
            names.add(last)
    return names


def _declared(tokens: Sequence[Token]) -> set[str]:
    """Names that are declared as functions here: a type before the name, a parenthesis behind it."""
    return {
        token.text
        for before, token, behind in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if token.kind == IDENTIFIER
        and behind.text == "("
        and (before.kind == IDENTIFIER or before.text in ("*", "&", ">"))
        and before.text != "return"
    }


def _declarations(tokens: Sequence[Token], wanted: set[str]) -> Iterator[list[Token]]:
    """The declarations of these functions at namespace scope, bodies left out, in their namespaces."""
    for item in items(tokens):
        if _declared(item.head) & wanted:
            yield item.alone()
