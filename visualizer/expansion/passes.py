"""The passes of an included text: the times that a translation unit reads a file.

What a text becomes is decided by whoever includes it. A list of `X(...)` is read once for an enum and
once for the names, with `X` defined otherwise; the same line then stands for two invocations, and which
one is meant must be said. A pass is told by the `#include`s that lead to it: each is done once in a
reading of the file that it stands in, so the chain of them, the main file's first, leads to one pass
only. The main file itself is the pass that no `#include` leads to.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from visualizer.expansion.diagnostics import InputError
from visualizer.expansion.tokens import Source

if TYPE_CHECKING:
    from visualizer.expansion.trace import IncludedFile, Through, Trace

NO_PASS = (Source("", 0, 0),)  # what leads to none


@dataclass(frozen=True, slots=True)
class Sought:
    """The text of a unit that is to be traced: the pass of the file at this path that the `#include`s
    lead `through`. Without a path, it is the main file."""

    path: str = ""
    through: Through = ()

    def is_file(self, path: str) -> bool:
        """Whether it is this file whose passes are counted."""
        return self.path != "" and os.path.realpath(path) == self.path

    def is_reached_through(self, through: Through) -> bool:
        """Whether what is included there is the text to be traced, or leads on to it."""
        return through == self.through[: len(through)]

    def has_inside(self, entered: IncludedFile) -> bool:
        """Whether the text to be traced includes this file, or a file that does."""
        depth = len(self.through)
        inside = entered.depth > depth and entered.through[:depth] == self.through
        return inside and not entered.file.startswith("<")


def chosen(found: Sequence[Through], file: str, main: str, nth: int) -> Through:
    """The `nth` of these passes of a file, the first where nobody said which. Raises InputError."""
    if not found:
        hint = f"name a file that does; unfold steps {main} --includes lists what this one includes"
        raise InputError(f"{main} does not include this file", Source(file, 1, 1), hint)
    if nth > len(found):
        hint = f"{main} includes it {'once' if len(found) == 1 else f'{len(found)} times'}"
        raise InputError(f"there is no pass {nth} of this file", Source(file, 1, 1), hint)
    return found[max(nth, 1) - 1]


def never_begun(file: str, through: Through) -> InputError:
    """The error of an `#include` that reads no text."""
    hint = "it was read before: its guard or #pragma once keeps it from being read again"
    return InputError(f"{file} is not read here", through[-1], hint)


def told(trace: Trace) -> str:
    """Whose text it is, if not the main file's: `included from x.c:3, pass 2 of 2`."""
    if not trace.through:
        return ""
    at = trace.through[-1]
    said = f"included from {os.path.basename(at.file)}:{at.line}"
    several = len(trace.passes) > 1
    return f"{said}, pass {trace.nth} of {len(trace.passes)}" if several else said


def chain(through: Through) -> str:
    """The `#include`s, the innermost first."""
    return "from " + ", that from ".join(f"{at.file}:{at.line}" for at in reversed(through))
