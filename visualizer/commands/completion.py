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
_NO_FILES = "complete -c unfold -f\n"
_FIRST = "_shtab_unfold_using; and test $_shtab_unfold_npos -eq 0"
# What shtab writes, and what is meant. A file may stand where a command may, and as what nothing else
# is known to complete; and of several words, zsh is to complete each, not the first.
_MEANT = (
    ("complete -o bashdefault -F", "complete -o bashdefault -o default -F"),
    ("': :_shtab_unfold_commands'", "': :{_shtab_unfold_commands || _files}'"),
    ('"(*)::', '"*:'),
    ('"(*):', '"*:'),
    (_NO_FILES, f"{_NO_FILES}complete -c unfold -n '{_FIRST}' -F\n"),
)
_FILES = ("FILE", "FILE[:LINE]", "FILE[:LINE[:COLUMN]]")
_FOLDERS = ("DIR",)
_KERNELS = ("KERNEL",)
_LESSONS = ("ID",)
_TRACKS = ("TRACK",)


def configure(commands: Commands) -> None:
    command = add(commands, "completion", "print a shell's completion script", _EXAMPLES)
    command.add_argument("shell", choices=SHELLS, help="the shell that the script is for")


def run(arguments: argparse.Namespace) -> int:
    import shtab

    parser = arguments.whole()
    for action in _actions(parser):
        if action.metavar in (*_KERNELS, *_LESSONS):
            action.help = ""  # examples, which fish would say of each name
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.metavar in _KERNELS:
            action.choices = _kernel_names()
        elif action.metavar in _LESSONS:
            action.choices = _lessons()
        elif action.metavar in _TRACKS:
            action.choices = _tracks()
    if arguments.shell == "bash":  # to which a colon ends a word, so that no operator is one
        print("COMP_WORDBREAKS=${COMP_WORDBREAKS//:}")
    script = shtab.complete(parser, arguments.shell)
    for written, meant in _MEANT:
        script = script.replace(written, meant)
    print(script)
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
    from visualizer.workbench.linking import load

    aten = load(sample_files("aten")).aten
    operators = {str(name) for name in aten.dispatcher.getAllOpNames()}
    return sorted(kernels.registered_names() | operators | {*aten.stubs})


def _lessons() -> list[str]:
    """As `unfold lessons` lists them."""
    from visualizer.learning.overview import overview

    return [lesson.short_id for lesson, _ in overview(lambda _: None)]


def _tracks() -> list[str]:
    return list(dict.fromkeys(short_id.partition("/")[0] for short_id in _lessons()))
