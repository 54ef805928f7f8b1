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


def options_of_each(flags: Flags, path: str | Path) -> list[Options]:
    """The options of each time that a file is compiled; what the database says of it goes to stderr."""
    found = compilations(path, flags.options(), flags.database)
    report([one.note for one in found if one.note])
    return [one.options for one in found]
