"""A kernel in the registry: the function, and what is known of its arguments.

PHI (`paddle/phi/core/kernel_factory.h`) keeps with each function a description of its parameters: on
which backend, in which layout and with which data type each tensor is expected or will be left, and
of what type each attribute is. Callers compare it with what they have and move or convert tensors
before the call. The description is first read off the function's C++ type; then the braces of the
registration may change it.

We keep two things more. `function` is the C++ function that the kernel came from. `implementation`
is the Python kernel that does the work; a kernel without one is declared, but can't be run.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum, auto
from typing import TypeVar

from registry_runtime.cpp_enum import CppEnum
from registry_runtime.cxx import CxxClass, CxxFunction, Refusal
from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType, cpp_type_to_data_type
from registry_runtime.phi.enforce import InvalidArgument, OutOfRange
from registry_runtime.phi.kernel_template import KernelTemplate

# What to do about a kernel that is declared only.
TO_RUN_IT = (
    "`unfold kernel new FILE:LINE` writes one beside the registration, and `unfold run NAME --body` "
    "compiles the C++ body and runs it"
)


class AttributeType(CppEnum):
    """`phi::AttributeType`. `str()` gives what Paddle's `operator<<` prints: `vector<int>`."""

    UNDEFINED = 0
    BOOL = 1
    INT32 = 2
    INT64 = 3
    FLOAT32 = 4
    FLOAT64 = 5
    STRING = 6
    BOOLS = 7
    INT32S = 8
    INT64S = 9
    FLOAT32S = 10
    FLOAT64S = 11
    STRINGS = 12
    SCALAR = 13
    SCALARS = 14
    INT_ARRAY = 15
    DATA_TYPE = 16
    DATA_LAYOUT = 17
    PLACE = 18

    def __str__(self) -> str:
        return _PRINTED[self]


_PRINTED = [
    "Undefined",
    "bool",
    "int",
    "int64_t",
    "float",
    "double",
    "string",
    "vector<bool>",
    "vector<int>",
    "vector<int64_t>",
    "vector<float>",
    "vector<double>",
    "vector<string>",
    "Scalar",
    "vector<Scalar>",
    "IntArray",
    "DataType",
    "DataLayout",
    "Place",
]


@dataclass(slots=True)
class TensorArgDef:
    """`phi::TensorArgDef`: what is expected of one tensor parameter.

    `type_index` is the parameter's C++ type, empty if the function isn't declared. The setters
    return the object itself, so that C++ can chain them, and raise InvalidArgument for a value of
    another enumeration, which C++ would not compile.
    """

    backend: Backend
    layout: DataLayout
    dtype: DataType
    type_index: str = ""

    def SetBackend(self, backend: Backend) -> TensorArgDef:
        self.backend = _checked("SetBackend", backend, Backend)
        return self

    def SetDataLayout(self, layout: DataLayout) -> TensorArgDef:
        self.layout = _checked("SetDataLayout", layout, DataLayout)
        return self

    def SetDataType(self, dtype: DataType) -> TensorArgDef:
        self.dtype = _checked("SetDataType", dtype, DataType)
        return self


Member = TypeVar("Member", bound=IntEnum)


def _checked(setter: str, value: Member, wanted: type[Member]) -> Member:
    if isinstance(value, wanted):
        return value
    got = f"a {type(value).__name__}" if isinstance(value, Enum) else repr(value)
    raise InvalidArgument(f"{setter} takes a {wanted.__name__}, not {got}", argument=0)


@dataclass(slots=True)
class AttributeArgDef:
    """`phi::AttributeArgDef`: the type of one attribute. An attribute is what is not a tensor."""

    type_index: AttributeType


@dataclass(slots=True)
class KernelArgsDef:
    """`phi::KernelArgsDef`: a kernel's tensors and attributes, each kind in its own order.

    PHI knows every kernel's type. We may meet a registration without the declaration of its kernel;
    then `open_slot` is what a tensor of it would look like, and inputs and outputs come into being
    as the braces mention them.
    """

    input_defs: list[TensorArgDef] = field(default_factory=list)
    output_defs: list[TensorArgDef] = field(default_factory=list)
    attribute_defs: list[AttributeArgDef] = field(default_factory=list)
    open_slot: TensorArgDef | None = None

    def append_input(self, tensor: TensorArgDef) -> None:
        self.input_defs.append(tensor)

    def append_output(self, tensor: TensorArgDef) -> None:
        self.output_defs.append(tensor)

    def append_attribute(self, type_index: AttributeType) -> None:
        self.attribute_defs.append(AttributeArgDef(type_index))

    def copy(self) -> KernelArgsDef:
        """The same description, to be changed on its own."""
        return KernelArgsDef(
            [replace(tensor) for tensor in self.input_defs],
            [replace(tensor) for tensor in self.output_defs],
            [replace(attribute) for attribute in self.attribute_defs],
            self.open_slot,
        )


class KernelRegisteredType(Enum):
    """`phi::KernelRegisteredType`: a function of PHI's, or one of Fluid's structures."""

    FUNCTION = auto()
    STRUCTURE = auto()


@dataclass(frozen=True, slots=True)
class KernelFn:
    """`phi::KernelFn`, the uniform type behind which every kernel is kept.

    `function` is the kernel itself, `structure` one of Fluid's classes instead; `name` spells either.
    """

    function: CxxFunction | None
    name: str
    structure: CxxClass | None = None

    def __call__(self, *context: object) -> object:
        raise Refusal(f"`{self.name}` is registered here, and run from Python")


@dataclass(slots=True)
class Kernel:
    """`phi::Kernel`: a registered kernel."""

    fn: KernelFn
    variadic_fn: KernelFn | None
    args_def: KernelArgsDef = field(default_factory=KernelArgsDef)
    implementation: KernelTemplate | None = None
    get_kerneltype_forvar_fn_: object = None
    check_if_onednn_kernel_support_: object = None

    @property
    def registered_type(self) -> KernelRegisteredType:
        """STRUCTURE if there is no variadic function to call; its parameters are unknown then."""
        if self.variadic_fn is None:
            return KernelRegisteredType.STRUCTURE
        return KernelRegisteredType.FUNCTION

    @property
    def function(self) -> CxxFunction | None:
        """The C++ function: its name, template arguments and type. None for a structure."""
        return self.fn.function

    @property
    def context(self) -> str:
        """The device context it is instantiated for, by its short name: `CPU`, `GPU`, `Custom`."""
        arguments = self.function.arguments if self.function else ()
        for argument in arguments:
            name = str(argument).rpartition("::")[2]
            if argument.type is not None and name.endswith("Context"):
                return name.removesuffix("Context")
        return ""

    @property
    def runnable(self) -> bool:
        """Whether a Python kernel stands behind it that can be built for its context and dtype."""
        if self.implementation is None or self.function is None:
            return False
        # A plug-in's device is simulated: its memory is the host's, and its kernels are the CPU's.
        computes_on = {"Custom": "CPU", "OneDNN": "ONEDNN"}.get(self.context, self.context)
        if computes_on not in self.implementation.backends:
            return False
        try:
            dtype = cpp_type_to_data_type(str(self.function.arguments[0]))
        except (KeyError, IndexError):
            return False
        return dtype in self.implementation.dtypes

    def InputAt(self, idx: int) -> TensorArgDef:
        """Input number `idx`. Raises OutOfRange as `std::vector::at` does."""
        return self._at("InputAt", "input", self.args_def.input_defs, idx)

    def OutputAt(self, idx: int) -> TensorArgDef:
        """Output number `idx`. Raises OutOfRange as `std::vector::at` does."""
        return self._at("OutputAt", "output", self.args_def.output_defs, idx)

    def _at(self, method: str, kind: str, tensors: list[TensorArgDef], idx: int) -> TensorArgDef:
        if isinstance(idx, Enum) or not isinstance(idx, int):
            raise InvalidArgument(f"{method} takes a number", argument=0)
        slot = self.args_def.open_slot
        # No kernel has hundreds of tensors, and a slip of the finger should not make them.
        if slot is not None and 0 <= idx < 256:
            tensors += (replace(slot) for _ in range(len(tensors), idx + 1))
        if 0 <= idx < len(tensors):
            return tensors[idx]
        many = f"{len(tensors)} {kind}{'' if len(tensors) == 1 else 's'}"
        raise OutOfRange(
            f"{method}({idx}) is out of range: this kernel has {many}", hint="they count from 0"
        )
