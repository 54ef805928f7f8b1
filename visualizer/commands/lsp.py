"""`unfold lsp`: what the screens show, in an editor."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import INPUT_ERROR, OK, complain
from visualizer.workbench.flag_words import add_flags, flags_in

_EXAMPLES = """\
examples:
  unfold lsp                    what an editor starts, and speaks with
  unfold lsp -p build           flags from build/compile_commands.json
"""


def configure(commands: Commands) -> None:
    command = add(commands, "lsp", "show it in an editor, as a language server", _EXAMPLES)
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    if find_spec("pygls") is None:
        return complain("an editor's server needs pygls: pip install 'unfold[editor]'", INPUT_ERROR)
    from visualizer.editor.server import serve

    serve(flags_in(arguments))
    return OK
