"""The constructor that registers.

`static const ::phi::KernelRegistrar name(…);` is all that a registration comes down to. The object
is empty and nobody ever uses it; constructing it has the effect
(`paddle/phi/core/kernel_registry.h`). The steps of `ConstructKernel` are below in Paddle's order: key,
kernel, arguments read off the type, the braces, the map.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum

from registry_runtime.cxx import CxxFunction, Pointer, defined_in
from registry_runtime.cxx.program import Program as Text
from registry_runtime.phi.args_parse import KernelArgsParseFn
from registry_runtime.phi.backend import CustomRegisteredDeviceMap, string_to_backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.infermeta_fn import MetaFnFactory
from registry_runtime.phi.kernel import Kernel, KernelArgsDef, KernelFn, KernelRegisteredType
from registry_runtime.phi.kernel_factory import CustomKernelMap, KernelFactory
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import KernelNames
from registry_runtime.phi.op_utils import ArgumentMappingFn, DefaultKernelSignatureMap, OpUtilsMap


class RegType(IntEnum):
    """`phi::RegType`: INNER for Paddle's own kernels, OUTER for a plug-in's."""

    INNER = 0
    OUTER = 1


KernelArgsDefFn = Callable[[KernelKey, Kernel], object]


@dataclass
class World:
    """What in Paddle are the process's singletons; the texts that make up the program; and the names
    of the kernels that are written in Python, registered or not."""

    factory: KernelFactory = field(default_factory=KernelFactory)
    custom_kernels: CustomKernelMap = field(default_factory=CustomKernelMap)
    devices: CustomRegisteredDeviceMap = field(default_factory=CustomRegisteredDeviceMap)
    op_utils: OpUtilsMap = field(default_factory=OpUtilsMap)
    default_signatures: DefaultKernelSignatureMap = field(default_factory=DefaultKernelSignatureMap)
    meta_fns: MetaFnFactory = field(default_factory=MetaFnFactory)
    texts: list[Text] = field(default_factory=list)
    written: KernelNames = tuple

    def defining(self, function: CxxFunction) -> CxxFunction:
        """The function with its body, from whichever text has it; itself where none has."""
        if function.is_defined:
            return function
        found = (defined_in(text, function) for text in self.texts)
        return next((one for one in found if one is not None), function)

    def argument_mapping_fn(self, op_type: str) -> ArgumentMappingFn | None:
        """The operator's mapping, with its body; None where it has no mapping."""
        fn = self.op_utils.GetArgumentMappingFn(op_type)
        return self.defining(fn) if isinstance(fn, CxxFunction) else fn


@dataclass(frozen=True, slots=True)
class Registered:
    """One kernel that a registrar put into the registry.

    `replaced` says that the key had a kernel before. `args_def_before` is the description as it was
    read off the type, before the braces changed it; `args_def_fn` is what runs the braces.
    """

    kernel_name: str
    key: KernelKey
    kernel: Kernel
    reg_type: RegType
    replaced: bool
    args_def_before: KernelArgsDef
    args_def_fn: KernelArgsDefFn


class KernelRegistrar:
    """`phi::KernelRegistrar`, with its two constructors: for one data type, and for all.

    `registered` lists what the construction did. Raises what the steps raise; then nothing was
    registered.
    """

    def __init__(self, world: World, *arguments: object) -> None:
        values = [value.to if isinstance(value, Pointer) else value for value in arguments]
        if len(values) not in (8, 9):
            raise InvalidArgument(
                f"KernelRegistrar has constructors of 8 and 9 arguments, and got {len(values)}"
            )
        has_dtype = len(values) == 9
        _check_arguments(values, has_dtype)
        reg_type, name, backend, layout = values[:4]
        dtypes = [values[4]] if has_dtype else _all_dtypes(str(name))
        constructed = [
            _construct_kernel(world, str(name), str(backend), layout, dtype, values[-4:])
            for dtype in dtypes
        ]
        if reg_type is RegType.OUTER:  # all or nothing
            for key, *_ in constructed:
                world.custom_kernels.check_is_new(str(name), key)
        self.registered = tuple(
            insert(world, reg_type, str(name), *kernel) for kernel in constructed
        )


Parameter = tuple[str, Callable[[object], bool]]  # what it is, and whether a value is that
_PARAMETERS: tuple[Parameter, ...] = (
    ("a RegType", lambda value: isinstance(value, RegType)),
    ("a string", lambda value: isinstance(value, str)),
    ("a string", lambda value: isinstance(value, str)),
    ("a DataLayout", lambda value: isinstance(value, DataLayout)),
    ("a DataType", lambda value: isinstance(value, DataType)),
    ("a function that parses arguments", lambda v: v is None or isinstance(v, KernelArgsParseFn)),
    ("a function that takes a KernelKey and a Kernel", callable),
    ("a kernel function", lambda value: isinstance(value, KernelFn)),
    ("a kernel function or nullptr", lambda v: v is None or isinstance(v, KernelFn)),
)


def _check_arguments(values: list[object], has_dtype: bool) -> None:
    wanted = _PARAMETERS if has_dtype else _PARAMETERS[:4] + _PARAMETERS[5:]
    check_arguments("KernelRegistrar", values, wanted)


def check_arguments(of: str, values: Sequence[object], wanted: Sequence[Parameter]) -> None:
    """Raises InvalidArgument where an argument isn't what is wanted at its place: a C++ compiler would
    have checked this."""
    for index, (value, (described, fits)) in enumerate(zip(values, wanted, strict=True)):
        if not fits(value):
            got = f"a {type(value).__name__}" if isinstance(value, Enum) else "something else"
            raise InvalidArgument(
                f"argument {index + 1} of {of} is {described}, and this is {got}", argument=index
            )


def _all_dtypes(kernel_name: str) -> list[DataType]:
    # Fluid has no kernels for the unsigned types beyond uint8, so "all" leaves them out.
    excluded = {DataType.UNDEFINED, DataType.NUM_DATA_TYPES}
    excluded |= {DataType.UINT16, DataType.UINT32, DataType.UINT64}
    if not kernel_name.startswith("strings_"):
        excluded.add(DataType.PSTRING)
    return [dtype for dtype in DataType if dtype not in excluded]


_Constructed = tuple[KernelKey, Kernel, KernelArgsDef, KernelArgsDefFn]


def _construct_kernel(
    world: World, name: str, backend: str, layout: object, dtype: object, functions: list[object]
) -> _Constructed:
    args_parse_fn, args_def_fn, kernel_fn, variadic_kernel_fn = functions
    assert isinstance(layout, DataLayout)
    assert isinstance(dtype, DataType)
    assert isinstance(kernel_fn, KernelFn)
    assert isinstance(variadic_kernel_fn, KernelFn | None)
    assert callable(args_def_fn)
    on = string_to_backend(backend, world.devices, with_cuda=world.factory.with_cuda)
    kernel_key = KernelKey(on, layout, dtype)
    kernel = Kernel(kernel_fn, variadic_kernel_fn)
    if kernel.registered_type is KernelRegisteredType.FUNCTION:
        if not isinstance(args_parse_fn, KernelArgsParseFn):
            raise InvalidArgument(f"`{name}` is a function kernel and has no args_parse_fn")
        args_parse_fn(kernel_key, kernel.args_def)
    before = kernel.args_def.copy()
    args_def_fn(kernel_key, kernel)
    return kernel_key, kernel, before, args_def_fn


def insert(
    world: World,
    reg_type: object,
    name: str,
    key: KernelKey,
    kernel: Kernel,
    before: KernelArgsDef,
    args_def_fn: KernelArgsDefFn,
) -> Registered:
    """Put a kernel where those of its kind are kept."""
    assert isinstance(reg_type, RegType)
    replaced = False
    if reg_type is RegType.INNER:
        kernels = world.factory.kernels.setdefault(name, {})
        replaced = key in kernels
        kernels[key] = kernel
    else:
        world.custom_kernels.RegisterCustomKernel(name, key, kernel)
    return Registered(name, key, kernel, reg_type, replaced, before, args_def_fn)
