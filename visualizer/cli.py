"""The command `unfold`: a command line in, an exit code out.

Exit codes: 0 done, 1 the input has errors, 2 wrong usage. Diagnostics go to stderr as
`FILE:LINE:COL: error: TEXT`. Whatever a screen needs is imported only when a screen is opened.
"""

from __future__ import annotations

import gc
import io
import os
import sys

from visualizer import commands
from visualizer.commands.reporting import INPUT_ERROR, INTERRUPTED, OK, has_screen, report
from visualizer.expansion import InputError, preprocess
from visualizer.expansion.depth import room_to_nest
from visualizer.workbench.flags import file_and_line
from visualizer.workbench.samples import sample_files


def main(argv: list[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    if argv is None:  # a process of its own, and mostly over before there is much to collect
        gc.set_threshold(200_000, 50, 50)
    _never_fail_on_a_character()
    parser = commands.parser()
    arguments = parser.parse_args(with_command(sys.argv[1:] if argv is None else argv))
    try:
        if arguments.command is None:
            return _home()
        with room_to_nest():
            code = commands.COMMANDS[arguments.command].run(arguments)
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
    except KeyboardInterrupt:
        return INTERRUPTED


def _never_fail_on_a_character() -> None:
    """Bars and arrows on a terminal that has none are shown as '?', not as a traceback."""
    if sys.stdout is None:  # `>&-`
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _home() -> int:
    """The home screen; where there is no screen, what the first sample's first registration becomes."""
    if has_screen():
        from visualizer.tui.app import UnfoldApp

        with room_to_nest():
            UnfoldApp().run()
        return OK
    trace = preprocess(sample_files()[0], skip_included_text=True)
    registering = next(e for e in trace.expansions if e.macro == "PD_REGISTER_KERNEL")
    from visualizer.commands.steps import print_walkthrough
    from visualizer.export.walkthrough import Look

    print_walkthrough(trace, [registering], Look())
    return OK


def with_command(words: list[str]) -> list[str]:
    """`unfold FILE…` means `unfold open FILE…`: a command line without a command, but with a file."""
    if not words or words[0] in commands.COMMANDS or words[0].startswith("-"):
        return words
    path = file_and_line(words[0])[0]  # a word with a dot or a slash is none of a command
    is_a_file = os.path.exists(path) or bool(path.suffix) or len(path.parts) > 1
    return ["open", *words] if is_a_file else words
