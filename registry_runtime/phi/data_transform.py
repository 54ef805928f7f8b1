"""Before a kernel is launched, its tensors are made what it expects.

A registered kernel says of each tensor parameter on which backend, in which layout and with which data
type it expects it. What the caller has may differ: the CPU's kernel was taken because the GPU has
none, or the tensor keeps its channels last. Whatever differs is changed in a copy; `ALL_BACKEND`,
`ALL_LAYOUT` and `ALL_DTYPE` say that the kernel takes what comes. By default data types are left
alone, except that real numbers become complex ones, for a wrong type is more often a mistake than a
wish; an operator's definition can ask for the conversion.

Every change is reported as a `Transform`.

Source: `paddle/phi/api/lib/data_transform.h` and `.cc`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from registry_runtime.phi.backend import Backend, CustomRegisteredDeviceMap
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.device_memory import copy_to
from registry_runtime.phi.enforce import InvalidArgument, PreconditionNotMet
from registry_runtime.phi.kernel import TensorArgDef
from registry_runtime.phi.place import (
    AllocationType,
    Place,
    TransToPhiBackend,
    TransToPhiPlace,
)
from registry_runtime.phi.selected_rows import SelectedRows
from registry_runtime.phi.sparse_tensor import SparseCooTensor, SparseCsrTensor


@dataclass(frozen=True, slots=True)
class TransformFlag:
    """`TransformFlag`: what an operator's definition, and the global flags, allow."""

    stop_transform: bool = False
    trans_data_type: bool = False
    trans_backend: bool = True
    trans_layout: bool = True

    def need_trans_data_type(self) -> bool:
        return not self.stop_transform and self.trans_data_type

    def need_trans_backend(self) -> bool:
        return not self.stop_transform and self.trans_backend

    def need_trans_layout(self) -> bool:
        return not self.stop_transform and self.trans_layout


@dataclass(frozen=True, slots=True)
class Transform:
    """One change to one argument, before the launch or, for an output, after it."""

    argument: str
    what: Literal["contiguous", "layout", "dtype", "place"]
    before: str
    after: str
    sentence: str


DEFAULT_FLAG = TransformFlag()


def NeedTransformPlace(
    place: Place, target: Backend, flag: TransformFlag, devices: CustomRegisteredDeviceMap
) -> bool:
    if not flag.need_trans_backend():
        return False
    if place.type is AllocationType.GPUPINNED:
        return True
    wanted = Backend.GPU if target is Backend.GPUDNN else target
    return target is not Backend.ALL_BACKEND and TransToPhiBackend(place, devices) != wanted


def NeedTransformDataType(input: DataType, target: DataType, flag: TransformFlag) -> bool:
    to_complex = target in (DataType.COMPLEX64, DataType.COMPLEX128) and input not in (
        DataType.INT32,
        DataType.INT64,
        DataType.BOOL,
    )
    return input != target and (flag.need_trans_data_type() or to_complex)


def NeedTransformLayout(
    input: DataLayout, target: DataLayout, place: Place, flag: TransformFlag
) -> bool:
    """Never on the GPU, whose kernels look after the layout themselves."""
    if target is DataLayout.STRIDED or place.type is AllocationType.GPU:
        return False
    anything = DataLayout.ALL_LAYOUT in (input, target)
    return flag.need_trans_layout() and not anything and input != target


def PrepareData(
    argument: str,
    tensor: Any,
    target: TensorArgDef,
    devices: CustomRegisteredDeviceMap,
    *,
    kernel_backend: Backend = Backend.UNDEFINED,
    flag: TransformFlag = DEFAULT_FLAG,
    is_stride_kernel: bool = False,
    use_stride_kernel: bool = True,
) -> tuple[Any, tuple[Transform, ...]]:
    """The tensor as the kernel expects it, and what was changed; the same object if nothing was.

    None, an optional input that is absent, stays None; a list is prepared tensor by tensor.
    `kernel_backend` is the selected kernel's: it stands in for CUSTOM, which names no device. Raises
    InvalidArgument where a dense tensor is expected to be sparse or the other way round, or where
    the device isn't there.
    """
    if target.backend is Backend.CUSTOM:
        target = replace(target, backend=kernel_backend)
    changes = _Changes(argument, target, devices, flag, is_stride_kernel, use_stride_kernel)
    match tensor:
        case None:
            return None, ()
        case list() | tuple():
            prepared: list[Any] = []
            reported: list[Transform] = []
            for i, element in enumerate(tensor):
                done, transforms = PrepareData(
                    f"{argument}[{i}]",
                    element,
                    target,
                    devices,
                    flag=flag,
                    is_stride_kernel=is_stride_kernel,
                    use_stride_kernel=use_stride_kernel,
                )
                prepared.append(done)
                reported += transforms
            return prepared, tuple(reported)
        case SparseCooTensor() | SparseCsrTensor():
            _check_kind(argument, tensor.layout, target.layout)
            return tensor, ()
        case SelectedRows():
            value, reports = changes.of_rows(tensor.value)
            return (
                (SelectedRows(tensor.rows, tensor.height, value), reports)
                if reports
                else (
                    tensor,
                    (),
                )
            )
        case DenseTensor():
            _check_kind(argument, tensor.layout, target.layout)
            return changes.of(tensor) if tensor.has_allocation() else (tensor, ())
    return tensor, ()


def TransDataBackend(
    argument: str, tensor: DenseTensor, target: Backend, devices: CustomRegisteredDeviceMap
) -> tuple[DenseTensor, Transform]:
    """An output, brought to where the call was meant for after the CPU stood in."""
    place = TransToPhiPlace(target, devices)
    return _moved(tensor, place), Transform(
        argument,
        "place",
        str(tensor.place),
        str(place),
        f"{argument} is copied from {tensor.place} back to {place}, where the inputs are",
    )


SPARSE_TENSORS = {
    DataLayout.SPARSE_COO: "SparseCooTensor",
    DataLayout.SPARSE_CSR: "SparseCsrTensor",
}


def _check_kind(argument: str, has: DataLayout, wanted: DataLayout) -> None:
    names = SPARSE_TENSORS
    if has == wanted or (has not in names and wanted not in names):
        return
    raise InvalidArgument(
        f"argument '{argument}' must be {names.get(wanted, 'DenseTensor')}, "
        f"but got {names.get(has, 'DenseTensor')}"
    )


@dataclass(frozen=True, slots=True)
class _Changes:
    argument: str
    target: TensorArgDef
    devices: CustomRegisteredDeviceMap
    flag: TransformFlag
    is_stride_kernel: bool
    use_stride_kernel: bool

    def of(self, tensor: DenseTensor) -> tuple[DenseTensor, tuple[Transform, ...]]:
        """Contiguous, layout, data type, place: in Paddle's order."""
        target, flag, done = self.target, self.flag, list[Transform]()
        change_layout = len(tensor.dims) != 1 and NeedTransformLayout(
            tensor.layout, target.layout, tensor.place, flag
        )
        change_dtype = NeedTransformDataType(tensor.dtype, target.dtype, flag)
        strided_is_fine = self.is_stride_kernel and not (change_layout or change_dtype)
        out = tensor
        if self.use_stride_kernel and not strided_is_fine and not tensor.is_contiguous():
            out = self._contiguous(out, done)
        if change_layout:
            out = self._in_layout(out, target.layout, done)
        if change_dtype:
            out = self._as_dtype(out, target.dtype, done)
        if NeedTransformPlace(out.place, target.backend, flag, self.devices):
            out = self._at_place(out, done)
        return out, tuple(done)

    def of_rows(self, value: DenseTensor) -> tuple[DenseTensor, tuple[Transform, ...]]:
        """For SelectedRows only the place is changed, and strided values made contiguous."""
        done: list[Transform] = []
        if not value.has_allocation():
            return value, ()
        out = value if value.is_contiguous() else self._contiguous(value, done)
        if NeedTransformPlace(out.place, self.target.backend, self.flag, self.devices):
            out = self._at_place(out, done)
        return out, tuple(done)

    def _contiguous(self, tensor: DenseTensor, done: list[Transform]) -> DenseTensor:
        data = tensor.data.copy(order="C")
        out = replace(tensor, data=data)
        self._report(
            done,
            "contiguous",
            f"strides {list(tensor.strides)}",
            f"strides {list(out.strides)}",
            "is copied into one contiguous piece: the kernel isn't registered as STRIDED",
        )
        return out

    def _in_layout(
        self, tensor: DenseTensor, layout: DataLayout, done: list[Transform]
    ) -> DenseTensor:
        axes = _AXES.get((tensor.layout, layout))
        if tensor.place.type is not AllocationType.CPU:
            raise PreconditionNotMet("Unsupported data layout cast from CPU to GPU.")
        if axes is None or len(axes) != len(tensor.dims):
            raise InvalidArgument(
                f"argument '{self.argument}' of dims {list(tensor.dims)} can't be changed from "
                f"{tensor.layout} to {layout}"
            )
        data = np.ascontiguousarray(tensor.data.transpose(axes))
        self._report(
            done,
            "layout",
            f"{tensor.layout} {list(tensor.dims)}",
            f"{layout} {list(data.shape)}",
            f"is transposed from {tensor.layout} to {layout}, the layout that the kernel expects",
        )
        return replace(tensor, data=data, layout=layout)

    def _as_dtype(self, tensor: DenseTensor, dtype: DataType, done: list[Transform]) -> DenseTensor:
        self._report(
            done,
            "dtype",
            str(tensor.dtype),
            str(dtype),
            f"is cast from {tensor.dtype} to {dtype}, the data type that the kernel expects",
        )
        return replace(tensor, data=tensor.data.astype(dtype.numpy))

    def _at_place(self, tensor: DenseTensor, done: list[Transform]) -> DenseTensor:
        place = TransToPhiPlace(self.target.backend, self.devices)
        self._report(
            done,
            "place",
            str(tensor.place),
            str(place),
            f"is copied from {tensor.place} to {place}, where the kernel works",
        )
        return _moved(tensor, place)

    def _report(
        self,
        done: list[Transform],
        what: Literal["contiguous", "layout", "dtype", "place"],
        before: str,
        after: str,
        sentence: str,
    ) -> None:
        done.append(Transform(self.argument, what, before, after, f"{self.argument} {sentence}"))


def _moved(tensor: DenseTensor, place: Place) -> DenseTensor:
    held_at = place if place.type is AllocationType.CUSTOM else None
    return replace(tensor, data=copy_to(tensor.data, place), held_at=held_at)


_AXES = {
    (DataLayout.NCHW, DataLayout.NHWC): (0, 2, 3, 1),
    (DataLayout.NHWC, DataLayout.NCHW): (0, 3, 1, 2),
    (DataLayout.NCDHW, DataLayout.NDHWC): (0, 2, 3, 4, 1),
    (DataLayout.NDHWC, DataLayout.NCDHW): (0, 4, 1, 2, 3),
}
