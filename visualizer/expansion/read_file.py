"""A file while it is being read.

A translation unit is a nest of readings: the main file's, in it that of each file that it includes,
and so on down. The preprocessor keeps them on a stack, `files`, innermost last. What ends with the file
is here: its conditionals, which may not reach beyond it (C23 §6.10.2), and what its `#line`s say
(§6.10.6).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from visualizer.expansion.conditionals import Conditional
from visualizer.expansion.include_path import FoundFile
from visualizer.expansion.tokens import Token, spelled_at
from visualizer.expansion.trace import IncludedFile, Through


@dataclass(slots=True)
class ReadFile:
    """A file being read: where it was found, its name as shown, the `#include`s that led to it, and
    what `#line` makes of it. Of one that is `scanned`, only what its directives do matters."""

    found: FoundFile
    name: str
    through: Through = ()
    scanned: bool = False
    conditionals: list[Conditional] = field(default_factory=list)
    line_shift: int = 0
    presumed_name: str | None = None
    skips_from: int = 0  # the line at which a group began that is not taken
    entered: IncludedFile = field(default_factory=lambda: IncludedFile("", ()))

    def skip(self, directive: list[Token], enabled: bool) -> None:
        """A conditional ends one group of lines and begins another, which counts if `enabled`."""
        if self.skips_from:
            self.entered.skipped.append(range(self.skips_from, spelled_at(directive[0]).line))
        self.skips_from = 0 if enabled else spelled_at(directive[-1]).line + 1

    def skip_rest(self, last: Token) -> None:
        """The file ends with this token, inside a group that is not taken or outside of all."""
        if self.skips_from:
            self.entered.skipped.append(range(self.skips_from, spelled_at(last).line + 1))
