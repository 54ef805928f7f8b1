"""Data of one's own for `unfold run`: what an operator takes, by the names of its parameters.

`--input x=a.npy`, `--attr axis=1`. What the words mean, `lab.given` says for every framework; here only
standard input is turned into such words, for it can be read once and has no name.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from visualizer.commands.parser import Parser
from visualizer.commands.reporting import why_not_written

_STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class OwnData:
    """What was given, by parameter, as it was typed."""

    inputs: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)

    @property
    def texts(self) -> dict[str, str]:
        return {**self.inputs, **self.attributes}


def add_data_flags(command: Parser) -> None:
    command.add_argument(
        "--input",
        metavar="NAME=DATA",
        dest="inputs",
        type=_named,
        action="append",
        default=[],
        help="a tensor: x=a.npy, x=many.npz:key, x='[[1, 2], [3, nan]]', x=3x4:range (random, zeros, "
        "ones), x=- for standard input (x=-:key of an .npz); a list of tensors is one --input for each",
    )
    command.add_argument(
        "--attr",
        metavar="NAME=VALUE",
        dest="attributes",
        type=_named,
        action="append",
        default=[],
        help="an attribute, e.g. axis=1",
    )
    command.add_argument(
        "--save", metavar="FILE", type=Path, help="write the result, as .npy or .npz"
    )


def _named(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise argparse.ArgumentTypeError(f"'{text}' names nothing: write NAME=VALUE, x=a.npy")
    return name.strip(), value.strip()


def trouble_with_data(arguments: argparse.Namespace) -> str:
    """Why the words can't be used together; empty if they can."""
    given = arguments.inputs or arguments.attributes
    if (arguments.asm or arguments.llvm) and (given or arguments.save):
        return "--asm and --llvm show code, which no --input changes and no --save holds"
    if arguments.explain and arguments.save:
        return "--explain tells the call, and gives no result to save: leave out one of them"
    if sum(is_standard_input(value) for _, value in arguments.inputs) > 1:
        return "standard input can be read once: give the other --input a file"
    twice = [name for name, _ in arguments.attributes]
    if repeated := next((name for name in twice if twice.count(name) > 1), None):
        return f"--attr {repeated} is given twice"
    if arguments.save is not None and arguments.save.suffix.lower() not in (".npy", ".npz"):
        return f"{arguments.save}: results are saved as .npy or .npz"
    return why_not_written(arguments.save)


@contextmanager
def own_data(arguments: argparse.Namespace) -> Iterator[OwnData]:
    """What was given; standard input is kept in a file for as long. Raises ValueError where it can't
    be read."""
    with TemporaryDirectory(prefix="unfold-") as folder:
        inputs: dict[str, Sequence[str]] = {}
        for name, value in arguments.inputs:
            text = _standard_input(Path(folder), name, value) if is_standard_input(value) else value
            inputs[name] = [*inputs.get(name, ()), text]
        joined = {name: "; ".join(texts) for name, texts in inputs.items()}
        yield OwnData(joined, dict(arguments.attributes))


def is_standard_input(value: str) -> bool:
    """Whether that is what the words of an `--input` stand for: `-`, or `-:key`."""
    return value.partition(":")[0].strip() == _STANDARD_INPUT


def _standard_input(folder: Path, name: str, value: str) -> str:
    """The words for what comes in: a file that NumPy wrote, or values in brackets."""
    from registry_runtime.lab.array_file import MOST_BYTES, array_file

    if sys.stdin.isatty():
        raise ValueError("standard input is the keyboard here: send a .npy into it, or [1, 2, 3]")
    came = sys.stdin.buffer.read(MOST_BYTES + (1 << 16))
    if not came.startswith((b"\x93NUMPY", b"PK")):
        return came.decode("utf-8", "replace").strip()
    kept = folder / ("standard input.npy" if came.startswith(b"\x93") else "standard input.npz")
    kept.write_bytes(came)
    text = f"{kept}{value.removeprefix(_STANDARD_INPUT)}"
    try:
        array_file(text)
    except ValueError as error:
        raise ValueError(f"{name}: {str(error).replace(str(kept), _STANDARD_INPUT)}") from None
    return text
