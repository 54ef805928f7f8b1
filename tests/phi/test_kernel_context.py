"""The box that a call's arguments travel in."""

from typing import Any

import numpy as np
import pytest

from registry_runtime.phi.contexts import CPUContext
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument, OutOfRange, PreconditionNotMet
from registry_runtime.phi.int_array import IntArray
from registry_runtime.phi.kernel_context import KernelContext
from registry_runtime.phi.place import CPUPlace
from registry_runtime.phi.scalar import Scalar
from registry_runtime.phi.selected_rows import SelectedRows


def tensors(count: int) -> list[DenseTensor]:
    return [DenseTensor(np.full(1, i)) for i in range(count)]


def test_lists_of_tensors_lie_flat_and_their_ranges_tell_them_apart() -> None:
    ctx, (a, b, c, d) = KernelContext(CPUContext()), tensors(4)
    ctx.EmplaceBackInput(a)
    ctx.EmplaceBackInputs([b, c])
    ctx.EmplaceBackInput(None)
    ctx.EmplaceBackOutputs([d, None])
    assert [ctx.InputRangeAt(i) for i in range(3)] == [(0, 1), (1, 3), (3, 4)]
    assert ctx.OutputRangeAt(0) == (0, 2)
    assert ctx.InputsBetween(1, 3, DenseTensor) == [b, c]
    assert ctx.InputAt(0, DenseTensor) is a
    assert ctx.OptionalInputAt(3, DenseTensor) is None
    assert ctx.OptionalInputsBetween(3, 4, DenseTensor) is None
    assert ctx.MutableOutputBetween(0, 2, DenseTensor) == [d, None]
    assert ctx.MutableOutputBetween(1, 2, DenseTensor) == []
    assert (ctx.InputsSize(), ctx.OutputsSize(), ctx.AttrsSize()) == (4, 2, 0)


@pytest.mark.parametrize("method", ["InputRangeAt", "OutputRangeAt", "AttrAt"])
@pytest.mark.parametrize("idx", [0, -1])
def test_an_index_that_is_not_there(method: str, idx: int) -> None:
    with pytest.raises(OutOfRange, match=rf"{method}\({idx}\) is out of range"):
        getattr(KernelContext(), method)(idx)


def test_a_tensor_of_another_kind() -> None:
    ctx = KernelContext()
    ctx.EmplaceBackInput(SelectedRows())
    ctx.EmplaceBackInput(None)
    for idx, has in ((0, "SelectedRows"), (1, "nullptr")):
        with pytest.raises(InvalidArgument, match=f"wanted as DenseTensor, and is {has}"):
            ctx.InputAt(idx, DenseTensor)


@pytest.mark.parametrize(
    ("cpp_type", "value", "taken"),
    [
        ("bool", True, True),
        ("int", 7, 7),
        ("int64_t", 2**40, 2**40),
        ("float", 0.1, float(np.float32(0.1))),
        ("double", 0.1, 0.1),
        ("const std::string&", "NCHW", "NCHW"),
        ("const std::vector<int>&", (1, 2), [1, 2]),
        ("const Scalar&", 2, Scalar(2)),
        ("const Scalar&", DenseTensor(np.array([2.5])), Scalar(np.float64(2.5))),
        ("const IntArray&", [1, 2], IntArray((1, 2))),
        ("const IntArray&", DenseTensor(np.array([1, 2])), IntArray((1, 2), True)),
        ("DataType", DataType.BOOL, DataType.BOOL),
        ("const Place&", CPUPlace(), CPUPlace()),
    ],
)
def test_attributes_by_type(cpp_type: str, value: Any, taken: Any) -> None:
    ctx = KernelContext()
    ctx.EmplaceBackAttr(value)
    assert ctx.AttrAt(0) is value
    assert ctx.AttrAt(0, cpp_type) == taken


@pytest.mark.parametrize(
    ("cpp_type", "value"),
    [
        ("bool", 1),
        ("int", True),
        ("int", 2**31),
        ("int", 1.5),
        ("float", "1"),
        ("const std::vector<int>&", [1, "2"]),
        ("const Scalar&", "text"),
        ("const IntArray&", [1.5]),
        ("DataType", 7),
    ],
)
def test_an_attribute_of_another_type(cpp_type: str, value: Any) -> None:
    ctx = KernelContext()
    ctx.EmplaceBackAttr(value)
    with pytest.raises(InvalidArgument, match="Attribute cast error in Op Kernel Context"):
        ctx.AttrAt(0, cpp_type)


def test_no_context() -> None:
    with pytest.raises(PreconditionNotMet, match="Kernel should pass DeviceContext as argument"):
        KernelContext().GetDeviceContext()
