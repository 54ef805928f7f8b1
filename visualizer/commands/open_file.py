"""`unfold open`: the stepper on a file."""

from __future__ import annotations

import argparse
import sys

from visualizer.commands.parser import Commands, add
from visualizer.commands.preprocessor_flags import add_flags, file_and_line, options_told
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, has_screen, report
from visualizer.commands.steps import nothing_at
from visualizer.expansion.source_files import display_path

_EXAMPLES = """\
keys: right and left step, down and up step over, r runs a kernel, ? shows all

examples:
  unfold open cpp_samples/phi/bitwise_kernel.cc
  unfold open kernel.cc:40 -I include -D PADDLE_WITH_CUDA
"""


def configure(commands: Commands) -> None:
    command = add(commands, "open", "step through a file in the terminal", _EXAMPLES)
    command.add_argument("file", metavar="FILE[:LINE]", type=file_and_line)
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    from visualizer.tui.app import UnfoldApp
    from visualizer.workbench import open_file

    path, line = arguments.file
    if not has_screen():
        print("unfold: open needs a terminal; unfold steps prints the same steps", file=sys.stderr)
        return USAGE_ERROR
    bench = open_file(path, options_told(arguments, path))
    wanted = bench.first_registration() if line is None else bench.expansion_at(line)
    if line is not None and wanted is None:
        report([nothing_at(display_path(path), line, bench.trace.expansions)])
        return INPUT_ERROR
    UnfoldApp(bench, wanted or 0).run()
    return OK
