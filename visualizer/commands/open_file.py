"""`unfold open`: the stepper on a file."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import OK, USAGE_ERROR, complain, has_screen
from visualizer.expansion import InputError
from visualizer.expansion.diagnostics import no_such_line
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import Source
from visualizer.workbench.flag_words import add_flags, add_from, flags_in
from visualizer.workbench.opening import Opening, file_and_line

_EXAMPLES = """\
keys: right and left step, down and up step over, r runs a kernel,
      u tells what is cut, ? shows all keys

examples:
  unfold open cpp_samples/phi/bitwise_kernel.cc
  unfold open kernel.cc:40 -I include -D PADDLE_WITH_CUDA
  unfold open x.c:3                          what "list.def" invokes, which line 3 includes
  unfold open list.def:1 --from x.c --pass 2
"""
_NEW = "a new file is made in the app: unfold, then Ctrl+O"


def configure(commands: Commands) -> None:
    command = add(commands, "open", "step through a file in the terminal", _EXAMPLES)
    command.add_argument("file", metavar="FILE[:LINE]", type=file_and_line)
    add_from(command)
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    path, line = arguments.file
    try:
        text = read_source(path)  # an error at once is better than a screen for a moment
    except InputError as error:
        if os.path.lexists(path):
            raise
        what = error.diagnostic
        raise InputError(what.message, what.where, f"{what.hint}; {_NEW}") from None
    if not has_screen():
        lines = len(text.splitlines())
        if line is not None and not 1 <= line <= max(lines, 1):
            raise InputError.of(no_such_line(Source(path, line, 1), lines))
        return complain(
            "the stepper needs a terminal; unfold steps prints the same steps", USAGE_ERROR
        )
    from visualizer.tui.app import UnfoldApp

    app = UnfoldApp(opening=Opening(Path(path), line, flags_in(arguments)))
    app.run()
    if app.refused is not None:
        raise app.refused
    return app.return_code or OK
