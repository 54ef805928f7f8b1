"""`unfold migrate`: a Fluid operator's files, and the PHI form that they become.

On a terminal the two stand side by side on a screen. Where there is none, or where a report, a format
or files are asked for, nothing is opened.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.commands.legible import exact_output
from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import OK, USAGE_ERROR, complain, has_screen, report
from visualizer.commands.terminal import tell, working
from visualizer.expansion.source_files import read_source
from visualizer.workbench.machine_compiler import NoCompiler, cxx_compiler

if TYPE_CHECKING:
    from visualizer.migration import Migration

_EXAMPLES = """\
examples:
  unfold migrate trace_op.cc                     both forms side by side, on a screen
  unfold migrate trace_op.cc | less              the new files, one after the other
  unfold migrate trace_op.cc --check             what becomes of what, and what is left to do
  unfold migrate trace_op.cc --check --compile   the same, and what the compiler says of it
  unfold migrate trace_op.cc --output .          write them below this folder
  unfold migrate trace_op.cc --check --format json
  unfold kernels phi/kernels/cpu/trace_kernel.cc -I cpp_samples/phi -I cpp_samples/fluid
                                                 load what was written (--output prints it in full)

The files beside FILE that belong to it are read too: trace_op.h, trace_op.cc, trace_op.cu. None of them
is ever overwritten. phi/infermeta/unary.h and its like are several operators' files: if they are there,
the new functions are added to them. What can't be migrated stands in the new files with a comment,
TODO(migrate), and is a warning here. --check names for each change the section of Paddle's migration
guide that asks for it. --compile has the new files of Paddle's own operators compiled for the CPU, as
far as their syntax and types go, with the headers of an installed Paddle; what the compiler refuses is
a TODO(migrate) at its line.
"""


_MOST_CODE = 44  # letters of what becomes of what, in a terminal; in a pipe, all of it


def configure(commands: Commands) -> None:
    command = add(commands, "migrate", "turn a Fluid operator into PHI kernels", _EXAMPLES)
    command.add_argument("file", metavar="FILE", type=Path)
    command.add_argument("--check", action="store_true", help="report, and write nothing")
    command.add_argument(
        "--output",
        metavar="DIR",
        type=Path,
        help="write the files there (default: show or print them)",
    )
    command.add_argument(
        "--overwrite", action="store_true", help="with --output: replace new files that are there"
    )
    command.add_argument(
        "--compile", action="store_true", help="have a compiler look at what is for the CPU"
    )
    command.add_argument(
        "--paddle",
        action="store_const",
        const="",
        default="",
        help="with --compile: the headers of the Paddle of the environment's python (the default), or "
        "with --paddle=PATH of that python, folder of packages, or checkout",
    )
    command.add_argument("--paddle-of", dest="paddle", help=argparse.SUPPRESS)
    command.add_argument(
        "-I",
        dest="include",
        action="append",
        default=[],
        metavar="DIR",
        help="with --compile: a folder of headers that Paddle's need, such as Eigen's",
    )
    command.add_argument("--format", choices=("text", "json"), help="print it so (default: text)")


def run(arguments: argparse.Namespace) -> int:
    from visualizer.migration import migrate
    from visualizer.migration import report as told
    from visualizer.migration.writing import WouldLose, WouldOverwrite, write

    if arguments.overwrite and arguments.output is None:
        return complain("--overwrite needs --output DIR", USAGE_ERROR)
    if arguments.check and arguments.output is not None:
        return complain("--check writes nothing: leave out --output", USAGE_ERROR)
    asked = arguments.check or arguments.output or arguments.format
    if has_screen() and not (asked or arguments.compile):
        return _open(arguments.file)
    migration = migrate(arguments.file)
    verdicts: list[str] = []
    if arguments.compile:
        try:
            migration, verdicts = _compiled(migration, arguments.paddle, arguments.include)
        except (NoCompiler, OSError) as error:
            return complain(f"not compiled: {error}")
    if arguments.output is not None:
        try:
            paths = write(migration, arguments.output, arguments.overwrite)
        except WouldOverwrite as error:
            if error.is_original:
                return complain(f"{error}, and those are never overwritten: choose another folder")
            return complain(f"{error}: choose another folder, or say --overwrite")
        except WouldLose as error:
            return complain(f"nothing was written: {error}")
        except OSError as error:
            return complain(f"nothing was written: {error.strerror}: {error.filename}")
        if arguments.format != "json":
            print("\n".join(str(path) for path in paths))
            print(f"\nto load them:\n  {told.command(migration, arguments.output)}")
    if arguments.format == "json":
        print(told.as_json(migration))
    elif arguments.check:
        tell(told.as_text(migration, _MOST_CODE if sys.stdout.isatty() else None))
        tell(verdicts)
        return OK
    elif arguments.output is None:
        exact_output()("\n".join(told.pieces(migration)))
    return report(told.warnings(migration))


def _compiled(
    migration: Migration, paddle: str, folders: Sequence[str]
) -> tuple[Migration, list[str]]:
    """The migration with what the compiler refuses, and a line for each file that it was given."""
    from visualizer.expansion.wording import counted
    from visualizer.migration.compiling import compiled, with_errors
    from visualizer.workbench.wheels import PADDLE, include_folders

    # Which BLAS Paddle was built with the wheel doesn't say; this one has packages.
    words = ["-DPADDLE_USE_OPENBLAS"]
    words += [w for folder in include_folders(PADDLE, paddle) for w in ("-isystem", folder)]
    words += [w for folder in folders for w in ("-isystem", str(Path(folder).absolute()))]
    found, lines = [], []
    with working() as show:
        show("compiling")
        for verdict in compiled(migration, cxx_compiler(), words):
            path = migration.pieces[verdict.piece].path
            show(f"compiled {path}")
            found.append(verdict)
            said = "compiled"
            if verdict.missing:
                said = f"not compiled: {verdict.missing} isn't found (-I DIR names its folder)"
            elif verdict.errors:
                said = f"refused by the compiler, {counted(len(verdict.errors), 'error')}"
            lines.append(f"{path}: {said}")
    return with_errors(migration, found), lines or ["nothing here can be compiled for the CPU"]


def _open(path: Path) -> int:
    """The migration bench."""
    from visualizer.tui.app import UnfoldApp

    read_source(path)  # an error at once is better than a screen for a moment
    app = UnfoldApp(migrating=path)
    app.run()
    if app.refused is not None:
        raise app.refused
    return app.return_code or OK
