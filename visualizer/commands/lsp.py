"""`unfold lsp`: what the screens show, in an editor."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, complain
from visualizer.workbench.flag_words import add_flags, flags_in

_CLIENTS = Path(__file__).parent.parent / "editor" / "clients"
_EXAMPLES = f"""\
examples:
  unfold lsp                    what an editor starts, and speaks with on stdin and stdout
  unfold lsp -p build           flags from build/compile_commands.json

It goes beside clangd, and shows what that does not: hover tells what an invocation becomes and
registers, code actions expand it level by level, first in a document of its own. What to paste:

  -- Neovim, in init.lua: :UnfoldStep, :UnfoldExpand, :UnfoldWhole
  dofile("{_CLIENTS}/neovim.lua").setup()
  ;; Emacs 29, in init.el; M-x unfold-step
  (load "{_CLIENTS}/emacs.el")
  (unfold-mode-server)
  # Helix: into ~/.config/helix/languages.toml
  cat {_CLIENTS}/helix.toml
  # Kate: under Settings, LSP Client, User Server Settings
  cat {_CLIENTS}/kate.json
  # VS Code, with npm; its command is Unfold: Step Through the Macro Here
  npm --prefix {_CLIENTS}/vscode install --ignore-scripts
  npm --prefix {_CLIENTS}/vscode run package
  code --install-extension {_CLIENTS}/vscode/unfold.vsix
"""


def configure(commands: Commands) -> None:
    command = add(commands, "lsp", "show it in an editor, as a language server", _EXAMPLES)
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    if find_spec("pygls") is None:
        return complain("an editor's server needs pygls: pip install 'unfold[editor]'", INPUT_ERROR)
    if sys.stdin.isatty():
        said = "an editor speaks with it on stdin: 'unfold lsp --help' says what to paste there"
        return complain(said, USAGE_ERROR)
    flags = flags_in(arguments)
    if flags.database is not None and not os.path.exists(flags.database):
        return complain(f"-p {flags.database}: no such folder", USAGE_ERROR)
    from visualizer.editor.server import serve

    serve(flags)
    os._exit(OK)  # the client has gone: nobody waits for what still reads, or surveys a folder
