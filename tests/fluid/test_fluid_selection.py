"""The way of a call to its kernel, told from a key: it ends where the call itself ends."""

from __future__ import annotations

import numpy as np
import pytest

from registry_runtime.fluid.selection import explain_selection, op_kernel_type
from registry_runtime.lab.phi.selection import key_named
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.kernel import Kernel
from registry_runtime.program import Program
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

FLUID = samples_folder() / "fluid"
BEFORE = ("trace_op.cc",)
MAPPED = ("trace_op.cc", "trace_sig.cc")
BETWEEN = ("between/trace_op.cc", "trace_sig.cc", "trace_infermeta.cc", "after/trace_kernel.cc")


def program_of(files: tuple[str, ...]) -> Program:
    program = Program()
    for file in files:
        open_file(FLUID / file, program=program)
    return program


def selected(program: Program, op_type: str, backend: str, dtype: str):
    key = op_kernel_type(program.fluid, key_named(program.phi, backend, "ALL_LAYOUT", dtype))
    return explain_selection(program.fluid, op_type, key)


@pytest.mark.parametrize("files", [BEFORE, MAPPED, BETWEEN], ids=["before", "mapped", "between"])
@pytest.mark.parametrize("dtype", ["float32", "int64", "complex64", "bool"])
def test_what_is_told_is_what_a_call_does(files: tuple[str, ...], dtype: str) -> None:
    program = program_of(files)
    told = selected(program, "trace", "CPU", dtype)
    story = program.fluid.explain_op("trace", {"Input": np.ones((3, 3), dtype)})
    if told.kernel is None:
        assert isinstance(story.error, OpError)
        return
    assert story.error is None
    launched = [step.fact for step in story.steps if step.kind == "launch"]
    assert launched == [told.function]


def test_the_path_names_both_registries() -> None:
    told = selected(program_of(MAPPED), "trace", "CPU", "float32")
    assert told.outcome == "found in Fluid"
    said = "\n".join(told.steps)
    for place in ("OpInfoMap", "argument mapping", "KernelFactory", "AllOpKernels()"):
        assert place in said


def test_a_call_of_a_migrated_operator_ends_in_phi_also_by_falling_back() -> None:
    program = program_of(BETWEEN)
    assert selected(program, "trace", "CPU", "int32").outcome == "found in PHI"
    there = selected(program, "trace", "GPU", "int32")
    assert there.outcome == "fell back to PHI's for the CPU"
    assert isinstance(there.kernel, Kernel)


@pytest.mark.parametrize(
    ("op_type", "backend", "dtype", "error"),
    [
        ("trce", "CPU", "float32", "Operator (trce) is not registered.; did you mean `trace`?"),
        ("trace", "GPU", "float32", "there are kernels on Place(cpu)"),
        ("trace", "GPUDNN", "float32", "library_type[CUDNN]"),
        ("trace", "CPU", "int16", "Operator (trace) does not have kernel for"),
    ],
)
def test_what_is_not_found_is_told_with_what_there_is(op_type, backend, dtype, error) -> None:
    told = selected(program_of(BEFORE), op_type, backend, dtype)
    assert told.kernel is None
    assert told.outcome == "not found"
    assert error in told.error


@pytest.mark.parametrize("backend", ["CPU", "GPU", "GPUDNN", "ONEDNN"])
def test_a_key_of_phis_is_made_of_the_one_that_it_is_turned_into(backend: str) -> None:
    program = program_of(BEFORE)
    layout = "ONEDNN" if backend == "ONEDNN" else "ALL_LAYOUT"
    key = key_named(program.phi, backend, layout, "float32")
    there = op_kernel_type(program.fluid, key)
    assert there.phi_kernel_key(program.phi.devices) == key


def test_a_type_that_fluid_never_had_is_refused() -> None:
    program = program_of(BEFORE)
    key = key_named(program.phi, "CPU", "ALL_LAYOUT", "uint16")
    with pytest.raises(ValueError, match="Fluid has no data type for uint16"):
        op_kernel_type(program.fluid, key)
