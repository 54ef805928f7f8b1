"""Questions about what `unfold migrate` makes of the open file: what becomes of a line, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from visualizer.expansion.lexer import spellings
from visualizer.frameworks.answers import Answer, Place, Unanswerable

if TYPE_CHECKING:
    from visualizer.migration import Mark, Migration
    from visualizer.workbench.bench import Workbench


def _migrated(bench: Workbench, place: Place, words: list[str]) -> str:
    """`migrated IDIOM`: what `unfold migrate` makes of it, or `nothing`."""
    return _mark(bench, words)[1].becomes or "nothing"


def _lands(bench: Workbench, place: Place, words: list[str]) -> str:
    """`lands IDIOM`: the file in which that stands then, or `nowhere`."""
    migration, mark = _mark(bench, words)
    return migration.pieces[mark.new.file].path if mark.new is not None else "nowhere"


def _pieces(bench: Workbench, place: Place, _: list[str]) -> str:
    """`pieces`: how many files the migration writes."""
    return str(len(_migration(bench).pieces))


def _mark(bench: Workbench, words: list[str]) -> tuple[Migration, Mark]:
    idiom, migration = spellings(" ".join(words)), _migration(bench)
    found = (mark for mark in migration.marks if spellings(mark.idiom)[: len(idiom)] == idiom)
    mark = min(found, key=lambda mark: len(mark.idiom), default=None)
    if mark is None:
        raise Unanswerable(f"{' '.join(words)} is nothing that the migration changes")
    return migration, mark


def _migration(bench: Workbench) -> Migration:
    from visualizer.migration import migrate

    return migrate(bench.path)


ANSWERS: dict[str, Answer] = {"migrated": _migrated, "lands": _lands, "pieces": _pieces}
AT_LEAST = {"migrated": 1, "lands": 1}
