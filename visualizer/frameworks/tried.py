"""Whether a kernel runs, in words. A dry run finds it out, and whatever says so has it from there: the
listing, JSON, the stepper's mark and the run pane.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from visualizer.layout.rows import BAD, GOOD, QUIET, labelled
from visualizer.layout.words import Parts, Styles
from visualizer.messages import _

# By data type, why a call isn't run, or nothing where it is; empty for what can't be tried by itself.
Tried: TypeAlias = Mapping[str, str]

_REASON = 48  # characters of a refusal that a cell shows


def runs(tried: Tried) -> bool:
    """Whether nothing refuses it for some data type."""
    return not tried or not all(tried.values())


def refused(tried: Tried) -> dict[str, str]:
    """Those data types for which it isn't run, and why."""
    return {dtype: why for dtype, why in tried.items() if why}


def cell(word: str, tried: Tried) -> str:
    """What a table says: this word for what runs, or why it doesn't, or with which data types."""
    there = [dtype for dtype, why in tried.items() if not why]
    if not runs(tried):
        said = f"no: {next(iter(tried.values()))}"
        return said if len(said) <= _REASON else f"{said[: _REASON - 2].rstrip()} …"
    only = f"for {', '.join(there)}" if len(there) < len(tried) else ""
    return f"{word}, {only}" if only and word != "yes" else only or word


def mark(said: str, refused: str, tried: Tried | None) -> tuple[str, Styles]:
    """What a pane says of a kernel that may run, or is refused; None for one that isn't tried yet."""
    if tried is None:
        return _("not tried yet"), QUIET
    return (said, GOOD) if runs(tried) else (refused, BAD)


def why_not(tried: Tried | None, width: int) -> list[Parts]:
    """Rows that say why a call isn't run, each reason once; none where it is."""
    reasons = dict.fromkeys(refused(tried or {}).values())
    return [row for why in reasons for row in labelled("refused", why, width, BAD)]
