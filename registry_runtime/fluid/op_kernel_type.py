"""The key of one of Fluid's kernels, and the map that it is a key of.

`AllOpKernels()` is a map of maps: an operator's name, then an `OpKernelType`, whose five members are
compared one by one. PHI made of them three: the place and the library became one `Backend`
(`GPU` with cuDNN is `GPUDNN`), the customised value was dropped, and what was left is packed into one
number (`phi/kernel_key.py`).

Source: `paddle/fluid/framework/op_kernel_type.h`, `library_type.h`, `framework.proto`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from registry_runtime.cpp_enum import CppEnum
from registry_runtime.cxx import CxxClass, Span
from registry_runtime.phi.backend import Backend, CustomRegisteredDeviceMap
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import (
    cpp_type_to_data_type,
    trans_to_phi_data_type,
    trans_to_proto_var_type,
)
from registry_runtime.phi.enforce import Unimplemented
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.place import Place, TransToPhiBackend


class VarType(CppEnum):
    """`proto::VarType::Type`, as far as it is for elements. `str()` gives what Paddle prints."""

    BOOL = 0
    INT16 = 1
    INT32 = 2
    INT64 = 3
    FP16 = 4
    FP32 = 5
    FP64 = 6
    SIZE_T = 19
    UINT8 = 20
    INT8 = 21
    BF16 = 22
    COMPLEX64 = 23
    COMPLEX128 = 24

    def __str__(self) -> str:
        return _PRINTED.get(self.name, self.name)


# DataTypeToString, of `paddle/fluid/framework/data_type.cc`: the C++ type, as a macro spelled it.
_PRINTED = {
    "BOOL": "bool",
    "INT16": "int16_t",
    "INT32": "int",
    "INT64": "int64_t",
    "FP16": "::phi::dtype::float16",
    "FP32": "float",
    "FP64": "double",
    "UINT8": "uint8_t",
    "INT8": "int8_t",
    "BF16": "::phi::dtype::bfloat16",
    "COMPLEX64": "::phi::dtype::complex<float>",
    "COMPLEX128": "::phi::dtype::complex<double>",
}


def to_data_type(spelling: str) -> VarType:
    """`framework::ToDataType(typeid(T))`. Raises Unimplemented for a type that Fluid has none for."""
    try:
        return VarType(trans_to_proto_var_type(cpp_type_to_data_type(spelling)))
    except (KeyError, ValueError):
        raise Unimplemented(
            f"Not support {spelling} as tensor data type.",
            hint=f"there are {', '.join(p.removeprefix('::phi::dtype::') for p in _PRINTED.values())}",
        ) from None


class LibraryType(IntEnum):
    """`framework::LibraryType`: whose code computes."""

    kPlain = 0
    kMKLDNN = 1
    kCUDNN = 2
    kCUTLASS = 3
    kKP = 4

    def __str__(self) -> str:
        return self.name.removeprefix("k").upper()


_LIBRARIES = {
    **dict.fromkeys(("PLAIN", "CPU", "CUDA", "XPU", "IPU", "NPU"), LibraryType.kPlain),
    "MKLDNN": LibraryType.kMKLDNN,
    "CUDNN": LibraryType.kCUDNN,
    "CUTLASS": LibraryType.kCUTLASS,
    "KP": LibraryType.kKP,
}


def string_to_library_type(name: str) -> LibraryType:
    """`framework::StringToLibraryType`: the second word of a registration. Raises Unimplemented."""
    found = _LIBRARIES.get(name.upper())
    if found is None:
        raise Unimplemented(
            f"Unknown LibraryType string ({name}), only support library type string include PLAIN, "
            "MKLDNN, CUDNN, CPU, CUDA, IPU, MLU, NPU, XPU and XP.",
            hint="CPU and CUDA are no libraries: both stand for PLAIN",
            argument=1,
        )
    return found


@dataclass(frozen=True, slots=True, eq=False)
class OpKernelType:
    """`framework::OpKernelType`. `str()` prints it as Paddle does. Which device of its kind a place
    is makes no difference to the key: `Place(gpu:0)` and `Place(gpu:1)` are the same.

    >>> from registry_runtime.phi.place import CPU_PLACE
    >>> print(OpKernelType(VarType.FP32, CPU_PLACE))
    {data_type[float]; data_layout[Undefined(AnyLayout)]; place[Place(cpu)]; library_type[PLAIN]}
    """

    data_type: VarType
    place: Place
    data_layout: DataLayout = DataLayout.kAnyLayout
    library_type: LibraryType = LibraryType.kPlain
    customized_type_value: int = 0

    @property
    def _compared(self) -> tuple[object, ...]:
        place = (self.place.type, self.place.device_type)
        library = (self.library_type, self.customized_type_value)
        return (self.data_type, place, self.data_layout, *library)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpKernelType) and self._compared == other._compared

    def __hash__(self) -> int:
        return hash(self._compared)

    def __str__(self) -> str:
        return (
            f"{{data_type[{self.data_type}]; data_layout[{self.data_layout}]; "
            f"place[{self.place}]; library_type[{self.library_type!s}]}}"
        )

    def phi_kernel_key(self, devices: CustomRegisteredDeviceMap) -> KernelKey:
        """`TransOpKernelTypeToPhiKernelKey`: where PHI looks for the kernel of this key."""
        backend = _BACKENDS.get(self.library_type) or TransToPhiBackend(self.place, devices)
        return KernelKey(backend, self.data_layout, trans_to_phi_data_type(self.data_type))


_BACKENDS = {
    LibraryType.kCUDNN: Backend.GPUDNN,
    LibraryType.kMKLDNN: Backend.ONEDNN,
    LibraryType.kKP: Backend.KPS,
}


@dataclass(frozen=True, slots=True)
class ClassKernel:
    """What AllOpKernels() holds: in C++ a function that makes a kernel and calls its `Compute`.

    `kernel_type` is the class, with its template arguments. `refused` is what of its body can't be run,
    None where all can.
    """

    kernel_type: CxxClass
    refused: Span | None = None

    @property
    def runnable(self) -> bool:
        return self.refused is None

    def __str__(self) -> str:
        return str(self.kernel_type)


OpKernelMap = dict[OpKernelType, ClassKernel]
AllOpKernels = dict[str, OpKernelMap]
