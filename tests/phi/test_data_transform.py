"""What is changed in a tensor before a kernel gets it, and how that is told."""

from typing import Any

import numpy as np
import pytest

from registry_runtime.phi.backend import Backend, CustomRegisteredDeviceMap
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_transform import (
    PrepareData,
    TransDataBackend,
    Transform,
    TransformFlag,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.kernel import TensorArgDef
from registry_runtime.phi.kernel_dispatch import ParseKernelKeyByInputArgs
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.place import CPUPlace, CustomPlace, GPUPlace
from registry_runtime.phi.selected_rows import SelectedRows
from registry_runtime.phi.sparse_tensor import SparseCooTensor

CUSTOM_CPU = CustomPlace("CustomCPU")
DEVICES = CustomRegisteredDeviceMap()
DEVICES.backend("CustomCPU")
DEVICES.loaded.add("CustomCPU")


def wants(
    backend: Backend = Backend.CPU,
    layout: DataLayout = DataLayout.NCHW,
    dtype: DataType = DataType.INT32,
) -> TensorArgDef:
    return TensorArgDef(backend, layout, dtype)


def prepare(tensor: Any, target: TensorArgDef, **how: Any) -> tuple[Any, tuple[Transform, ...]]:
    return PrepareData("x", tensor, target, DEVICES, **how)


def image(layout: DataLayout = DataLayout.NHWC, place: Any = None) -> DenseTensor:
    return DenseTensor(np.arange(24, dtype=np.int32).reshape(1, 2, 3, 4), layout, held_at=place)


def test_what_fits_is_the_same_object() -> None:
    tensor = DenseTensor(np.zeros((2, 3), np.int32))
    assert prepare(tensor, wants()) == (tensor, ())
    assert prepare(None, wants()) == (None, ())


@pytest.mark.parametrize(
    ("tensor", "target"),
    [
        (image(place=CUSTOM_CPU), wants(Backend.ALL_BACKEND, DataLayout.ALL_LAYOUT)),
        (DenseTensor(np.zeros(3)), wants(dtype=DataType.ALL_DTYPE)),
        (image(DataLayout.ALL_LAYOUT), wants()),
        (image(), wants(layout=DataLayout.STRIDED)),
        (DenseTensor(np.zeros(3, np.int32), DataLayout.NHWC), wants()),
        (image(place=GPUPlace()), wants(Backend.GPU)),
        (image(DataLayout.NCHW, GPUPlace()), wants(Backend.GPUDNN)),
        (DenseTensor(np.zeros(3)), wants()),
        (DenseTensor(), wants()),
    ],
    ids=[
        "any backend and layout",
        "any type",
        "of no layout",
        "strided kernel",
        "one dim",
        "layout on the GPU",
        "cuDNN on the GPU",
        "a type is left alone",
        "no memory",
    ],
)
def test_what_is_left_alone(tensor: DenseTensor, target: TensorArgDef) -> None:
    assert prepare(tensor, target) == (tensor, ())


def test_channels_last_becomes_channels_first_and_back() -> None:
    first, (transform,) = prepare(image(), wants())
    assert np.array_equal(first.data, image().data.transpose(0, 3, 1, 2))
    assert (first.layout, first.is_contiguous()) == (DataLayout.NCHW, True)
    assert transform == Transform(
        "x",
        "layout",
        "NHWC [1, 2, 3, 4]",
        "NCHW [1, 4, 2, 3]",
        "x is transposed from NHWC to NCHW, the layout that the kernel expects",
    )
    last, _ = prepare(first, wants(layout=DataLayout.NHWC))
    assert np.array_equal(last.data, image().data)


def test_a_layout_that_dims_do_not_have() -> None:
    tensor = DenseTensor(np.zeros((2, 3), np.int32), DataLayout.NHWC)
    with pytest.raises(InvalidArgument, match=r"'x' of dims \[2, 3\] can't be changed from NHWC"):
        prepare(tensor, wants())


def test_a_strided_tensor_is_copied_unless_the_kernel_knows_strides() -> None:
    tensor = DenseTensor(np.arange(12, dtype=np.int32).reshape(3, 4).T)
    copied, (transform,) = prepare(tensor, wants())
    assert copied.is_contiguous()
    assert np.array_equal(copied.data, tensor.data)
    assert (transform.what, transform.before) == ("contiguous", "strides [1, 4]")
    assert prepare(tensor, wants(), is_stride_kernel=True) == (tensor, ())
    assert prepare(tensor, wants(), use_stride_kernel=False) == (tensor, ())


def test_data_types_are_cast_on_request_and_to_complex_always() -> None:
    tensor = DenseTensor(np.array([1.5, 2.5], np.float32))
    cast, (transform,) = prepare(tensor, wants(), flag=TransformFlag(trans_data_type=True))
    assert (cast.dtype, cast.data.tolist()) == (DataType.INT32, [1, 2])
    assert (transform.before, transform.after) == ("float32", "int32")
    widened, _ = prepare(tensor, wants(dtype=DataType.COMPLEX64))
    assert widened.dtype is DataType.COMPLEX64
    whole = DenseTensor(np.array([1], np.int32))
    assert prepare(whole, wants(dtype=DataType.COMPLEX64)) == (whole, ())


def test_a_tensor_goes_to_where_the_kernel_works_and_back() -> None:
    x = np.arange(3, dtype=np.int32)
    there, (transform,) = prepare(DenseTensor(x), wants(DEVICES.backend("CustomCPU")))
    assert (there.place, there.data.tolist()) == (CUSTOM_CPU, [0, 1, 2])
    assert not np.shares_memory(there.data, x)
    assert transform.sentence == (
        "x is copied from Place(cpu) to Place(CustomCPU:0), where the kernel works"
    )
    here, _ = prepare(there, wants())
    assert here.place == CPUPlace()
    back, told = TransDataBackend("out", here, DEVICES.backend("CustomCPU"), DEVICES)
    assert back.place == CUSTOM_CPU
    assert (told.before, told.after) == ("Place(cpu)", "Place(CustomCPU:0)")


def test_custom_names_no_device_and_the_kernels_key_does() -> None:
    there = DenseTensor.at(np.zeros(1, np.int32), CUSTOM_CPU)
    on = DEVICES.backend("CustomCPU")
    assert prepare(there, wants(Backend.CUSTOM), kernel_backend=on) == (there, ())


def test_nothing_is_changed_where_the_operator_forbids_it() -> None:
    tensor = image(place=CUSTOM_CPU)
    assert prepare(tensor, wants(), flag=TransformFlag(stop_transform=True)) == (tensor, ())


def test_each_tensor_of_a_list_is_prepared() -> None:
    fits = DenseTensor(np.zeros(2, np.int32))
    prepared, (transform,) = prepare([fits, image()], wants())
    assert prepared[0] is fits
    assert transform.argument == "x[1]"


def test_of_selected_rows_the_value_moves() -> None:
    rows = SelectedRows([3, 1], 5, DenseTensor(np.ones((2, 2), np.int32)))
    moved, (transform,) = prepare(rows, wants(DEVICES.backend("CustomCPU")))
    assert (moved.place, moved.rows, moved.height) == (CUSTOM_CPU, [3, 1], 5)
    assert transform.what == "place"


def test_sparse_and_dense_are_not_confused() -> None:
    sparse = SparseCooTensor.from_dense(np.eye(2, dtype=np.int32))
    assert prepare(sparse, wants(layout=DataLayout.SPARSE_COO)) == (sparse, ())
    with pytest.raises(InvalidArgument, match="must be DenseTensor, but got SparseCooTensor"):
        prepare(sparse, wants())
    with pytest.raises(InvalidArgument, match="must be SparseCooTensor, but got DenseTensor"):
        prepare(DenseTensor(np.eye(2)), wants(layout=DataLayout.SPARSE_COO))
    with pytest.raises(InvalidArgument, match="must be SparseCsrTensor, but got SparseCooTensor"):
        prepare(sparse, wants(layout=DataLayout.SPARSE_CSR))


class TestKey:
    """`KernelKeyParser`."""

    def key(self, *tensors: Any, with_cuda: bool = False) -> KernelKey:
        named = [(f"x{i}", tensor) for i, tensor in enumerate(tensors)]
        return ParseKernelKeyByInputArgs(named, DEVICES, with_cuda=with_cuda).key

    def of(self, dtype: str, place: Any = None) -> DenseTensor:
        return DenseTensor(np.zeros(1, dtype), held_at=place)

    def test_the_last_data_type_wins(self) -> None:
        assert self.key(self.of("int32"), self.of("int64")).dtype is DataType.INT64
        assert self.key(self.of("int64"), 3, None, self.of("int32")).dtype is DataType.INT32

    @pytest.mark.parametrize(
        ("dtypes", "promoted"),
        [
            (("complex64", "float32"), DataType.COMPLEX64),
            (("complex64", "float64"), DataType.COMPLEX128),
            (("complex128", "complex64"), DataType.COMPLEX128),
            (("float64", "float32"), DataType.FLOAT32),
        ],
    )
    def test_complex_numbers_promote(self, dtypes: tuple[str, ...], promoted: DataType) -> None:
        assert self.key(*map(self.of, dtypes)).dtype is promoted

    def test_the_highest_backend_wins(self) -> None:
        cpu, gpu, custom = (self.of("int32", place) for place in (None, GPUPlace(), CUSTOM_CPU))
        assert self.key(cpu).backend is Backend.CPU
        assert self.key(cpu, gpu, cpu).backend is Backend.GPU
        assert self.key(gpu, with_cuda=True).backend is Backend.GPUDNN
        assert self.key(custom, gpu).backend is DEVICES.backend("CustomCPU")

    def test_all_tensors_of_a_list_speak(self) -> None:
        cpu, gpu = self.of("int32"), self.of("int32", GPUPlace())
        assert self.key([cpu, gpu]).backend is Backend.GPU

    def test_it_says_who_decided(self) -> None:
        named = [("x", self.of("int64", GPUPlace())), ("y", self.of("int32"))]
        parsed = ParseKernelKeyByInputArgs(named, DEVICES)
        assert (parsed.backend_from, parsed.dtype_from) == ("x", "y")
        assert [part.argument for part in parsed.parts] == ["x", "y"]

    def test_a_device_that_nobody_registered(self) -> None:
        with pytest.raises(InvalidArgument, match=r"CustomPlace\(NPU, 0\), the device type is not"):
            self.key(self.of("int32", CustomPlace("NPU")))
        assert DEVICES.device_types() == ("CustomCPU",)
