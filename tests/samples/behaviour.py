"""What comes of a file: all that is listed of it, all that is said, and what calls of it give.

Two files that behave alike by this can't be told apart by who uses them; where the tokens stand
doesn't count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.runtime import Runtime as AtenRuntime
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.fluid.runtime import Runtime as FluidRuntime
from registry_runtime.lab.aten.dry_run import DRY_DTYPES
from registry_runtime.lab.aten.trial import (
    device_named,
    dtype_named,
    sample_arguments,
    schema_of,
)
from registry_runtime.lab.fluid.experiment import OpExperiment, fields
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.program import Program
from visualizer.expansion import Options
from visualizer.frameworks.registry import as_json
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.entries import Entry

_PLACES = ("file", "line", "column", "statement", "replaces")
_AS_IT_IS = Options()
# Beside an operator's defaults: what its bodies may ask about, each turned once.
_SHAPES = ("3,4,5", "4")
_ATTRIBUTES = {"int": ("0", "1", "-1", "2"), "bool": ("true",), "float": ("0.5",)}


def behaviour(
    path: Path, options: Options = _AS_IT_IS, beside: Sequence[tuple[Path, Options]] = ()
) -> str:
    """As one text, to be compared. What it calls may stand in other files `beside` it."""
    program = Program()
    for other, flags in beside:
        open_file(other, flags, program)
    bench = open_file(path, options, program)
    told = [(d.severity, d.message, d.hint) for d in bench.diagnostics]
    listed = _without_places(as_json(bench.entries, program))
    return json.dumps([told, listed, list(_calls(bench, program))], default=str, indent=1)


def _without_places(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _without_places(v) for k, v in value.items() if k not in _PLACES}
    if isinstance(value, list | tuple):
        return [_without_places(one) for one in value]
    return value


def _calls(bench: Workbench, program: Program) -> Iterator[object]:
    for entry in bench.entries:
        registration = entry.registration
        if registration.framework == "fluid" and registration.key == "operator":
            yield from _operator(program.fluid, registration.kernel_name)
    for name in dict.fromkeys(e.registration.kernel_name for e in bench.entries if _is_schema(e)):
        yield from _aten_operator(program.aten, name)


def _is_schema(entry: Entry) -> bool:
    return entry.registration.framework == "aten" and "::" in entry.registration.kernel_name


def _aten_operator(aten: AtenRuntime, name: str) -> Iterator[object]:
    """As it is called with what every type has, and where it has a second number, with another."""
    for backend, dtype in (*((("CPU"), d) for d in DRY_DTYPES), ("META", "float32")):
        for others in ({}, {"alpha": 3}, {"weight": 0.25}, {"self": 0}):
            try:
                schema = schema_of(aten, name)
                if not others.keys() <= {argument.name for argument in schema.arguments}:
                    continue
                device, shape = device_named(backend), (1,) if "assert" in name else (2, 3)
                values = sample_arguments(schema, dtype_named(dtype), shape, device)
                if others.get("self") == 0 and backend == "CPU":
                    values["self"].numpy()[...] = 0
                else:
                    values |= others
                story = aten.explain_call(name, **values)
                yield story.error and story.error.partition("\n")[0]
                yield [(str(hop.key), hop.reason) for hop in story.hops]
                yield str(story.result) if backend == "META" else _elements(story.result)
                yield [(str(choice.slot), choice.stub) for choice in story.stubs]
            except (KernelError, TorchError) as error:
                yield str(error)


def _elements(result: object) -> object:
    return result.numpy().tolist() if isinstance(result, Tensor) else str(result)


def _operator(fluid: FluidRuntime, op_type: str) -> Iterator[object]:
    try:
        named = fields(fluid, op_type)
    except (KernelError, OpError, EnforceNotMet) as error:
        yield str(error)
        return
    yield [(f.name, f.kind, f.text, f.type) for f in named]
    yield _called(fluid, op_type, {})
    for one in named:
        others = _SHAPES if one.kind == "input" else _ATTRIBUTES.get(one.type, ())
        yield from (_called(fluid, op_type, {one.name: text}) for text in others)
        if one.kind != "input":  # as far as two axes go, some are all that there are
            deep = {f.name: _SHAPES[0] for f in named if f.kind == "input"}
            yield from (_called(fluid, op_type, {**deep, one.name: text}) for text in others)
    yield from _by_program(fluid, op_type)
    yield from _without_an_input(fluid, op_type)


def _without_an_input(fluid: FluidRuntime, op_type: str) -> Iterator[object]:
    """What is said where a program leaves one out."""
    try:
        inputs = OpExperiment(op_type).inputs(fluid)
    except (KernelError, OpError, EnforceNotMet):
        return
    for left_out in inputs:
        try:
            given = {name: value for name, value in inputs.items() if name != left_out}
            yield sorted(fluid.call_op(op_type, given))
        except (KernelError, OpError, EnforceNotMet) as error:
            yield str(error)


def _by_program(fluid: FluidRuntime, op_type: str) -> Iterator[object]:
    """As a program calls it that wants no output, and then its gradient."""
    one = OpExperiment(op_type)
    try:
        inputs, attrs = one.inputs(fluid), one.attrs(fluid)
        attrs = {name: 1 if name == "offset" else value for name, value in attrs.items()}
        out_grads = {name: np.ones_like(v) for name, v in fluid.call_op(op_type, inputs).items()}
        gradient = fluid.call_gradient(op_type, inputs, out_grads, attrs)
        yield {name: np.asarray(value).tolist() for name, value in gradient.items()}
        yield fluid.call_op(op_type, inputs, attrs, outputs=())
    except (KernelError, EnforceNotMet) as error:
        yield str(error)


def _called(fluid: FluidRuntime, op_type: str, texts: Mapping[str, str]) -> object:
    try:
        story = OpExperiment(op_type, texts).call(fluid)
    except (KernelError, EnforceNotMet) as error:
        return str(error)
    if story.error is not None:
        return str(story.error)
    made = {name: np.asarray(value).tolist() for name, value in (story.outputs or {}).items()}
    return [[str(step.fact) for step in story.steps], made]
