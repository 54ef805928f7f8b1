"""Paddle's C API: how a plug-in registers that shares no class of C++ with Paddle.

A plug-in may be built by another compiler than Paddle was, and then only C crosses the border
(`paddle/phi/capi`). A header gives it back its C++: `phi::DenseTensor` is a wrapper around a pointer
there, and `PD_BUILD_PHI_KERNEL` writes a class whose constructor calls a C function. What
`PD_RegisterPhiKernel` then does in Paddle (`capi/lib/c_kernel_registry.cc`) is what a KernelRegistrar
does, with two differences: the kernel goes into KernelFactory at once, without waiting in
CustomKernelMap, and it replaces in silence what was there.

A tensor of either side is one type here, PHI's: so Paddle describes it too. The two enumerations are
the C API's own, with fewer members and with other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import Any, TypeVar

from registry_runtime.cxx import (
    Binding,
    Bindings,
    Class,
    ClassTemplate,
    CxxError,
    CxxFunction,
    Enumeration,
    Function,
    FunctionType,
    Lazy,
    Method,
    NamedType,
    Pointer,
    PointerType,
    TemplateArgument,
    Type,
    UnknownType,
    called_last,
)
from registry_runtime.phi.backend import string_to_backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType, cpp_type_to_data_type
from registry_runtime.phi.enforce import InvalidArgument, Unavailable
from registry_runtime.phi.kernel import (
    AttributeType,
    Kernel,
    KernelArgsDef,
    KernelFn,
    TensorArgDef,
)
from registry_runtime.phi.kernel_impl import check_parameters
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_registrar import (
    Parameter,
    Registered,
    RegType,
    World,
    check_arguments,
    insert,
)
from registry_runtime.phi.parameter_types import (
    DENSE,
    LIST,
    OPTIONAL,
    OUTPUT,
    OUTPUTS,
    TAKEN,
    Kind,
    ParameterType,
)


class PD_DataType(IntEnum):
    """`PD_DataType`, which is `C_DataType` of `paddle/phi/backends/device_ext.h`."""

    UNDEFINED = 0
    BOOL = 1
    UINT8 = 2
    UINT16 = 3
    UINT32 = 4
    UINT64 = 5
    INT8 = 6
    INT16 = 7
    INT32 = 8
    INT64 = 9
    FLOAT16 = 10
    FLOAT32 = 11
    FLOAT64 = 12
    BFLOAT16 = 13
    COMPLEX64 = 14
    COMPLEX128 = 15


class PD_DataLayout(IntEnum):
    """`PD_DataLayout`, which is `C_DataLayout`."""

    ANY = 0
    NHWC = 1
    NCHW = 2
    NCDHW = 3
    NDHWC = 4
    STRIDED = 5
    NUM_DATA_LAYOUTS = 6

    ALL_LAYOUT = 0  # an alias, as in C++


def _to_phi_data_type(dtype: PD_DataType) -> DataType:
    return DataType[dtype.name]


def _to_phi_data_layout(layout: PD_DataLayout) -> DataLayout:
    if layout in (PD_DataLayout.STRIDED, PD_DataLayout.NUM_DATA_LAYOUTS):
        raise Unavailable(f"DataLayout {layout.value} is not supported.")
    return DataLayout[layout.name]


# --- What a kernel's parameters are ---------------------------------------------------------------

_CONTEXT = NamedType("phi::capi::DeviceContext")
_OWN_NAMES = {"phi::DataType": "PD_DataType", "phi::DataLayout": "PD_DataLayout"}
_ROWS = (DENSE, OPTIONAL, LIST, OUTPUT, OUTPUTS, *(row for row in TAKEN.values() if row.attribute))
# Of `CustomKernelImpl` there are specialisations for dense tensors, and for all of PHI's attributes.
_TAKEN = {_OWN_NAMES.get(row.cpp, row.cpp): row for row in _ROWS}
_TAKEN[f"const {_CONTEXT}&"] = ParameterType(f"const {_CONTEXT}&", Kind.CONTEXT)


class _ArgumentTypes(list[object]):
    """`std::vector<PD_KernelArgumentType>`, of which C gets the length and a pointer. Of a tensor the
    type in C++, of an attribute what PHI calls it."""


@dataclass(frozen=True, slots=True)
class _ArgsParser:
    """`phi::capi::CustomKernelArgsParseFunctor<…>`: what a function takes, in three lists."""

    in_args_type: _ArgumentTypes
    attr_args_type: _ArgumentTypes
    out_args_type: _ArgumentTypes


def _args_parser(arguments: tuple[TemplateArgument, ...]) -> Callable[[], _ArgsParser]:
    type = arguments[0].type if len(arguments) == 1 else None
    pointee = type.to if isinstance(type, PointerType) else None
    undeclared = isinstance(pointee, UnknownType) or type == NamedType("auto")
    if not (isinstance(pointee, FunctionType) or undeclared):
        raise InvalidArgument(
            "CustomKernelArgsParseFunctor takes the type of a pointer to a function"
        )
    parameters = pointee.parameters if isinstance(pointee, FunctionType) else ()
    found: dict[Kind, _ArgumentTypes] = {kind: _ArgumentTypes() for kind in Kind}
    for parameter in parameters:
        # What it doesn't know it passes over: it is `Compute` that doesn't compile then.
        if row := _TAKEN.get(str(parameter.type)):
            found[row.kind].append(row.attribute or str(parameter.type))
    parser = _ArgsParser(found[Kind.INPUT], found[Kind.ATTRIBUTE], found[Kind.OUTPUT])
    return lambda: parser


def _kernel_impl(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
    """`phi::capi::CustomKernelImpl<decltype(&f), &f>`."""
    function = arguments[1].value if len(arguments) == 2 else None
    if not isinstance(function, CxxFunction):
        raise InvalidArgument(
            "CustomKernelImpl takes the type of a function pointer, and the pointer"
        )
    fn = KernelFn(function, str(function))

    def compute() -> KernelFn:
        if function.type is not None:
            check_parameters(function, function.type, _TAKEN)
        return fn

    return {"Compute": Lazy(compute), "VariadicCompute": fn}


def _cpp_type_to_pd_type(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
    spelling = str(arguments[0]) if len(arguments) == 1 else ""
    try:
        dtype = PD_DataType[cpp_type_to_data_type(spelling).name]
    except KeyError:
        there = ", ".join(str(DataType[d.name]) for d in PD_DataType if d.value)
        raise CxxError(
            f"Paddle's C API has no data type for `{spelling}`",
            arguments[0].span,
            f"it has {there}",
        ) from None
    return {"Type": Function(lambda: dtype)}


# --- What the braces reach ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Wrapped:
    """One of the wrappers of `capi/include/wrapper_base.h`, by the name of what C sees of it. A copy is
    around the same object."""

    of: Any


class PD_Kernel(_Wrapped):
    """`phi::capi::Kernel`"""


class PD_KernelKey(_Wrapped):
    """`phi::capi::KernelKey`"""


class PD_KernelArgsDef(_Wrapped):
    """`phi::capi::KernelArgsDef`"""


class PD_TensorArgDef(_Wrapped):
    """`phi::capi::TensorArgDef`, which sets no backend."""

    def SetDataLayout(self, layout: object) -> PD_TensorArgDef:
        self.of.layout = _to_phi_data_layout(_checked(layout, PD_DataLayout))
        return self

    def SetDataType(self, dtype: object) -> PD_TensorArgDef:
        self.of.dtype = _to_phi_data_type(_checked(dtype, PD_DataType))
        return self


Member = TypeVar("Member", bound=IntEnum)


def _checked(value: object, wanted: type[Member]) -> Member:
    if isinstance(value, wanted):
        return value
    raise InvalidArgument(f"a {wanted.__name__} is wanted here", argument=0)


def _wrapper(of: type[_Wrapped], wrapped: type) -> Class:
    def construct(pointer: object) -> _Wrapped:
        value = pointer.to if isinstance(pointer, Pointer) else None
        if not isinstance(value, wrapped):
            raise InvalidArgument(f"a pointer to a {wrapped.__name__} is wanted here", argument=0)
        return of(value)

    return Class(construct, registers=False)


def _defs(which: str) -> Method:
    return lambda args_def: [PD_TensorArgDef(one) for one in getattr(args_def.of, which)]


_METHODS: Mapping[type, Mapping[str, Method]] = {
    _ArgumentTypes: {"data": lambda types: types},
    PD_Kernel: {
        "InputAt": lambda kernel, idx: PD_TensorArgDef(kernel.of.InputAt(idx)),
        "OutputAt": lambda kernel, idx: PD_TensorArgDef(kernel.of.OutputAt(idx)),
        "args_def": lambda kernel: PD_KernelArgsDef(kernel.of.args_def),
    },
    PD_KernelKey: {
        "layout": lambda key: PD_DataLayout["ANY" if key.of.layout == 0 else key.of.layout.name],
        "dtype": lambda key: PD_DataType[key.of.dtype.name],
    },
    PD_KernelArgsDef: {"input_defs": _defs("input_defs"), "output_defs": _defs("output_defs")},
    PD_TensorArgDef: {
        "SetDataLayout": PD_TensorArgDef.SetDataLayout,
        "SetDataType": PD_TensorArgDef.SetDataType,
    },
}

_FIELDS: Mapping[type, frozenset[str]] = {
    _ArgsParser: frozenset({"in_args_type", "attr_args_type", "out_args_type"})
}


# --- The C functions ------------------------------------------------------------------------------

_PARAMETERS: tuple[Parameter, ...] = (
    ("a string", lambda value: isinstance(value, str)),
    ("a string", lambda value: isinstance(value, str)),
    ("a PD_DataType", lambda value: isinstance(value, PD_DataType)),
    ("a PD_DataLayout", lambda value: isinstance(value, PD_DataLayout)),
    *(
        ("a number", lambda value: isinstance(value, int)),
        ("what CustomKernelArgsParseFunctor found", lambda v: isinstance(v, _ArgumentTypes)),
    )
    * 3,
    ("a function that takes a PD_KernelKey and a PD_Kernel", lambda v: isinstance(v, CxxFunction)),
    ("a kernel function", lambda value: isinstance(value, KernelFn)),
    ("a kernel function", lambda value: isinstance(value, KernelFn)),
)


def _register_phi_kernel(world: World, *arguments: object) -> Registered:
    """`PD_RegisterPhiKernel`. Raises what the braces raise; then nothing is registered."""
    values: list[Any] = [value.to if isinstance(value, Pointer) else value for value in arguments]
    if len(values) != len(_PARAMETERS):
        raise InvalidArgument(
            f"PD_RegisterPhiKernel takes {len(_PARAMETERS)} arguments, and got {len(values)}"
        )
    check_arguments("PD_RegisterPhiKernel", values, _PARAMETERS)
    name, backend, dtype, layout, _, inputs, _, attributes, _, outputs = values[:10]
    args_def_fn, fn, variadic_fn = values[10:]
    on = string_to_backend(backend, world.devices, with_cuda=world.factory.with_cuda)
    key = KernelKey(on, _to_phi_data_layout(layout), _to_phi_data_type(dtype))
    kernel = Kernel(fn, variadic_fn, _described(key, inputs, attributes, outputs))
    if fn.function is not None and fn.function.type is None:  # nobody declared it
        kernel.args_def.open_slot = _tensor(key, "")
    before = kernel.args_def.copy()
    args_def_fn(key, kernel)
    # It hands on, in C++, to the function that the trailing braces are the body of.
    braces = called_last(args_def_fn) or args_def_fn
    return insert(world, RegType.INNER, name, key, kernel, before, braces)


def _described(
    key: KernelKey,
    inputs: Sequence[str],
    attributes: Sequence[AttributeType],
    outputs: Sequence[str],
) -> KernelArgsDef:
    """`PD_KernelArgsParseFn`"""
    args_def = KernelArgsDef()
    for each in inputs:
        args_def.append_input(_tensor(key, each))
    for attribute in attributes:
        args_def.append_attribute(attribute)
    for each in outputs:
        args_def.append_output(_tensor(key, each))
    return args_def


def _tensor(key: KernelKey, type: str) -> TensorArgDef:
    layout = DataLayout.NCHW if key.layout is DataLayout.ANY else key.layout
    return TensorArgDef(key.backend, layout, key.dtype, type)


def _register_operator(name: object, *_: object) -> object:
    raise Unavailable(
        f"PD_RegisterOperator puts `{name}` into Fluid's OpInfoMap through Paddle's C API, "
        "which isn't done here",
        hint="PD_BUILD_PHI_KERNEL registers its kernels alone",
    )


# --- The table ------------------------------------------------------------------------------------


def c_api_bindings(world: World) -> Bindings:
    """The table for one world. In a text with the C API's wrappers, `phi::DataType` is another one."""
    names: dict[str, Binding] = {
        "PD_RegisterPhiKernel": Function(partial(_register_phi_kernel, world), registers=True),
        "PD_RegisterOperator": Function(_register_operator, registers=True),
        "phi::capi::CustomKernelArgsParseFunctor": ClassTemplate(constructor=_args_parser),
        "phi::capi::CustomKernelImpl": ClassTemplate(_kernel_impl),
        "phi::capi::InferMetaFnImpl": ClassTemplate(lambda arguments: {"Call": None}),
        "phi::capi::CppTypeToPDType": ClassTemplate(_cpp_type_to_pd_type),
        "phi::capi::Kernel": _wrapper(PD_Kernel, Kernel),
        "phi::capi::KernelKey": _wrapper(PD_KernelKey, KernelKey),
    }
    types: dict[str, Type] = {"phi::Context": _CONTEXT, "phi::capi::DeviceContext": _CONTEXT}
    for name in ("PD_Kernel", "PD_KernelKey", "PD_KernelContext"):
        types[name] = NamedType(name)
    for name in ("DenseTensor", "Scalar", "IntArray", "Place"):
        types[f"phi::capi::{name}"] = NamedType(f"phi::{name}")
    own = (
        (PD_DataType, "C_DataType phi::DataType"),
        (PD_DataLayout, "C_DataLayout phi::DataLayout"),
    )
    for of, aliases in own:
        for alias in (of.__name__, *aliases.split()):
            names[alias] = Enumeration(of)
            types[alias] = NamedType(of.__name__)
    return Bindings(names, _METHODS, _FIELDS, types)
