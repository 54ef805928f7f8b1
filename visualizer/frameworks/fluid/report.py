"""What the run pane tells of an operator of Fluid's, in rows: what came out, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from visualizer.frameworks.fluid.story import short
from visualizer.layout.rows import LABEL, QUIET, STRONG, refused
from visualizer.layout.words import Parts, clipped, prose

if TYPE_CHECKING:
    from registry_runtime.fluid.run_op import OpStory

_NUMBERS = 60  # of an output, from which on only its ends are shown


def outputs(story: OpStory, width: int) -> list[Parts]:
    """Each output with its shape and its numbers; or the error."""
    if story.error is not None or story.outputs is None:
        return refused(str(story.error), width)
    rows: list[Parts] = []
    for name, value in story.outputs.items():
        rows += [[]] * bool(rows)
        rows += _output(name, value, width)
    return rows


def steps(story: OpStory, width: int) -> list[Parts]:
    """What the call did, step by step, and its error if it ends in one."""
    rows: list[Parts] = []
    for step in story.steps:
        for i, row in enumerate(prose(short(step.sentence), max(width - LABEL, 8))):
            rows.append([((step.kind if i == 0 else "").ljust(LABEL), QUIET), *row])
    if story.error is not None:
        rows += [[], *refused(str(story.error), width)]
    return rows


def _output(name: str, value: Any, width: int) -> list[Parts]:
    if isinstance(value, list):
        return [r for i, one in enumerate(value) for r in _output(f"{name}[{i}]", one, width)]
    if value is None:
        return [[(name, STRONG), ("  none", QUIET)]]
    array = np.asarray(value)
    numbers = np.array2string(array, threshold=_NUMBERS, edgeitems=3, precision=4)
    return [
        [(name, STRONG), (f"  {array.dtype}{list(array.shape)}", QUIET)],
        *(clipped([(f"  {line}", ())], width, "…") for line in numbers.splitlines()),
    ]
