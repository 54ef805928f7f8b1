"""What a check is given, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from visualizer.expansion import Options
from visualizer.expansion.tokens import Source
from visualizer.workbench.bench import Workbench


@dataclass(frozen=True, slots=True)
class Verdict:
    """`failed` says what is not so yet, and is empty if the exercise is solved. `where` is the place in
    the learner's text, if there is one. `note` is what else is to be known of one that passed."""

    failed: str = ""
    where: Source | None = None
    hint: str = ""
    note: str = field(default="", compare=False)

    @property
    def passed(self) -> bool:
        return not self.failed


@dataclass(frozen=True, eq=False)
class Learner:
    """The learner's file, as it is read for a check."""

    path: Path
    options: Options
    text: str
    bench: Workbench


Check = Callable[[Learner, Any, Mapping[str, Any]], Verdict]
