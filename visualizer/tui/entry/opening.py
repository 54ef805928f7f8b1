"""Which screen opens on an entry of the registry: to read about it, to run it, to measure it.

Its framework says what there is to show; where it says nothing, the next best screen opens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from visualizer.frameworks.presenter import presenter_of

if TYPE_CHECKING:
    from textual.screen import Screen

    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry


def all_about(bench: Workbench, entry: Entry) -> Screen[None]:
    """What the entry is, and which calls find it."""
    from visualizer.tui.entry.screen import EntryScreen

    registration = entry.registration
    return EntryScreen(presenter_of(registration).about(bench, entry, registration))


def to_run(bench: Workbench, entry: Entry, size: int) -> Screen[None]:
    """The run pane; tensors have `size` elements at first."""
    registration = entry.registration
    runnable = presenter_of(registration).to_run(bench, entry, registration, size)
    if runnable is None:
        return all_about(bench, entry)
    from visualizer.tui.permission import Permission
    from visualizer.tui.run.screen import RunScreen

    return RunScreen(runnable, Permission(bench))


def to_measure(bench: Workbench, entry: Entry) -> Screen[None]:
    """A benchmark of it, beside the peers."""
    registration = entry.registration
    measurable = presenter_of(registration).to_measure(bench, entry, registration)
    if measurable is None:
        return to_run(bench, entry, 0)
    from visualizer.tui.run.benchmark import BenchmarkScreen

    return BenchmarkScreen(measurable)
