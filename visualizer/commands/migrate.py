"""`unfold migrate`: a Fluid operator's files, and the PHI form that they become.

On a terminal the two stand side by side on a screen. Where there is none, or where a report, a format
or files are asked for, nothing is opened.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.commands.legible import exact_output
from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, complain, has_screen, report
from visualizer.commands.terminal import tell, working
from visualizer.expansion import InputError
from visualizer.expansion.source_files import read_source
from visualizer.workbench.machine_compiler import NoCompiler, cuda_compiler, cxx_compiler

if TYPE_CHECKING:
    from visualizer.migration import Migration

_EXAMPLES = """\
examples:
  unfold migrate trace_op.cc                     both forms side by side, on a screen
  unfold migrate trace_op.cc | less              the new files, one after the other
  unfold migrate trace_op.cc --check             what becomes of what, and what is left to do
  unfold migrate trace_op.cc --check --no-compile     the same before any compiler sees it
  unfold migrate shrink_op.cc --check --run      the same, and both bodies run on random inputs
                                                 (it is in lessons/fluid/10-deleting-the-old-one)
  unfold migrate trace_op.cc --output .          write them below this folder
  unfold migrate trace_op.cc --check --format json
  unfold kernels phi/kernels/cpu/trace_kernel.cc -I cpp_samples/phi -I cpp_samples/fluid
                                                 load what was written (--output prints it in full)

The files beside FILE that belong to it are read too: trace_op.h, trace_op.cc, trace_op.cu. None of them
is ever overwritten. phi/infermeta/unary.h and its like are several operators' files: if they are there,
the new functions are added to them. What can't be migrated stands in the new files with a comment,
TODO(migrate), and is a warning here. --check names for each change the section of Paddle's migration
guide that asks for it, with one of four words: proved (both bodies ran and gave the same), written, a
guess (which says what it rests on, and where to look), left to you. It exits 1 while there is a guess
or anything is left. Where a C++ compiler is, and for Paddle's own operators an installed Paddle's
headers, the new files for the CPU are compiled as far as their syntax and types go, and those for a GPU
where nvcc is (-I names the folders of cuBLAS's and cuDNN's headers); what the compiler refuses is left
to you, a TODO(migrate) at its line. --run runs the operator's code: the old class and
the new function, compiled, in processes with limits; with an installed Paddle's headers and libraries
also InferShape and InferMeta. What they need of Fluid's that isn't there isn't run, and that is said.
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
        "--compile",
        action=argparse.BooleanOptionalAction,
        help="have a compiler look at the new files (default: where one is, with the headers)",
    )
    command.add_argument(
        "--run",
        action="store_true",
        help="with --check: run the old body and the new one on the same random inputs",
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
    if arguments.run and not arguments.check:
        return complain("--run needs --check", USAGE_ERROR)
    asked = arguments.check or arguments.output or arguments.format
    if has_screen() and not (asked or arguments.compile is not None):
        return _open(arguments.file)
    migration = migrate(arguments.file)
    verdicts: dict[str, str] = {}
    why = "" if arguments.compile is not False else "--no-compile"
    if not why:
        try:
            migration, verdicts = _compiled(migration, arguments)
        except (NoCompiler, OSError, InputError) as error:
            if arguments.compile:
                return complain(f"not compiled: {error}")
            why = str(error)
    ran: list[str] = []
    if arguments.run:
        try:
            migration, ran = _run_both(migration, arguments)
        except (NoCompiler, OSError, InputError) as error:
            return complain(f"not run: {error}")
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
        most = _MOST_CODE if sys.stdout.isatty() else None
        not_compiled = f"not compiled: {why}" if why else ""
        tell(told.as_text(migration, verdicts, not_compiled, ran, most, cuda_compiler()))
        return INPUT_ERROR if migration.left else OK
    elif arguments.output is None:
        exact_output()("\n".join(told.pieces(migration)))
    return report(told.warnings(migration))


def _compiled(
    migration: Migration, arguments: argparse.Namespace
) -> tuple[Migration, dict[str, str]]:
    """The migration with what the compiler refuses, and what it said of each file. Raises NoCompiler,
    OSError, InputError."""
    from visualizer.migration.compiling import compiled, with_errors, words_for

    words = words_for(migration, arguments.paddle, arguments.include)
    found, verdicts = [], {}
    with working() as show:
        show("compiling")
        for verdict in compiled(migration, cxx_compiler(), words, cuda=cuda_compiler()):
            path = migration.pieces[verdict.piece].path
            show(f"compiled {path}")
            found.append(verdict)
            verdicts[path] = verdict.told()
    return with_errors(migration, found), verdicts


def _run_both(migration: Migration, arguments: argparse.Namespace) -> tuple[Migration, list[str]]:
    """The migration with what is proved, and a line for each operator. Raises NoCompiler, OSError,
    InputError."""
    from visualizer.migration.compiling import words_for
    from visualizer.migration.proving import trials, with_proofs
    from visualizer.personal import consent

    if reason := consent.why_not_here():
        raise NoCompiler(reason)
    found = []
    words = words_for(migration, arguments.paddle, arguments.include)
    with working() as show:
        show("running both bodies")
        for trial in trials(migration, cxx_compiler(), words, arguments.paddle):
            show(trial.told())
            found.append(trial)
    return with_proofs(migration, found), [trial.told() for trial in found]


def _open(path: Path) -> int:
    """The migration bench."""
    from visualizer.tui.app import UnfoldApp

    read_source(path)  # an error at once is better than a screen for a moment
    app = UnfoldApp(migrating=path)
    app.run()
    if app.refused is not None:
        raise app.refused
    return app.return_code or OK
