"""What PHI's C++ names are bound to: everything that a registration's text can reach.

The names are those that an expanded `PD_REGISTER_KERNEL` mentions, and those that the braces behind
it use in Paddle's own sources. Everything else of PHI is unknown to the interpreter, on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from registry_runtime.cxx import (
    Binding,
    Bindings,
    Class,
    ClassTemplate,
    CxxError,
    Enumeration,
    Function,
    FunctionTemplate,
    Located,
    Method,
    NamedType,
    Pointer,
    TemplateArgument,
    Type,
)
from registry_runtime.cxx.arithmetic import SIZE_T, Integer
from registry_runtime.near import nearest
from registry_runtime.phi.arg_map_context import (
    QUERIES,
    ArgumentMappingContext,
    kernel_signature,
)
from registry_runtime.phi.args_parse import kernel_args_parse_functor
from registry_runtime.phi.backend import CONTEXTS, Backend, string_to_backend
from registry_runtime.phi.compat_registrars import (
    argument_mapping_fn_registrar,
    base_kernel_name_registrar,
    infer_meta_fn_registrar,
)
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType, cpp_type_to_data_type, is_of_phi
from registry_runtime.phi.enforce import InvalidArgument, OutOfRange, Unavailable
from registry_runtime.phi.infermeta_fn import infer_meta_fn_impl
from registry_runtime.phi.kernel import Kernel, KernelArgsDef, TensorArgDef
from registry_runtime.phi.kernel_impl import kernel_impl, struct_kernel_impl
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_registrar import KernelRegistrar, RegType, World
from registry_runtime.phi.op_utils import GradVarName


def phi_bindings(world: World) -> Bindings:
    """The table for one world: what is constructed from it registers there."""
    return Bindings(_names(world), _METHODS, _FIELDS, _types(world), _COPIES, changing=_CHANGING)


# --- Values ---------------------------------------------------------------------------------------

_ENUMERATIONS: Mapping[str, tuple[type[Backend | DataLayout | DataType | RegType], str]] = {
    "phi::RegType": (RegType, ""),
    "phi::Backend": (Backend, "paddle::experimental::Backend"),
    "phi::DataLayout": (DataLayout, "common::DataLayout paddle::DataLayout"),
    "phi::DataType": (DataType, "paddle::DataType paddle::experimental::DataType"),
}


def _names(world: World) -> dict[str, Binding]:
    names: dict[str, Binding] = {}
    for name, (of, aliases) in _ENUMERATIONS.items():
        for alias in (name, *aliases.split()):
            names[alias] = Enumeration(of)
    to_backend = partial(
        string_to_backend, devices=world.devices, with_cuda=world.factory.with_cuda
    )
    names |= {
        "phi::KernelRegistrar": Class(partial(KernelRegistrar, world)),
        "phi::KernelKey": Class(_kernel_key, registers=False),
        "phi::CppTypeToDataType": ClassTemplate(_cpp_type_to_data_type),
        "phi::KernelArgsParseFunctor": ClassTemplate(kernel_args_parse_functor),
        "phi::KernelImpl": ClassTemplate(kernel_impl),
        "paddle::framework::StructKernelImpl": ClassTemplate(struct_kernel_impl),
        "phi::dtype::ToReal": Function(partial(_converted, _TO_REAL, strict=False)),
        "phi::dtype::ToComplex": Function(partial(_converted, _TO_COMPLEX, strict=False)),
        "phi::ToRealType": Function(partial(_converted, _TO_REAL, strict=True)),
        "phi::ToComplexType": Function(partial(_converted, _TO_COMPLEX, strict=True)),
        "phi::IsComplexType": Function(lambda dtype: _data_type(dtype) in _TO_REAL),
        "paddle::experimental::StringToBackend": Function(
            lambda spelling: to_backend(_checked(spelling, str, "a string"))
        ),
        "phi::ArgumentMappingFnRegistrar": Class(partial(argument_mapping_fn_registrar, world)),
        "phi::BaseKernelNameRegistrar": Class(partial(base_kernel_name_registrar, world)),
        "phi::InferMetaFnRegistrar": Class(partial(infer_meta_fn_registrar, world)),
        "phi::InferMetaFnImpl": ClassTemplate(partial(infer_meta_fn_impl, world.defining)),
        "phi::KernelSignature": Class(Located(kernel_signature), registers=False),
        "phi::GradVarName": Function(_grad_var_name),
        "paddle::framework::GradVarName": Function(_grad_var_name),
        "paddle::any_cast": FunctionTemplate(_any_cast),
        "paddle::small_vector": ClassTemplate(constructor=lambda arguments: _small_vector),
    }
    return names


def _kernel_key(*arguments: object) -> KernelKey:
    match arguments:
        case ():
            return KernelKey()
        case (Backend() as backend, DataLayout() as layout, DataType() as dtype):
            return KernelKey(backend, layout, dtype)
    raise InvalidArgument("a KernelKey is made of a Backend, a DataLayout and a DataType")


def _cpp_type_to_data_type(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
    if len(arguments) != 1 or arguments[0].type is None:
        raise InvalidArgument("CppTypeToDataType takes one type")
    spelling = str(arguments[0])
    try:
        dtype = cpp_type_to_data_type(spelling)
        if "::" not in spelling and is_of_phi(spelling):
            raise KeyError(spelling)
    except KeyError:
        known = {name.rpartition("::")[2]: name for name in [*_CPP_TYPES, "int", "short", "long"]}
        near = nearest(spelling.rpartition("::")[2], known, 0.6)
        meant = f"did you mean {known[near]}? " if near else ""
        raise CxxError(
            f"PHI has no data type for `{spelling}`",
            arguments[0].span,
            f"{meant}it has {', '.join(_CPP_TYPES)}; int, short and long are some of these",
        ) from None
    return {"Type": Function(lambda: dtype)}


_CPP_TYPES = [
    "bool",
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "float",
    "double",
    "phi::dtype::float16",
    "phi::dtype::bfloat16",
    "phi::dtype::float8_e4m3fn",
    "phi::dtype::float8_e5m2",
    "phi::dtype::complex<float>",
    "phi::dtype::complex<double>",
    "phi::dtype::pstring",
]

_TO_REAL = {DataType.COMPLEX64: DataType.FLOAT32, DataType.COMPLEX128: DataType.FLOAT64}
_TO_COMPLEX = {real: complex for complex, real in _TO_REAL.items()}


def _converted(table: Mapping[DataType, DataType], value: object, *, strict: bool) -> DataType:
    dtype = _data_type(value)
    if strict and dtype not in table:
        raise Unavailable(f"there is nothing to convert {dtype!s} to", argument=0)
    return table.get(dtype, dtype)


def _grad_var_name(var_name: object) -> str:
    return GradVarName(_checked(var_name, str, "a variable's name"))


class _SmallVector(list[object]):
    """`paddle::small_vector`, as a mapping fills it with names."""


def _small_vector(*values: object) -> _SmallVector:
    return _SmallVector(values)


def _any_cast(arguments: tuple[TemplateArgument, ...]) -> Callable[[object], object]:
    """`paddle::any_cast<T>(any)`: the value, which must be a `T`, for nothing is converted."""
    wanted = str(arguments[0]) if len(arguments) == 1 else ""
    if wanted not in _ANY:
        raise Unavailable(f"any_cast takes one of the types {', '.join(_ANY)}")

    def cast(value: object) -> object:
        if type(value) in _ANY[wanted]:
            return value
        raise InvalidArgument(
            f"bad any_cast: {value!r} is no {wanted}", hint="it converts nothing", argument=0
        )

    return cast


_ANY: Mapping[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "int64_t": (int,),
    "float": (float,),
    "double": (float,),
    "std::string": (str,),
    "std::vector<int>": (list, tuple),
    "std::vector<int64_t>": (list, tuple),
    "std::vector<float>": (list, tuple),
    "std::vector<std::string>": (list, tuple),
}


def _data_type(value: object) -> DataType:
    return _checked(value, DataType, "a DataType")


Wanted = TypeVar("Wanted")


def _checked(value: object, wanted: type[Wanted], described: str) -> Wanted:
    if isinstance(value, wanted):
        return value
    raise InvalidArgument(f"{described} is wanted here", argument=0)


_METHODS: Mapping[type, Mapping[str, Method]] = {
    KernelKey: {
        "backend": lambda key: key.backend,
        "layout": lambda key: key.layout,
        "dtype": lambda key: key.dtype,
        "hash_value": lambda key: key.hash_value,
    },
    Kernel: {
        "InputAt": Kernel.InputAt,
        "OutputAt": Kernel.OutputAt,
        "IsValid": lambda kernel: True,
        "args_def": lambda kernel: kernel.args_def,
        "mutable_args_def": lambda kernel: Pointer(kernel.args_def),
    },
    KernelArgsDef: {
        "input_defs": lambda args_def: args_def.input_defs,
        "output_defs": lambda args_def: args_def.output_defs,
        "attribute_defs": lambda args_def: args_def.attribute_defs,
    },
    TensorArgDef: {
        "SetBackend": TensorArgDef.SetBackend,
        "SetDataLayout": TensorArgDef.SetDataLayout,
        "SetDataType": TensorArgDef.SetDataType,
    },
    ArgumentMappingContext: {name: getattr(ArgumentMappingContext, name) for name in QUERIES},
    _SmallVector: {
        "push_back": lambda names, name: names.append(name),
        "emplace_back": lambda names, name: names.append(name),
    },
    list: {
        "size": lambda defs: Integer(len(defs), SIZE_T),
        "empty": lambda defs: not defs,
        "at": lambda defs, i: _at(defs, i),
    },
}

_CHANGING: Mapping[type, frozenset[str]] = {
    Kernel: frozenset({"InputAt", "OutputAt", "mutable_args_def"}),
    TensorArgDef: frozenset(_METHODS[TensorArgDef]),
    _SmallVector: frozenset(_METHODS[_SmallVector]),
}

_FIELDS: Mapping[type, frozenset[str]] = {
    Kernel: frozenset({"get_kerneltype_forvar_fn_", "check_if_onednn_kernel_support_"}),
    TensorArgDef: frozenset({"backend", "layout", "dtype"}),
}

_COPIES: Mapping[type, Callable[[Any], object]] = {
    Kernel: lambda kernel: replace(kernel, args_def=kernel.args_def.copy()),
    KernelArgsDef: KernelArgsDef.copy,
    TensorArgDef: replace,
    _SmallVector: lambda names: _small_vector(*names),
}


def _at(defs: list[object], index: object) -> object:
    if isinstance(index, int) and 0 <= index < len(defs):
        return defs[index]
    raise OutOfRange(
        f"at({index}) is out of range: there are {len(defs)}", hint="they count from 0"
    )


# --- Types ----------------------------------------------------------------------------------------

_CLASSES = [
    "DenseTensor",
    "SelectedRows",
    "SparseCooTensor",
    "SparseCsrTensor",
    "StringTensor",
    "TensorArray",
    "ExtendedTensor",
    "TensorBase",
    "Strings",
    "FeedList",
    "Vocab",
    "Scalar",
    "IntArray",
    "Place",
    "DeviceContext",
    "KernelContext",
    "KernelSignature",
    "ArgumentMappingContext",
    "MetaTensor",
    "MetaConfig",
    "InferMetaContext",
    "KernelKey",
    "Kernel",
    "KernelArgsDef",
    "TensorArgDef",
    "dtype::float16",
    "dtype::bfloat16",
    "dtype::float8_e4m3fn",
    "dtype::float8_e5m2",
    "dtype::pstring",
    "dtype::complex",
]


def _types(world: World) -> dict[str, Type]:
    types: dict[str, Type] = {}
    for name in (*(f"phi::{short}" for short in _CLASSES), *CONTEXTS, "paddle::optional"):
        types[name] = NamedType(name)
    for name, (_, aliases) in _ENUMERATIONS.items():
        for alias in (name, *aliases.split()):
            types[alias] = NamedType(name)
    for short in ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "pstring"):
        types[f"phi::{short}"] = NamedType(f"phi::dtype::{short}")
    for short, of in (("complex64", "float"), ("complex128", "double")):
        types[f"phi::{short}"] = NamedType(
            "phi::dtype::complex", (TemplateArgument(NamedType(of)),)
        )
    types["paddle::Place"] = types["phi::Place"]
    types["phi::GPUDNNContext"] = types["phi::GPUContext"]
    if world.factory.with_cuda:
        types["phi::KPSContext"] = types["phi::GPUContext"]
    return types
