"""What Unfold reads out of Fluid's samples is what C++ does with them when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from registry_runtime.fluid.execution_context import RuntimeContext
from registry_runtime.fluid.grad_op_maker import OpDesc
from registry_runtime.fluid.infer_shape_context import InferShapeContext
from registry_runtime.phi.data_type import trans_to_phi_data_type
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.program import Program
from tests.samples.fluid import SAMPLES, registered_by
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file

Lines = list[list[Any]]


def told(lines: Lines, *what: str) -> Lines:
    return [line for line in lines if line[0] in what]


def proto_lines(program: Program, op_type: str) -> Lines:
    """The lines that the maker's `Make` would print."""
    proto = program.fluid.op_info_map.Get(op_type).Proto()
    lines: Lines = [["input", op_type, var.name] for var in proto.inputs]
    lines += [["output", op_type, var.name] for var in proto.outputs]
    for attr in proto.attrs:
        if not attr.extra:
            lines += [["attr", op_type, attr.name], ["default", op_type, attr.default]]
    return lines


def grad_lines(program: Program, op_type: str) -> Lines:
    info = program.fluid.op_info_map.Get(op_type)
    proto = info.Proto()
    forward = OpDesc(
        op_type,
        {var.name: [f"v_{var.name}"] for var in proto.inputs},
        {var.name: [f"v_{var.name}"] for var in proto.outputs},
    )
    (made,) = info.GradOpMaker(forward)
    return [
        ["grad type", op_type, made.type],
        *(["grad input", op_type, name, names] for name, names in made.inputs.items()),
        *(["grad output", op_type, name, names] for name, names in made.outputs.items()),
    ]


def shape(program: Program, op_type: str, dims: list[int], axis2: int, output: str) -> list[int]:
    infer_shape = program.fluid.op_info_map.Get(op_type).infer_shape
    assert infer_shape is not None
    out = MetaTensor()
    call = RuntimeContext(
        op_type,
        {"Input": [MetaTensor(tuple(dims))]},
        {output: [out]},
        {"axis1": 0, "axis2": axis2},
    )
    infer_shape(InferShapeContext(call))
    return list(out.dims)


def opened(sample: Path, *defines: str) -> Program:
    program = Program()
    bench = open_file(sample, Options(macros=tuple(("D", d) for d in defines)), program)
    assert bench.diagnostics == ()
    return program


@pytest.mark.compiler
@pytest.mark.parametrize("sample", ["trace_op.cc", "between/trace_op.cc"])
def test_operators_are_what_their_classes_say_in_cpp(compiler: str, sample: str) -> None:
    theirs, ours = registered_by(SAMPLES / sample, compiler), opened(SAMPLES / sample)
    assert proto_lines(ours, "trace") == told(theirs, "input", "output", "attr", "default")
    assert grad_lines(ours, "trace") == told(theirs, "grad type", "grad input", "grad output")
    gradient = ours.fluid.op_info_map.Get("trace_grad")
    assert [["no need", "trace_grad", list(gradient.no_need_buffer_vars or ())]] == told(
        theirs, "no need"
    )
    shapes = told(theirs, "shape")
    assert shapes
    for _, op_type, dims, axis2, output, made in shapes:
        assert shape(ours, op_type, dims, axis2, output) == made


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("sample", "defines"), [("trace_op.cc", ()), ("trace_op.cu.cc", ("PADDLE_WITH_CUDA",))]
)
def test_kernels_have_the_keys_that_cpp_gives_them(
    compiler: str, sample: str, defines: tuple[str, ...]
) -> None:
    theirs = told(registered_by(SAMPLES / sample, compiler, defines), "kernel")
    ours = opened(SAMPLES / sample, *defines).fluid.op_kernels
    libraries = {"cpu": "CPU", "gpu": "CUDA"}  # both are LibraryType::kPlain
    assert [
        [
            "kernel",
            op_type,
            int(trans_to_phi_data_type(key.data_type)),
            str(key.place.type),
            libraries[str(key.place.type)],
            key.customized_type_value,
        ]
        for op_type, kernels in ours.items()
        for key in kernels
    ] == theirs
    assert {str(key.library_type) for kernels in ours.values() for key in kernels} == {"PLAIN"}
