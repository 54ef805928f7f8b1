"""Where a reader stands in a migration: at which mark, and which two files are looked at.

A mark brings its old file and its piece with it. Another file can be turned to without leaving the
mark; the next step brings the eyes back. Where a mark left nothing behind, what stands nearest to it
shows where it would have gone.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cached_property

from visualizer.migration.migration import UNSETTLED, FileSpan, Mark, Migration, Status
from visualizer.migration.table import Rule


@dataclass(frozen=True)
class MigrationScene:
    """`here` counts in the migration's marks, `file` in its old files, `piece` in its pieces. With
    `only_left`, the steps lead through what isn't settled and nothing else."""

    migration: Migration
    here: int = 0
    only_left: bool = False
    file: int = 0
    piece: int = 0

    @cached_property
    def walked(self) -> tuple[int, ...]:
        """The marks that the steps lead through."""
        marks = enumerate(self.migration.marks)
        return tuple(i for i, mark in marks if mark.status in UNSETTLED or not self.only_left)

    @property
    def mark(self) -> Mark | None:
        return self.migration.marks[self.here] if self.migration.marks else None

    @property
    def number(self) -> int:
        """The place of this mark among those that are walked through; counts from 1."""
        return bisect_left(self.walked, self.here) + 1

    @property
    def landed(self) -> FileSpan | None:
        """Where the mark went, or the nearest one beside it that went anywhere."""
        return None if self.mark is None else _nearest(self.migration, self.here)

    def at(self, here: int) -> MigrationScene:
        """The same at a mark, and at the files that it ties together."""
        there = replace(self, here=here, file=self.migration.marks[here].old.file)
        return there if there.landed is None else replace(there, piece=there.landed.file)

    def moved(self, by: int) -> MigrationScene:
        """So many marks on; no further than the ends."""
        if not self.walked:
            return self
        return self.at(self.walked[min(max(self.number - 1 + by, 0), len(self.walked) - 1)])

    def next_of(self, status: Status) -> MigrationScene | None:
        """At the next mark with this word, behind the last one the first again; None if none has it."""
        found = [i for i, mark in enumerate(self.migration.marks) if mark.status == status]
        if not found:
            return None
        return self.at(next((i for i in found if i > self.here), found[0]))

    def among(self, migration: Migration) -> MigrationScene:
        """At the same mark of the same migration, in which there are more now."""
        wanted = self.mark and _told(self.mark)
        same = (i for i, mark in enumerate(migration.marks) if _told(mark) == wanted)
        return replace(self, migration=migration, here=next(same, 0))

    def with_only_left(self, only_left: bool) -> MigrationScene:
        """Walking through all marks, or through those that aren't settled: at the next of them."""
        return replace(self, only_left=only_left).moved(0)


def beginning(migration: Migration) -> MigrationScene:
    """At the first mark."""
    return MigrationScene(migration).moved(0)


def _told(mark: Mark) -> tuple[FileSpan, str, Rule]:
    """What of a mark stays the same, wherever what it has led to stands by now."""
    return mark.old, mark.reason, mark.rule


def _nearest(migration: Migration, here: int) -> FileSpan | None:
    file = migration.marks[here].old.file
    there = [
        (abs(i - here), i < here, mark.new)
        for i, mark in enumerate(migration.marks)
        if mark.new is not None and mark.old.file == file
    ]
    return min(there, key=lambda one: one[:2])[2] if there else None
