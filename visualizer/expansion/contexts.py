"""A line that is being expanded, and the stack of contexts that its tokens are read from.

The lowest context is what was given, behind it the source; each macro that is replaced puts its
filled-in replacement list on top. When the last token of a context has been read, the context goes, and
its macro's name may be replaced again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from visualizer.expansion.arguments import ArgumentList, read_from
from visualizer.expansion.definitions import Definition
from visualizer.expansion.spacing import behind
from visualizer.expansion.tokens import Respaced, Token
from visualizer.expansion.trace import Frame, Step


class NeedMore(Exception):
    """The tokens ended inside an invocation: what follows a directive may complete it."""


@dataclass(slots=True)
class Context:
    tokens: list[Token]
    definition: Definition | None = None
    frame: Frame | None = None
    space: int | None = None  # what vanished at its end leaves for the token behind it
    next: int = 0
    begun: int | None = None  # where the macro's name stood that was met here last
    steps: int = 0  # that had been taken by then


@dataclass(slots=True)
class Line:
    """The tokens that are final, and the contexts still to be read.

    `source` is what lies behind the invocation in the file; its tokens are taken only when a macro
    reaches for them, and only one that reaches for them without its parenthesis gives one back.
    """

    contexts: list[Context]
    in_use: set[str]  # the names of macros that are being replaced, in lines around this one too
    source: Iterator[Token] | None = None
    taken: list[Token] = field(default_factory=list)  # from the source, in order
    returned: list[Token] = field(default_factory=list)  # a source token that was looked at only
    done: list[Token] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    space: int | None = None  # what vanished left for the next token
    left: list[Token] = field(default_factory=list)  # function-like names without parenthesis
    waiting: Token | None = None  # MSVC: a macro's name in `done` that may yet find its parenthesis

    def next(self) -> Token | None:
        """The next token of the contexts, or None at their end."""
        contexts = self.contexts
        while contexts:
            context = contexts[-1]
            if context.next < len(context.tokens):
                token = context.tokens[context.next]
                context.next += 1
                if self.space is not None:
                    space = behind(self.space, token.space)
                    self.space = None
                    if space != token.space:
                        token = Respaced(token, space)
                return token
            if context.definition is not None:
                self.in_use.discard(context.definition.name)
            if context.space is not None:
                self.space = behind(self.space, context.space)
            contexts.pop()
        return None

    def reach(self) -> Token | None:
        """The next token, out of the source where the contexts have none."""
        token = self.next()
        if token is not None:
            return token
        if self.returned:
            token = self.returned.pop()
        else:
            token = next(self.source, None) if self.source is not None else None
            if token is not None:
                self.taken.append(token)
        if token is not None:
            self.space = None
        return token

    def give_back(self, token: Token) -> None:
        if not self.contexts and self.taken and self.taken[-1] is token:
            self.returned.append(token)
        else:
            self.contexts.append(Context([token]))

    def expect_end(self, last: bool) -> None:
        """Raises NeedMore unless this is the `last` of the file: nothing that follows in it can
        complete what ended too soon."""
        if self.source is not None and not last:
            raise NeedMore

    def frame(self) -> Frame | None:
        """The replacement that is being read."""
        return next((c.frame for c in reversed(self.contexts) if c.frame is not None), None)

    def read_at_once(self) -> ArgumentList | None:
        """The arguments, if they all stand in the tokens that are being read: nearly always."""
        if not self.contexts or self.space is not None:
            return None
        context = self.contexts[-1]
        read = read_from(context.tokens, context.next)
        if read is not None:
            context.next += len(read.tokens)
        return read
