"""What stands at namespace scope in a list of tokens: functions, classes, variables, one after another.

Nothing is parsed. A declaration ends at its `;`, a definition at the `}` that closes it, and a
namespace, or `extern "C" {`, is gone into. That is enough to pick some of a header's declarations and
to leave the rest: each can be written `alone`, in the namespaces that it came from.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from visualizer.expansion import InputError, Options, Token, Trace
from visualizer.expansion.preprocessor import expand_alone
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import PRAGMA, PUNCTUATOR

_PAIRS = {"(": ")", "{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Item:
    """`head` stands before `;` or `{`; `body` goes from `{` to `}`, empty where there is none."""

    namespaces: Sequence[Sequence[Token]]  # what opened each
    head: list[Token]
    body: Sequence[Token]
    end: Token
    is_closed: bool

    def alone(self, body: Sequence[Token] = ()) -> list[Token]:
        """Its head, with this body, in its namespaces."""
        return [
            *(token for opening in self.namespaces for token in opening),
            *self.head,
            *body,
            Token(PUNCTUATOR, ";", False, self.end.origin),
            *(Token(PUNCTUATOR, "}", True, self.end.origin) for _ in self.namespaces),
        ]


def items(tokens: Sequence[Token]) -> Iterator[Item]:
    """Every declaration at namespace scope, in order; what the last token cuts short isn't closed."""
    tokens = [t for t in tokens if t.kind != PRAGMA]
    namespaces: list[list[Token]] = []
    i = 0
    while i < len(tokens):
        if tokens[i].text == "}":
            if namespaces:
                namespaces.pop()
            i += 1
            continue
        start, i = i, _end_of_head(tokens, i)
        if i >= len(tokens):
            return
        head, opened, opens = tokens[start:i], i, tokens[i].text == "{"
        if opens and _opens_namespace(head):
            namespaces.append([*head, tokens[i]])
            i += 1
            continue
        if opens:
            i = _closing(tokens, i)
        body = tokens[opened : i + 1] if opens else []
        end = tokens[min(i, len(tokens) - 1)]
        if head:  # an empty declaration, [dcl.pre], declares nothing
            yield Item(tuple(namespaces), head, body, end, i < len(tokens))
        i += 1


def headers_with(
    trace: Trace, options: Options, names: Collection[str], pattern: re.Pattern[str]
) -> Iterator[list[Token]]:
    """The included headers whose text has one of the names, and the pattern: each expanded alone."""
    for path, text in header_texts(trace, options):
        # The names first: a pattern takes longer.
        if any(name in text for name in names) and pattern.search(text):
            yield expand_alone(path, text, trace, options)


def header_texts(trace: Trace, options: Options) -> Iterator[tuple[str, str]]:
    """The headers that a file includes, as they are written."""
    for path in trace.included:
        try:
            yield path, read_source(path, True, options.unsaved)
        except InputError:
            continue


def _opens_namespace(head: list[Token]) -> bool:
    """Whether `{` behind these tokens opens a namespace, or a block of one language."""
    texts = [t.text for t in head]
    return "namespace" in texts[:2] or (texts[:1] == ["extern"] and len(texts) == 2)


def _end_of_head(tokens: Sequence[Token], i: int) -> int:
    """Where a declaration's `;` or `{` stands."""
    while i < len(tokens) and tokens[i].text not in (";", "{", "}"):
        i = _closing(tokens, i) + 1 if tokens[i].text in ("(", "[") else i + 1
    return i


def _closing(tokens: Sequence[Token], i: int) -> int:
    """The partner of the bracket at `i`."""
    opening, closing = tokens[i].text, _PAIRS[tokens[i].text]
    depth = 0
    while i < len(tokens):
        depth += (tokens[i].text == opening) - (tokens[i].text == closing)
        if not depth:
            return i
        i += 1
    return i
