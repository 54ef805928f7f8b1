"""Files that a command takes its kernels from: `--file`, what registers them, and `--kernels FILE.py`,
the Python kernels that it brings, to be run in a process of its own."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from visualizer.commands.parser import Parser
from visualizer.workbench.new_kernel import kernel_file


def add_registering_files(command: Parser, *, help: str) -> None:
    command.add_argument(
        "--file",
        metavar="FILE",
        dest="files",
        type=Path,
        action="append",
        default=[],
        help=help,
    )


def add_kernel_files(command: Parser) -> None:
    command.add_argument(
        "--kernels",
        metavar="FILE.py",
        dest="kernel_files",
        type=_python_file,
        action="append",
        default=[],
        help="run this file's Python kernels, in a process with limits; may be repeated",
    )


def _python_file(text: str) -> Path:
    path = Path(text)
    if path.suffix != ".py":
        raise argparse.ArgumentTypeError(
            f"{text} is no Python file; `unfold kernel new` writes one"
        )
    return path


def beside(files: Iterable[Path], name: str) -> Iterator[Path]:
    """The kernel of that name beside each file, where there is one."""
    for file in files:
        path = kernel_file(file, name)
        if path.is_file():
            yield path
