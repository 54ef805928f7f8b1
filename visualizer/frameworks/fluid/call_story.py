"""A call of an operator by its names, told from the names to the result.

    trace_grad Input=float32[3,3] Out@GRAD=float32[] offset=0 axis1=0 axis2=1

Fluid knows an operator's arguments by name, PHI a kernel's by place. A mapping, or the default
signature, puts the names in order; then the kernel is looked for, InferMeta says what the outputs are
like, and the kernel fills them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime.phi.arg_map_context import KernelSignature
from visualizer.frameworks.fluid.call_questions import Asking
from visualizer.frameworks.fluid.story import short
from visualizer.frameworks.story import Chapter, Grid, Story, StoryStep

if TYPE_CHECKING:
    from registry_runtime.fluid.op_story import OpStory
    from registry_runtime.fluid.op_story import Step as OpStep
    from visualizer.workbench.bench import Workbench

_TITLES = {
    "key": "The key that is looked for in Fluid",
    "signature": "The names, put in order",
    "kernel": "The kernel",
    "shapes": "What comes out, before anybody computes",
    "launch": "The call",
}
_NAMES = ("argument of the kernel", "name of the operator's")
_OUTPUTS = ("output", "dims")
_RESULTS = ("output", "type", "shape", "elements")


def written(bench: Workbench, words: Sequence[str]) -> Story:
    """OPERATOR NAME=VALUE …, in a program of the open file's. Raises Unanswerable."""
    told = Asking(bench, (), words).explained()
    chapters = [
        Chapter(_TITLES[kind], tuple(StoryStep("", short(s.sentence), _grid(s)) for s in steps))
        for kind, steps in groupby(told.steps, key=lambda step: step.kind)
    ]
    return Story(" ".join(words), (*chapters, _end(told)), failed=told.error is not None)


def _grid(step: OpStep) -> Grid | None:
    fact = step.fact
    if isinstance(fact, KernelSignature):
        kinds = (
            ("input", fact.input_names),
            ("attribute", fact.attr_names),
            ("output", fact.output_names),
        )
        rows = [(f"{kind} {n}", name) for kind, names in kinds for n, name in enumerate(names)]
        return Grid(_NAMES, tuple(rows))
    if step.kind == "shapes" and isinstance(fact, dict):
        rows = [(name, ", ".join(map(str, of_each))) for name, of_each in fact.items()]
        return Grid(_OUTPUTS, tuple(rows))
    return None


def _end(told: OpStory) -> Chapter:
    if told.error is not None:
        return Chapter("Error", (StoryStep("", str(told.error).splitlines()[0]),))
    outputs = told.outputs or {}
    grid = Grid(_RESULTS, tuple(_output(name, value) for name, value in outputs.items()))
    return Chapter("Result", (StoryStep("", ", ".join(outputs), grid),))


def _output(name: str, value: Any) -> tuple[str, ...]:
    if value is None or isinstance(value, list):
        return name, "", "", "none" if value is None else f"{len(value)} tensors"
    array = np.asarray(value)
    elements = np.array2string(array.reshape(-1), threshold=6, edgeitems=3, precision=4)
    return name, str(array.dtype), str(list(array.shape)), elements
