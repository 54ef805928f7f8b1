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

from visualizer.expansion import InputError, Options, Token, Trace
from visualizer.expansion.preprocessor import expand_alone
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import IDENTIFIER, PRAGMA, PUNCTUATOR

_OPERAND_ENDS = (")", "]", ">")
_PAIRS = {"(": ")", "{": "}", "[": "]"}


def missing_declarations(trace: Trace, options: Options) -> list[Token]:
    """Declarations of functions that the file uses by address, from the headers that it includes."""
    wanted = _addressed(trace.output) - _declared(trace.output)
    if not wanted or not trace.included:
        return []
    called = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(wanted)))})\s*\(")
    found: list[Token] = []
    seen: set[str] = set()
    for path in trace.included:
        try:
            text = read_source(path, True, options.unsaved)
        except InputError:
            continue
        if not any(name in text for name in wanted) or not called.search(text):
            continue
        for declaration in _declarations(expand_alone(path, text, trace, options), wanted):
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
    tokens = [t for t in tokens if t.kind != PRAGMA]
    around: list[list[Token]] = []  # of each open namespace, what opened it
    i = 0
    while i < len(tokens):
        if tokens[i].text == "}":
            if around:
                around.pop()
            i += 1
            continue
        start, i = i, end_of_head(tokens, i)
        if i >= len(tokens):
            return
        head = tokens[start:i]
        opens = tokens[i].text == "{"
        if opens and opens_namespace(head):
            around.append([*head, tokens[i]])
            i += 1
            continue
        if opens:
            i = closing(tokens, i)
        end = tokens[min(i, len(tokens) - 1)]
        i += 1
        if _declared(head) & wanted:
            yield [
                *(t for opening in around for t in opening),
                *head,
                Token(PUNCTUATOR, ";", False, end.origin),
                *(Token(PUNCTUATOR, "}", True, end.origin) for _ in around),
            ]


def opens_namespace(head: list[Token]) -> bool:
    """Whether `{` behind these tokens opens a namespace, or a block of one language."""
    texts = [t.text for t in head]
    return "namespace" in texts[:2] or (texts[:1] == ["extern"] and len(texts) == 2)


def end_of_head(tokens: Sequence[Token], i: int) -> int:
    """Where a declaration's `;` or `{` stands."""
    while i < len(tokens) and tokens[i].text not in (";", "{", "}"):
        i = closing(tokens, i) + 1 if tokens[i].text in ("(", "[") else i + 1
    return i


def closing(tokens: Sequence[Token], i: int) -> int:
    """The partner of the bracket at `i`."""
    opening, closing = tokens[i].text, _PAIRS[tokens[i].text]
    depth = 0
    while i < len(tokens):
        depth += (tokens[i].text == opening) - (tokens[i].text == closing)
        if not depth:
            return i
        i += 1
    return i
