"""The expanded tokens written out as C++ text, and the way back from its characters.

The runtime reads that text and knows nothing of macros: what it finds, it finds at a span of the text.
A span leads to the tokens that stand there, a token to its place in the trace's output, and that place
to the invocation which it came from. Nothing else links the two sides.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import chain, repeat

from registry_runtime.cxx import Span
from visualizer.expansion import Token, Trace
from visualizer.expansion.lexer import would_fuse
from visualizer.expansion.tokens import IDENTIFIER, PRAGMA, PUNCTUATOR, UNTERMINATED, Source


class ExpandedText:
    """A translation unit after phase 4. `declared` are declarations from included headers, which
    stand in front of it."""

    def __init__(self, trace: Trace, declared: Sequence[Token] = ()) -> None:
        self.trace = trace
        self.text, self.tokens, self._starts = _written_out(chain(declared, trace.output))
        kept = (i for i, t in enumerate(trace.output) if t.kind != PRAGMA)
        self._places = array("I", chain(repeat(0, len(declared)), kept))
        self._declared = len(declared)
        self.bounds = [(e.at, e.at + len(e.after)) for e in trace.expansions]

    def covered(self, span: Span) -> range:
        """Indices of the tokens that lie in a span of the text."""
        first = max(0, bisect_right(self._starts, span.start) - 1)
        return range(first, max(first + 1, bisect_left(self._starts, span.end)))

    def covering(self, span: Span) -> tuple[Token, ...]:
        """Those tokens themselves."""
        return tuple(self.tokens[i] for i in self.covered(span))

    def span_of(self, index: int) -> Span:
        """Where one of the tokens stands in the text."""
        start = self._starts[index]
        return Span(start, start + len(self.tokens[index].text))

    def end_of(self, span: Span) -> int:
        """The place in the trace's output behind the last token of a span."""
        return self._places[self.covered(span)[-1]] + 1

    def place_of(self, span: Span) -> tuple[int, Token]:
        """The token at which a span of the text begins, and its place in the trace's output."""
        if not self.tokens:
            return -1, Token("other", "", False, Source(self.trace.file, 1, 1))
        index = self.covered(span)[0]
        return self._places[index], self.tokens[index]

    def spanned_by(self, expansion: int) -> Span:
        """Where what an invocation became stands in the text."""
        first, end = (
            bisect_left(self._places, at, self._declared) for at in self.bounds[expansion]
        )
        return Span(self._starts[first], self.span_of(end - 1).end)

    def expansion_of(self, at: int) -> int | None:
        """The invocation that the token at this place of the output came from."""
        index = bisect_right(self.bounds, (at, len(self.trace.output))) - 1
        inside = index >= 0 and self.bounds[index][0] <= at < self.bounds[index][1]
        return index if inside else None

    def columns_before(self, span: Span) -> int:
        """How many characters of a string stand before the span, if the user wrote them there."""
        token = self.place_of(span)[1]
        if not token.text.startswith('"') or not isinstance(token.origin, Source):
            return 0
        return max(span.start - self._starts[self.covered(span)[0]], 0)


_APART = {(IDENTIFIER, PUNCTUATOR), (PUNCTUATOR, IDENTIFIER)}  # which never make another token


def _written_out(tokens: Iterable[Token]) -> tuple[str, list[Token], array[int]]:
    """Tokens as text, with as little white space as C++ needs: the text, those of the tokens that
    stand in it, and where each begins."""
    parts: list[str] = []
    kept: list[Token] = []
    starts = array("I")  # a list would take more memory than the text
    offset = 0
    before: Token | None = None
    for token in tokens:
        kind = token.kind
        if kind == PRAGMA:
            continue
        if before is not None and (
            token.space or ((before.kind, kind) not in _APART and would_fuse(before, token))
        ):
            parts.append(" ")
            offset += 1
        text = _closed(token.text) if kind == UNTERMINATED else token.text
        starts.append(offset)
        parts.append(text)
        offset += len(text)
        kept.append(token)
        before = token
    return "".join(parts), kept, starts


def _closed(unterminated: str) -> str:
    """A string that nobody closed, already reported, read as the user most likely meant it."""
    if unterminated.startswith("/*"):
        return " "
    return '""' + ";" * unterminated.rstrip().endswith(";")
