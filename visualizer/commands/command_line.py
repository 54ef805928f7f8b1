"""A command line in, an exit code out: one parser for all subcommands, and one place where they end.

Exit codes: 0 done, 1 the input has errors, 2 wrong usage. Diagnostics go to stderr as
`FILE:LINE:COL: error: TEXT`.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from visualizer import interrupts
from visualizer.commands.parser import Commands, Parser, parser_of
from visualizer.commands.reporting import INPUT_ERROR, OK, report
from visualizer.expansion import InputError, memory, preprocess
from visualizer.expansion.depth import room_to_nest
from visualizer.workbench.opening import file_and_line
from visualizer.workbench.samples import sample_files


class Command(Protocol):
    def configure(self, commands: Commands, /) -> None: ...

    def run(self, arguments: argparse.Namespace, /) -> int: ...


# The module of each. A command line imports that of its own command only.
COMMANDS = {
    "open": "open_file",
    "expand": "expand",
    "steps": "steps",
    "why": "why",
    "kernels": "kernels",
    "run": "run",
    "bench": "bench",
    "kernel": "kernel",
    "survey": "survey",
    "migrate": "migrate",
    "verify": "verify",
    "serve": "serve",
    "lsp": "lsp",
    "lessons": "lessons",
    "lesson": "lesson",
    "completion": "completion",
}
_LESSON = re.compile(r"[a-z]+/[0-9]+[a-z]?")
EXAMPLES = """\
examples:
  unfold                                       lessons, samples, the files opened last
  unfold open kernel.cc:40 -I include          step through the macro on line 40
  unfold expand kernel.cc -P                   what the preprocessor makes of a file
  unfold steps kernel.cc:40                    the same steps, as text
  unfold why kernel.cc:40                      what each name on line 40 is, and why
  unfold kernels kernel.cc                     what the file registers
  unfold run bitwise_and --check               build a registered kernel, run it, check it
  unfold kernel new kernel.cc:40               write a Python kernel for a registration
  unfold bench bitwise_and                     time it beside NumPy, PyTorch and Paddle
  unfold migrate trace_op.cc --check           a Fluid operator, and its PHI form
  unfold verify kernel.cc --paddle             is it so? the compiled file as judge
  unfold lessons                               what there is to learn
  unfold serve cpp_samples                     the app in a browser
"""


@memory.together()
def run_words(words: list[str]) -> int:
    """Run a command line; returns the exit code."""
    if any(word.startswith(("-i", "-Wp,", "@", "--torch=", "--paddle=")) for word in words):
        from visualizer.workbench.flag_words import words_apart

        words = words_apart(words)
    words = with_command(words)
    arguments = parser(words).parse_args(words)
    arguments.words = words
    try:
        if arguments.command is None:
            return _first_registration()
        command = _command(arguments.command)
        interrupts.be_raised()
        with room_to_nest():
            code = command.run(arguments)
        sys.stdout.flush()
        return code
    except InputError as error:
        report([error.diagnostic])
        return INPUT_ERROR
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:  # input is read with messages of its own, so this is the output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"unfold: error: cannot write: {error.strerror}", file=sys.stderr)
        return INPUT_ERROR
    except MemoryError:  # of what is bounded from outside, as by ulimit
        print("unfold: error: there is not enough memory for this", file=sys.stderr)
        return INPUT_ERROR


def _command(name: str) -> Command:
    return cast(Command, import_module(f"visualizer.commands.{COMMANDS[name]}"))


def _first_registration() -> int:
    """Without a command and without a screen: what the first sample's first registration becomes."""
    trace = preprocess(sample_files()[0], skip_included_text=True)
    registering = next(e for e in trace.expansions if e.macro == "PD_REGISTER_KERNEL")
    from visualizer.commands.steps import print_walkthrough
    from visualizer.export.walkthrough import Telling

    print_walkthrough([(trace, registering, None)], Telling())
    return OK


def with_command(words: list[str]) -> list[str]:
    """`unfold FILE…` means `unfold open FILE…`: a command line without a command, but with a file. So
    does `unfold macros/4` mean `unfold lesson macros/4`, where no file is called so."""
    if not words or words[0] in COMMANDS or words[0].startswith("-"):
        return words
    if _LESSON.fullmatch(words[0]) and not os.path.exists(words[0]):
        return ["lesson", *words]
    path = Path(file_and_line(words[0])[0])  # a word with a dot or a slash is none of a command
    is_a_file = os.path.exists(path) or bool(path.suffix) or len(path.parts) > 1
    return ["open", *words] if is_a_file else words


def parser(words: Sequence[str] = ()) -> Parser:
    """The whole command line, as the design has it; of the commands, only the one that words name."""
    top = parser_of(
        "Step through kernel-registration macros, watch the registry that they fill, and "
        "run the kernels in it. Alone, it opens the home screen; without a terminal, it prints what "
        "becomes of the first sample.",
        EXAMPLES,
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name in words[:1] if words and words[0] in COMMANDS else COMMANDS:
        _command(name).configure(commands)
    top.set_defaults(whole=parser)  # a shell's completion is made of all of it
    return top
