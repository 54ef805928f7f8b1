"""The subcommands of `unfold`, a file each: what it accepts, and what it does.

`configure` adds a subcommand's options and its help to the parser, `run` turns parsed arguments into an
exit code. All of these modules are imported to parse any command line, so whatever takes time to import
(Textual, Numba) is imported by `run`.
"""

from __future__ import annotations

import argparse
from typing import Protocol

from visualizer.commands import (
    bench,
    completion,
    expand,
    kernels,
    lesson,
    lessons,
    migrate,
    open_file,
    run,
    serve,
    steps,
    survey,
)
from visualizer.commands.parser import Commands, Parser, parser_of


class Command(Protocol):
    def configure(self, commands: Commands, /) -> None: ...

    def run(self, arguments: argparse.Namespace, /) -> int: ...


COMMANDS: dict[str, Command] = {
    "open": open_file,
    "expand": expand,
    "steps": steps,
    "kernels": kernels,
    "run": run,
    "bench": bench,
    "survey": survey,
    "migrate": migrate,
    "serve": serve,
    "lessons": lessons,
    "lesson": lesson,
    "completion": completion,
}
EXAMPLES = """\
examples:
  unfold                                       lessons, samples, the files opened last
  unfold open kernel.cc:40 -I include          step through the macro on line 40
  unfold expand kernel.cc -P                   what the preprocessor makes of a file
  unfold steps kernel.cc:40                    the same steps, as text
  unfold kernels kernel.cc                     what the file registers
  unfold run bitwise_and --dtype int32 --check build a registered kernel, run it, check it
  unfold bench bitwise_and                     time it beside NumPy, PyTorch and Paddle
  unfold migrate trace_op.cc --check           a Fluid operator, and its PHI form
  unfold lessons                               what there is to learn
  unfold serve cpp_samples                     the app in a browser
"""


def parser() -> Parser:
    """The whole command line, as the design has it."""
    top = parser_of(
        "Step through kernel-registration macros, watch the registry that they fill, and "
        "run the kernels in it. Alone, it opens the home screen; without a terminal, it prints what "
        "becomes of the first sample.",
        EXAMPLES,
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS.values():
        command.configure(commands)
    top.set_defaults(whole=top)  # a shell's completion is made of all of it
    return top
