"""`unfold expand`: what the preprocessor makes of a file."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace

from visualizer.commands.legible import exact_output
from visualizer.commands.parser import Commands, add
from visualizer.commands.preprocessor_flags import options_told
from visualizer.commands.reporting import report
from visualizer.expansion import Diagnostic, InputError
from visualizer.expansion.diagnostics import Code
from visualizer.expansion.preprocessor import expand
from visualizer.expansion.source_files import LARGEST
from visualizer.expansion.tokens import Source
from visualizer.workbench.flag_words import add_flags, flags_in
from visualizer.workbench.opening import file_and_line
from visualizer.workbench.wheels import advised

_EXAMPLES = """\
examples:
  unfold expand kernel.cc -P
  unfold expand kernel.cc -I include -D NDEBUG --std c++20
  echo '__OPTIMIZE__' | unfold expand -P -x c -O2 -
"""
_AT_ONCE = 1 << 20  # characters
_STDIN = "<stdin>"  # as gcc and clang call it


def configure(commands: Commands) -> None:
    command = add(commands, "expand", "print a file preprocessed, as cc -E does", _EXAMPLES)
    command.add_argument("file", metavar="FILE", help="- is the standard input")
    command.add_argument("-P", dest="plain", action="store_true", help="no line markers")
    add_flags(command)


def _typed() -> bytes:
    """What comes on standard input, which may have no end. Raises InputError."""
    came = sys.stdin.buffer.read(LARGEST + 1)
    if len(came) > LARGEST:
        raise InputError(
            f"cannot be read: it is larger than {LARGEST >> 20} MB", Source(_STDIN, 1, 1)
        )
    return came


def run(arguments: argparse.Namespace) -> int:
    from visualizer.export.preprocessed import preprocessed

    path, line = file_and_line(arguments.file)
    if line is not None:
        hint = f"unfold steps {path}:{line} prints what becomes of this line"
        raise InputError("expand prints a whole file", Source(path, line, 1), hint)
    typed = () if path != "-" else ((os.path.abspath(_STDIN), _typed()),)
    path = _STDIN if typed else path
    options = options_told(flags_in(arguments), path)
    unsaved = tuple((name, text.decode("utf-8", "surrogateescape")) for name, text in typed)
    expanded = expand(path, replace(options, unsaved=unsaved, exact=True))
    write = exact_output()
    printed = preprocessed(
        expanded.tokens,
        not arguments.plain,
        expanded.spelled,
        expanded.ascii_names,
        expanded.language,
    )
    block, size = [], 0
    for piece in printed:
        block.append(piece)
        size += len(piece)
        if size > _AT_ONCE:
            write("".join(block))
            block, size = [], 0
    write("".join(block))
    return report(advised(list(map(_as_said, expanded.diagnostics))), unsaved)


def _as_said(diagnostic: Diagnostic) -> Diagnostic:
    """As `cc -E` says it, which only warns of a quote without its partner: what compiles that refuses
    it."""
    opened = diagnostic.code is Code.OPEN_LITERAL
    return replace(diagnostic, severity="warning") if opened else diagnostic
