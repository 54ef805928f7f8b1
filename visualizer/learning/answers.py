"""What answers a question: a function of an open file, a place in it, and the question's own words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from visualizer.learning.places import Place

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench

Answer = Callable[["Workbench", Place, list[str]], str]


class Unanswerable(Exception):
    """The question can't be asked at this place."""


class EndsWithError(Unanswerable):
    """What the question would have the file do ends with an error."""
