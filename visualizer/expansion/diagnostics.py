"""What is said about bad input: one sentence, at the source token, and what to do next.

A token deep in an expansion was written by nobody: it came out of a macro. So a diagnostic points at
the characters that the user can edit, and lists the macros that led from there to the trouble, as
gcc and clang do with "in expansion of macro".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, NamedTuple

from visualizer.expansion.tokens import (
    Source,
    Token,
    first_made,
    invocations_of,
    spelled_at,
    written_at,
)

Severity = Literal["error", "warning"]


class Code(StrEnum):
    """What is wrong, for programs: a message is for readers, and may be worded anew. Only what some
    program asks for has a code."""

    ARGUMENT_COUNT = "argument-count"  # of an invocation
    HEADER_MISSING = "header-missing"
    LIMIT_REACHED = "limit-reached"  # an expansion that may never end
    NOT_UTF8 = "not-utf8"  # the file's bytes
    OPEN_LIST = "open-list"  # an invocation that nobody closed, up to the end of its file
    OPEN_LITERAL = "open-literal"  # a string or a character


class Note(NamedTuple):
    """What else is worth knowing of a trouble, and where it stands."""

    text: str
    where: Source


class Cure(NamedTuple):
    """A change of the text that takes a trouble away. Each edit puts something between two places."""

    title: str
    edits: tuple[tuple[Source, Source, str], ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message. `through` names the macros between the source and the trouble, innermost first.
    `code` is a Code, or of a kind that whoever reads the expanded text has; `about` is what programs
    need of the message besides: the name of the header that isn't found, of the macro that nobody
    closed; `beside` are the names of files or directives that are there instead. It is about the
    characters from `where` to before `end`; without one, about the word that stands there."""

    severity: Severity
    message: str
    where: Source
    hint: str = ""
    through: tuple[tuple[str, Source], ...] = ()
    code: StrEnum | None = None
    about: str = ""
    beside: tuple[str, ...] = ()
    end: Source | None = None
    notes: tuple[Note, ...] = ()
    cures: tuple[Cure, ...] = ()

    def __str__(self) -> str:
        """As compilers print it: what is wrong on the first line, for whatever reads only that."""
        first = f"{spelled_place(self.where)}: {self.severity}: {self.message}"
        if self.hint:
            first += f" ({self.hint})"
        return "\n".join(
            [first, *(f"{spelled_place(n.where)}: note: {n.text}" for n in self.all_notes())]
        )

    def places(self) -> tuple[Source, ...]:
        """Where it stands, and where the invocations stand that led to it."""
        return (self.where, *(at for _, at in self.through))

    def all_notes(self) -> tuple[Note, ...]:
        """The notes, and then the chain of expansions."""
        chain = (Note(f"in expansion of macro '{name}'", at) for name, at in self.through)
        return (*self.notes, *chain)


class SourceError(Exception):
    """Bad input at a token, or `between` two. Raised where reading can't go on, caught where it can."""

    def __init__(
        self,
        message: str,
        token: Token,
        hint: str = "",
        severity: Severity = "error",
        between: tuple[Token, Token] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.token = token
        self.hint = hint
        self.severity: Severity = severity
        self.between = between

    def diagnostic(self) -> Diagnostic:
        found = at_token(self.severity, self.message, self.token, self.hint)
        return spanning(found, *self.between) if self.between is not None else found


class InputError(Exception):
    """A file that cannot be stepped through at all: missing, binary, a folder."""

    def __init__(self, message: str, where: Source, hint: str = "") -> None:
        self.diagnostic = Diagnostic("error", message, where, hint)
        super().__init__(str(self.diagnostic))

    @staticmethod
    def of(found: Diagnostic) -> InputError:
        """What was found, with its notes, as the reason to stop."""
        error = InputError(found.message, found.where, found.hint)
        error.diagnostic = found
        return error


def no_such_line(where: Source, count: int) -> Diagnostic:
    """The error of a line that is asked for behind the last of `count`."""
    lines = "line" if count == 1 else "lines"
    return Diagnostic("error", "there is no such line", where, f"it has {count} {lines}")


def spelled_place(where: Source) -> str:
    """As compilers write it: `x.c:3:5`."""
    return f"{where.file}:{where.line}:{where.column}"


def at_token(
    severity: Severity, message: str, token: Token, hint: str = "", code: StrEnum | None = None
) -> Diagnostic:
    """A diagnostic at the place in the source that caused `token`, with the macros in between."""
    chain = invocations_of(token)
    through = tuple((t.text, spelled_at(t)) for t in chain)
    return Diagnostic(severity, message, written_at(token), hint, through, code)


def around(tokens: Sequence[Token]) -> tuple[Source, Source] | None:
    """Where a stretch of tokens begins and ends in a file, if it was written there in this order."""
    if not tokens:
        return None
    begin, end = first_made(tokens[0]).origin, first_made(tokens[-1]).origin
    if not isinstance(begin, Source) or not isinstance(end, Source):
        return None
    if begin.file != end.file or end < begin:
        return None
    return begin, end._replace(column=end.column + len(tokens[-1].text))


def spanning(found: Diagnostic, first: Token, last: Token) -> Diagnostic:
    """The same of all from one token to another, if it was written there in this order."""
    stretch = around((first, last))
    return found if stretch is None else replace(found, where=stretch[0], end=stretch[1])
