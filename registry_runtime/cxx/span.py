"""Where something stands in the expanded text, and the errors that point there.

Every position in this package is counted in characters of the text that the caller handed in, never
in bytes. The caller expanded that text from macros and can follow a character back to the token of
a source file that it came from; so an error that points at the right character points, in the end,
at the right word of somebody's source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of characters of the expanded text."""

    start: int
    end: int


def blanked(text: str, spans: Iterable[Span]) -> str:
    """The text without what stands in these spans, and all else at its place."""
    for span in spans:
        blank = re.sub(r"[^\n]", " ", text[span.start : span.end])
        text = f"{text[: span.start]}{blank}{text[span.end :]}"
    return text


class Code(StrEnum):
    """What is the matter, for programs: a message is for readers, and may be worded anew. Only what
    some program asks for has a code."""

    INCOMPLETE = "incomplete"  # something has to stand here, and doesn't
    NOT_A_MACRO = "not-a-macro"  # what looks like one was never expanded
    NOT_UNDERSTOOD = "not-understood"  # no C++, or none that this package has
    NOTHING_REGISTERED = "nothing-registered"  # by an object of a class that does
    UNDEFINED_REFERENCE = "undefined-reference"  # a linker would stop here
    UNKNOWN_NAME = "unknown-name"  # nothing of that name is declared
    UNKNOWN_SIGNATURE = "unknown-signature"  # of a function, whose declaration can't be read


class CxxError(Exception):
    """C++ that is wrong, or that this package does not understand.

    `message` says what is the matter, `span` where, and `hint`, where there is one, what to do next.
    `text` is the text that `span` counts in, where a body of another text may have been run.
    """

    text: str | None = None

    def __init__(self, message: str, span: Span, hint: str = "", code: Code | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint
        self.code = code


class NotUnderstood(CxxError):
    """C++, perhaps, but none that this package gives a meaning to. `what` spells it."""

    def __init__(self, what: str, span: Span) -> None:
        super().__init__(f"not understood: {what}", span, code=Code.NOT_UNDERSTOOD)


class Incomplete(CxxError):
    """Something has to stand at a place where nothing does."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message, span, code=Code.INCOMPLETE)


class UndefinedFunction(CxxError):
    """A function of the text is called, and nowhere has it a body. `span` is what stands in the
    body's place: the semicolon, as a rule."""

    def __init__(self, name: str, span: Span) -> None:
        super().__init__(f"`{name}` is declared and never defined", span, "give it a body: { }")
        self.name = name


class RedefinedFunction(CxxError):
    """A function of the text has two bodies. `span` is the second one's name."""

    def __init__(self, name: str, span: Span) -> None:
        super().__init__(f"`{name}` is defined twice", span, "rename or remove one of the two")
        self.name = name


class RedefinedObject(CxxError):
    """Two static objects have one name. `span` is the second one's, `first` the other's."""

    def __init__(self, name: str, span: Span, first: Span) -> None:
        super().__init__(f"`{name}` is defined twice", span)
        self.name = name
        self.first = first


class FailedAssertion(CxxError):
    """A `static_assert` fails: `message` is what it says, `scope` the namespace it stands in."""

    def __init__(self, message: str, scope: str, span: Span) -> None:
        super().__init__(message, span)
        self.scope = scope


class UnparsedText(CxxError):
    """Text that is not C++, or not the C++ that our grammar knows.

    `within` is the template, class or function body around it, if there is one. Nothing in there is
    run, unless a registration uses it; so such an error often matters to nobody.
    """

    def __init__(self, error: CxxError, within: Span | None) -> None:
        super().__init__(error.message, error.span, error.hint, error.code)
        self.within = within


class Refusal(Exception):
    """Raised by Python code that C++ text called, when it can't do what it was asked.

    Such code knows no positions. The interpreter, who does, turns this into a `CxxError` at the
    call, or at one of its arguments if `argument` counts to it; and at these characters of it, if
    `within` counts those of a string.
    """

    within: tuple[int, int] | None = None

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        argument: int | None = None,
        code: Code | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.argument = argument
        self.code = code
