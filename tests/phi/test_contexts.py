"""Contexts: where they are, and the memory that they give."""

import numpy as np
import pytest

from registry_runtime.phi.contexts import CPUContext, CustomContext, context_for
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor, DenseTensorMeta
from registry_runtime.phi.enforce import InvalidArgument, Unavailable
from registry_runtime.phi.place import AllocationType, CPUPlace, CustomPlace, GPUPlace, Place


def declared(*dims: int, dtype: DataType = DataType.INT32) -> DenseTensor:
    return DenseTensor.with_meta(DenseTensorMeta(dtype, dims))


def test_each_place_has_its_context() -> None:
    assert context_for(CPUPlace()) == CPUContext()
    assert context_for(GPUPlace(1)).name == "GPUContext"
    assert context_for(CustomPlace("CustomCPU")).GetPlace() == CustomPlace("CustomCPU")
    with pytest.raises(Unavailable, match=r"no DeviceContext for Place\(ipu:0\)"):
        context_for(Place(AllocationType.IPU))


def test_memory_is_given_on_the_device_and_kept() -> None:
    tensor = declared(2, 3)
    memory = CPUContext().Alloc(tensor, DataType.INT32)
    assert (memory.shape, memory.dtype, tensor.place) == ((2, 3), np.int32, CPUPlace())
    assert CPUContext().Alloc(tensor, DataType.INT32) is memory


def test_the_requested_type_decides_and_not_the_declared_one() -> None:
    tensor = declared(4, dtype=DataType.INT32)
    CPUContext().Alloc(tensor, DataType.BOOL)
    assert tensor.dtype is DataType.BOOL


def test_a_plug_ins_device_and_the_host() -> None:
    context = CustomContext(CustomPlace("CustomCPU"))
    there, here = declared(2), declared(2)
    context.Alloc(there, DataType.FLOAT32)
    context.HostAlloc(here, DataType.FLOAT32)
    assert (there.place, here.place) == (CustomPlace("CustomCPU"), CPUPlace())
    context.Wait()


def test_what_cannot_be_allocated() -> None:
    with pytest.raises(InvalidArgument, match="dtype is Undefined"):
        CPUContext().Alloc(declared(2), DataType.UNDEFINED)
    with pytest.raises(InvalidArgument, match=r"dims \[-1\] aren't known yet"):
        CPUContext().Alloc(declared(-1), DataType.INT32)
