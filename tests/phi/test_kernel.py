"""A kernel's description of its arguments, as callers and braces use it."""

import pytest

from registry_runtime.phi import (
    AttributeType,
    Backend,
    DataLayout,
    DataType,
    InvalidArgument,
    Kernel,
    OutOfRange,
)
from tests.phi.registrations import BINARY, registration, run


@pytest.fixture
def kernel() -> Kernel:
    (entry,) = run(BINARY + registration(dtypes=("int",))).registrations
    return entry.kernel


def test_setters_chain(kernel: Kernel) -> None:
    tensor = kernel.InputAt(0).SetBackend(Backend.GPU).SetDataLayout(DataLayout.NHWC)
    assert tensor.SetDataType(DataType.BOOL) is kernel.InputAt(0)
    assert (tensor.backend, tensor.layout, tensor.dtype) == (
        Backend.GPU,
        DataLayout.NHWC,
        DataType.BOOL,
    )


def test_setters_take_their_own_enumeration_only(kernel: Kernel) -> None:
    with pytest.raises(InvalidArgument, match="SetDataType takes a DataType, not a Backend"):
        kernel.InputAt(0).SetDataType(Backend.CPU)  # type: ignore[arg-type]


@pytest.mark.parametrize("index", [2, -1, 2**64 - 1])
def test_there_is_no_input_beyond_the_last(kernel: Kernel, index: int) -> None:
    with pytest.raises(OutOfRange, match=f"InputAt.{index}. is out of range"):
        kernel.InputAt(index)
    with pytest.raises(IndexError):
        kernel.OutputAt(index)


def test_a_tensor_remembers_the_parameters_type(kernel: Kernel) -> None:
    types = [d.type_index for d in kernel.args_def.input_defs + kernel.args_def.output_defs]
    assert types == ["const phi::DenseTensor&", "const phi::DenseTensor&", "phi::DenseTensor*"]


def test_attribute_types_have_paddles_values_and_printed_forms() -> None:
    assert [str(AttributeType(value)) for value in range(19)] == [
        *("Undefined", "bool", "int", "int64_t", "float", "double", "string", "vector<bool>"),
        *("vector<int>", "vector<int64_t>", "vector<float>", "vector<double>", "vector<string>"),
        *("Scalar", "vector<Scalar>", "IntArray", "DataType", "DataLayout", "Place"),
    ]
