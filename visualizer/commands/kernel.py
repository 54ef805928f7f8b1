"""`unfold kernel new FILE:LINE`: the beginning of a Python kernel, written beside its registration."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from pathlib import Path

from visualizer.commands.parser import Commands, add
from visualizer.commands.preprocessor_flags import options_told
from visualizer.commands.reporting import OK, complain, report
from visualizer.expansion.source_files import display_path
from visualizer.workbench.flag_words import add_flags, flags_in
from visualizer.workbench.opening import file_and_line

_EXAMPLES = """\
examples:
  unfold kernel new kernel.cc:40
  unfold run my_kernel --file kernel.cc --kernels mine.py --check

The registration on that line, and the C++ function that it names, say what the kernel takes.
NAME_kernel.py beside the file gets a signature with the right parameters, the data types that are
registered, random inputs, and places for what is computed: a NumPy reference, a function of one element
or a loop for Numba, a statement for CUDA. Where the C++ body visibly is a formula of elements, a loop
or a functor that is handed to ElementwiseCompute, the formula is filled in; if not, the file says why.
No file is overwritten.

A kernel's file is Python, and runs in a process of its own with limits on time, memory and output; it
gives a registration a body, and registers nothing.
"""


def configure(commands: Commands) -> None:
    command = add(commands, "kernel", "write a Python kernel for a registration", _EXAMPLES)
    command.add_argument("what", choices=("new",), help="write the file")
    command.add_argument("file", metavar="FILE[:LINE]", type=file_and_line)
    command.add_argument(
        "--output", metavar="FILE", type=Path, help="instead of NAME_kernel.py beside the file"
    )
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    from registry_runtime.kernels.skeleton.text import NoKernel
    from visualizer.workbench.bench import open_file
    from visualizer.workbench.new_kernel import new_kernel

    path, line = arguments.file
    bench = open_file(path, options_told(flags_in(arguments), path))
    try:
        made = new_kernel(bench, line)
    except NoKernel as reason:
        report([d for d in bench.diagnostics if d.severity == "error"])
        return complain(str(reason))
    if arguments.output is not None:
        made = replace(made, path=arguments.output)
    shown = display_path(made.path)
    try:
        made.write()
    except FileExistsError:
        return complain(f"{shown} is there already, and stays as it is: --output names another")
    except OSError as error:
        return complain(f"cannot write {shown}: {error.strerror}")
    print(f"{shown}: a Python kernel for {made.name}")
    if made.reason:
        print(f"to fill in: what it computes ({made.reason})")
    words = ["unfold", "run", made.name, "--file", path, "--kernels", str(shown), "--check"]
    print(f"try it: {shlex.join([*words, *_flags(arguments.words)])}")
    return OK


def _flags(words: list[str]) -> list[str]:
    """What stands behind the file, but for --output: how the file is preprocessed."""
    rest = words[3:]
    if "--output" in rest:
        at = rest.index("--output")
        rest = rest[:at] + rest[at + 2 :]
    return rest
