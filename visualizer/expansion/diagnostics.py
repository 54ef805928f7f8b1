"""What is said about bad input: one sentence, at the source token, and what to do next.

A token deep in an expansion was written by nobody: it came out of a macro. So a diagnostic points at
the characters that the user can edit, and lists the macros that led from there to the trouble, as
gcc and clang do with "in expansion of macro".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from visualizer.expansion.tokens import Source, Token, invocations_of, spelled_at, written_at

Severity = Literal["error", "warning"]


class Code(StrEnum):
    """What is wrong, for programs: a message is for readers, and may be worded anew. Only what some
    program asks for has a code."""

    ARGUMENT_COUNT = "argument-count"  # of an invocation
    HEADER_MISSING = "header-missing"
    LIMIT_REACHED = "limit-reached"  # an expansion that may never end
    OPEN_LIST = "open-list"  # an invocation whose arguments nobody closed
    OPEN_LITERAL = "open-literal"  # a string or a character


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message. `through` names the macros between the source and the trouble, innermost first.
    `code` is a Code, or of a kind that whoever reads the expanded text has."""

    severity: Severity
    message: str
    where: Source
    hint: str = ""
    through: tuple[tuple[str, Source], ...] = ()
    code: StrEnum | None = None

    def __str__(self) -> str:
        file, line, column = self.where
        text = f"{file}:{line}:{column}: {self.severity}: {self.message}"
        if self.hint:
            text += f" ({self.hint})"
        for name, at in self.through:
            text += f"\n{at.file}:{at.line}:{at.column}: note: in expansion of macro '{name}'"
        return text


class SourceError(Exception):
    """Bad input at a token. Raised where reading cannot go on; caught where it can."""

    def __init__(
        self, message: str, token: Token, hint: str = "", severity: Severity = "error"
    ) -> None:
        super().__init__(message)
        self.message = message
        self.token = token
        self.hint = hint
        self.severity: Severity = severity

    def diagnostic(self) -> Diagnostic:
        return at_token(self.severity, self.message, self.token, self.hint)


class InputError(Exception):
    """A file that cannot be stepped through at all: missing, binary, empty, not UTF-8."""

    def __init__(self, message: str, where: Source, hint: str = "") -> None:
        self.diagnostic = Diagnostic("error", message, where, hint)
        super().__init__(str(self.diagnostic))


def at_token(
    severity: Severity, message: str, token: Token, hint: str = "", code: StrEnum | None = None
) -> Diagnostic:
    """A diagnostic at the place in the source that caused `token`, with the macros in between."""
    chain = invocations_of(token)
    through = tuple((t.text, spelled_at(t)) for t in chain)
    return Diagnostic(severity, message, written_at(token), hint, through, code)
