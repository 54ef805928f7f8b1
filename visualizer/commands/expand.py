"""`unfold expand`: what the preprocessor makes of a file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from visualizer.commands.parser import Commands, add
from visualizer.commands.preprocessor_flags import options_told
from visualizer.commands.reporting import report
from visualizer.expansion import preprocess
from visualizer.workbench.flag_words import add_flags, flags_in

_EXAMPLES = """\
examples:
  unfold expand kernel.cc -P
  unfold expand kernel.cc -I include -D NDEBUG --std c++20
"""


def configure(commands: Commands) -> None:
    command = add(commands, "expand", "print a file preprocessed, as cc -E does", _EXAMPLES)
    command.add_argument("file", metavar="FILE", type=Path)
    command.add_argument("-P", dest="plain", action="store_true", help="no line markers")
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    from visualizer.export.preprocessed import preprocessed

    trace = preprocess(arguments.file, options_told(flags_in(arguments), arguments.file))
    for piece in preprocessed(trace.output, markers=not arguments.plain):
        sys.stdout.write(piece)
    return report(trace.diagnostics)
