"""The `Options` of a file that the command line names; what its database says of it goes to stderr."""

from __future__ import annotations

from pathlib import Path

from visualizer.commands.reporting import report
from visualizer.expansion import Options
from visualizer.workbench.compilations import compilations
from visualizer.workbench.flags import Flags


def options_told(flags: Flags, path: str | Path) -> Options:
    """A file's options; what `-p` has to say about them goes to stderr."""
    options, note = flags.options_for(path)
    report([note] if note else [])
    return options


def options_of_each(flags: Flags, path: str | Path, told: set[str]) -> list[Options]:
    """The options of each time that a file is compiled; what the database says of it goes to stderr,
    and into `told`, whose messages are not repeated."""
    found = compilations(path, flags.options(), flags.database)
    notes = {str(one.note): one.note for one in found if one.note}
    report([note for text, note in notes.items() if text not in told])
    told.update(notes)
    return [one.options for one in found]
