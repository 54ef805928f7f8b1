"""What the run pane tells of an operator of PyTorch's, and of a stub, in rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime.lab.aten.trial import hops, shown
from visualizer.layout.rows import ACCENT, LABEL, QUIET, RIGHT, STRONG, WRONG, labelled
from visualizer.layout.words import Parts, clipped, prose

if TYPE_CHECKING:
    from registry_runtime.aten.tensor.tensor import Tensor
    from registry_runtime.lab.aten.capabilities import Build
    from registry_runtime.lab.aten.trial import OperatorTrial

_NUMBERS = 24  # of a result, from which on only its ends are shown
_BAR = 30


def result(trial: OperatorTrial, width: int) -> list[Parts]:
    """Whether NumPy agrees, the numbers, and last the way of the call."""
    rows = [*_verdict(trial.agrees), []]
    several = isinstance(trial.result, tuple | list)
    for made in trial.result if several else (trial.result,):
        rows += _tensor("result", made, width)
    for tensor in trial.inputs:
        rows += [[], *_tensor("input", tensor, width)]
    rows += [[], *labelled("hops", hops(trial.story), width, STRONG)]
    for choice in dict.fromkeys(trial.story.stubs):
        rows += labelled("stub", f"{choice.stub} takes its slot {choice.slot}", width)
    return rows


def time(trial: OperatorTrial, width: int) -> list[Parts]:
    """How long a call takes as Python code makes it, and what the first one took more."""
    rows = list(labelled("built in", _seconds(trial.build_seconds), width))
    rows += labelled("a call", _seconds(trial.seconds), width, STRONG)
    if trial.bytes:
        rows += labelled("moves", f"{trial.bytes:,} bytes at least", width)
        rows += labelled("throughput", f"{trial.bytes / trial.seconds / 1e9:,.2f} GB/s", width)
    return rows


def builds(found: Sequence[Build], width: int) -> list[Parts]:
    """A stub's builds beside one another: slot, width of the registers, time with a bar."""
    slowest = max((b.seconds for b in found if b.seconds), default=1.0)
    rows: list[Parts] = []
    for one in found:
        look = STRONG if one.chosen else ()
        mark = "▸ " if one.chosen else "  "
        lanes = f"{one.bits} bits, vectors of {one.elements}" if one.elements else "no vectors"
        rows.append([(f"{mark}{one.capability!s:9}", look), (f" {one.slot}", look)])
        rows.append([(" " * LABEL, ()), (lanes, QUIET)])
        if one.seconds is None:
            rows.append([(" " * LABEL, ()), ("this processor can't run it", QUIET)])
            continue
        bar = "█" * max(round(min(_BAR, max(width - 3 * LABEL, 1)) * one.seconds / slowest), 1)
        first = found[0].seconds
        ratio = f"  {first / one.seconds:.2f} ×" if first else ""
        took = _seconds(one.seconds).rjust(10)
        rows.append([(" " * LABEL, ()), (f"{took}{ratio} ", STRONG), (bar, ACCENT)])
    rows += [[], *prose("▸ is the slot that a call takes on this machine.", width, QUIET)]
    return [clipped(row, width, "…") for row in rows]


def _verdict(agrees: bool | None) -> Iterator[Parts]:
    if agrees is None:
        yield [("done; NumPy has no such function to compare with", QUIET)]
    elif agrees:
        yield [("✓ the operator and NumPy agree", RIGHT)]
    else:
        yield [("✗ the operator and NumPy differ", WRONG)]


def _tensor(label: str, tensor: Any, width: int) -> Iterator[Parts]:
    if not hasattr(tensor, "sizes"):
        yield from labelled(label, str(tensor), width)
        return
    strides = f"strides {list(tensor.strides)}" if tensor.strides else ""
    yield from labelled(label, f"{shown(tensor)}  {strides}", width)
    for line in _numbers(tensor).splitlines():
        yield clipped([(f"  {line}", ())], width, "…")


def _numbers(tensor: Tensor) -> str:
    if tensor.device.type.name != "CPU":
        return ""
    return np.array2string(tensor.numpy(), threshold=_NUMBERS, edgeitems=3, precision=4)


def _seconds(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:,.2f} ms"
