"""`unfold survey`: every registration in a source tree."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from visualizer.commands import reporting
from visualizer.commands.legible import raw
from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import USAGE_ERROR, complain, why_not_written
from visualizer.commands.terminal import columns
from visualizer.expansion import Diagnostic
from visualizer.expansion.tokens import Source
from visualizer.workbench.flag_words import add_flags, flags_in

FORMATS = ("table", "json", "csv", "parquet")

_EXAMPLES = """\
examples:
  unfold survey paddle/phi/kernels
  unfold survey cpp_samples/phi/bitwise_kernel.cc
  unfold survey paddle -I . -D PADDLE_WITH_CUDA --format csv -o kernels.csv
  unfold survey . -p build --scheduler tcp://10.0.0.1:8786 --format parquet -o kernels.parquet

Missing headers are no errors. No compiler is asked for its macros unless you say --cc.
"""


def configure(commands: Commands) -> None:
    command = add(commands, "survey", "list every kernel registration in a source tree", _EXAMPLES)
    command.add_argument(
        "roots",
        metavar="DIR",
        type=Path,
        nargs="+",
        help="a folder; or a file, for that file alone",
    )
    command.add_argument("--format", choices=FORMATS, default="table")
    command.add_argument("-o", dest="output", metavar="FILE", type=Path, help="default: stdout")
    command.add_argument(
        "-j", dest="jobs", metavar="N", type=_jobs, help="processes (default: by the cores)"
    )
    command.add_argument(
        "--scheduler", metavar="ADDRESS", help="spread the work over this Dask cluster"
    )
    add_flags(command)
    command.set_defaults(cc="none")


def run(arguments: argparse.Namespace) -> int:
    from visualizer.survey import SurveyError, report, survey
    from visualizer.survey.progress import progress_bar

    if arguments.format == "parquet" and arguments.output is None:
        return complain("--format parquet needs -o FILE", USAGE_ERROR)
    if trouble := why_not_written(arguments.output):
        return complain(trouble)
    try:
        if arguments.format == "parquet":
            report.check_parquet()
        flags = flags_in(arguments)
        given = flags.options()
        with progress_bar("surveying", raw(sys.stderr)) as progress:
            found = survey(
                arguments.roots,
                lambda path: flags.options_for(path, given)[0],
                jobs=arguments.jobs,
                scheduler=arguments.scheduler,
                progress=progress,
            )
        report.write(found, arguments.format, arguments.output, columns())
    except SurveyError as error:
        return complain(str(error))
    wrong = ((f.reason, Source(f.file, f.line, f.column)) for f in found.failures)
    return reporting.report(Diagnostic("error", reason, where) for reason, where in wrong)


def _jobs(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of processes")
    return int(text)
