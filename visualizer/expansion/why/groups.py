"""The `#if`s around a line: which groups are open there, and the one that has it skipped.

An `#if` with its `#elif`s and `#else` is a row of groups, of which one counts at most. A line lies in
one group of each `#if` that is open, and is skipped as soon as one of these is not taken; the outermost
such decides, for of those inside nobody asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from visualizer.expansion.trace import Branch

Group: TypeAlias = tuple[Branch, ...]  # an `#if`, and what followed upon it up to the line


def open_groups(branches: Iterable[Branch]) -> tuple[Group, ...]:
    """The groups that are open behind these directives, outermost first."""
    groups: list[Group] = []
    for branch in branches:
        name = directive_of(branch)
        if name in ("if", "ifdef", "ifndef"):
            groups.append((branch,))
        elif groups and name == "endif":
            groups.pop()
        elif groups:
            groups[-1] = (*groups[-1], branch)
    return tuple(groups)


def skipped_by(groups: Iterable[Group]) -> Group | None:
    """The group that has everything in it skipped; None where the lines count."""
    return next((group for group in groups if not group[-1].counts), None)


def taken_in(group: Group) -> Branch | None:
    """The one of a row that was taken."""
    return next((branch for branch in group if branch.counts), None)


def directive_of(branch: Branch) -> str:
    return branch.directive.removeprefix("#").partition(" ")[0]
