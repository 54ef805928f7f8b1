"""What `unfold run` says of a run, whichever framework it is of: values first, and then the figures."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from visualizer.commands.reporting import INPUT_ERROR, OK, complain
from visualizer.commands.terminal import tell
from visualizer.workbench.stand_ins import told_of

if TYPE_CHECKING:
    from registry_runtime.lab.elements import Tried
    from visualizer.workbench.entries import Entry


def size_of(arguments: argparse.Namespace) -> int:
    """How many elements are wanted."""
    return 1_000_000 if arguments.size is None else int(arguments.size)


def tell_trial(trial: Tried, arguments: argparse.Namespace, of: Iterable[Entry]) -> int:
    """Print it, and in whose place Python ran `of` what may have run.

    Exits 1 where NumPy disagrees, or can't say, and --check was given.
    """
    name = arguments.kernel
    tell_report(trial.report(trial.values(name)), of)
    if arguments.save is not None:
        from registry_runtime.lab.array_file import save

        try:
            save(arguments.save, trial.results)
        except ValueError as error:
            return complain(str(error))
        tell([f"{'saved':<12}{arguments.save}"])
    if arguments.check and trial.agrees is None:
        return complain(f"--check: NumPy has nothing to compare {name} with")
    return INPUT_ERROR if arguments.check and not trial.agrees else OK


def tell_report(report: Iterable[str], of: Iterable[Entry]) -> None:
    """What ran, whose body that is, and all the rest."""
    first, *rest = report
    tell([first, *_bodies(of), *rest])


def tell_bodies(of: Iterable[Entry]) -> None:
    """Whose body it is, below a call that was told, or code that was shown."""
    tell(_bodies(of))


def _bodies(of: Iterable[Entry]) -> list[str]:
    return [f"body        {told}" for told in told_of(of)]
