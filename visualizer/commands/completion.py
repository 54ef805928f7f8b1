"""`unfold completion`: what a shell needs to complete our command lines, as a script.

The script is made of the parser itself, so it knows every subcommand and flag. What stands for a file,
a folder or a kernel is read off the metavars: one name means one thing everywhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import OK
from visualizer.workbench.samples import sample_files

SHELLS = ("bash", "zsh", "fish")
_EXAMPLES = """\
examples:
  unfold completion bash > ~/.local/share/bash-completion/completions/unfold
  unfold completion zsh > ~/.zfunc/_unfold        with ~/.zfunc in fpath
  unfold completion fish > ~/.config/fish/completions/unfold.fish

The script is static: print it anew after an update of Unfold.
"""
_FILES = ("FILE", "FILE[:LINE]")
_FOLDERS = ("DIR",)
_KERNELS = ("KERNEL",)


def configure(commands: Commands) -> None:
    command = add(commands, "completion", "print a shell's completion script", _EXAMPLES)
    command.add_argument("shell", choices=SHELLS, help="the shell that the script is for")


def run(arguments: argparse.Namespace) -> int:
    import shtab

    parser = arguments.whole()
    for action in _actions(parser):
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.metavar in _KERNELS:
            action.choices = _kernel_names()
    if arguments.shell == "bash":  # to which a colon ends a word, so that no operator is one
        print("COMP_WORDBREAKS=${COMP_WORDBREAKS//:}")
    print(shtab.complete(parser, arguments.shell))
    return OK


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Every action of a parser and of its subcommands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)


def _kernel_names() -> list[str]:
    """The kernels that can be run; the operators and stubs that the samples register."""
    from registry_runtime import kernels
    from visualizer.workbench.bench import load

    aten = load(sample_files("aten")).aten
    operators = {str(name) for name in aten.dispatcher.getAllOpNames()}
    return sorted(kernels.registered_names() | operators | {*aten.stubs})
