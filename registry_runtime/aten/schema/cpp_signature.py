"""A kernel's C++ type, as the dispatcher compares and prints it.

Callers and kernels of one operator may be compiled in different libraries, and nothing but this
check keeps a call from passing a `double` where the kernel reads an `int64_t`. PyTorch compares
`std::type_index`es and prints their demangled names. So aliases make no difference here, a `const`
around a parameter makes none, and the spelling is the compiler's: `long` where the source says
`int64_t`, `c10::ArrayRef<long>` where it says `at::IntArrayRef`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from registry_runtime.cxx.types import (
    ConstType,
    FunctionType,
    NamedType,
    PointerType,
    ReferenceType,
    TemplateArgument,
    Type,
    as_parameter,
)


@dataclass(frozen=True, slots=True)
class CppSignature:
    """`c10::impl::CppSignature`: two are equal if their names are."""

    name: str

    @classmethod
    def make(cls, type: FunctionType) -> CppSignature:
        """The signature of a function of that type. Which keys a kernel is handed at run time does
        not count: a first parameter of type `c10::DispatchKeySet` is left out."""
        return cls(demangle(without_dispatch_key_set(type)))

    def __str__(self) -> str:
        return self.name


def without_dispatch_key_set(type: FunctionType) -> FunctionType:
    """`type` without the `c10::DispatchKeySet` that it may take first
    (`c10::remove_DispatchKeySet_arg_from_func`)."""
    if type.parameters and is_dispatch_key_set(type.parameters[0].type):
        return FunctionType(type.returns, type.parameters[1:])
    return type


def is_dispatch_key_set(type: Type) -> bool:
    """Whether that is `c10::DispatchKeySet`."""
    return demangle(type) == "c10::DispatchKeySet"


# Classes of c10 that at:: and torch:: know by `using`.
_C10_NAMES = """
    ArrayRef Device DeviceIndex Dict DispatchKeySet IListRef IValue Layout List MemoryFormat
    OptionalArrayRef QScheme Scalar ScalarType Storage Stream SymBool SymFloat SymInt
    optional string_view
"""
_OF_C10 = frozenset(_C10_NAMES.split())
_ALIASES = {
    "at::IntArrayRef": "c10::ArrayRef<long>",
    "at::SymIntArrayRef": "c10::ArrayRef<c10::SymInt>",
    "at::OptionalIntArrayRef": "c10::OptionalArrayRef<long>",
    "at::OptionalSymIntArrayRef": "c10::OptionalArrayRef<c10::SymInt>",
    "at::TensorList": "c10::ArrayRef<at::Tensor>",
    "at::ITensorListRef": "c10::IListRef<at::Tensor>",
    "at::Tensor": "at::Tensor",
    "at::Generator": "at::Generator",
    "c10::optional": "std::optional",
    "c10::string_view": "std::string_view",
}
_STANDARD = {
    "std::tuple": "std::tuple<>",
    "std::string": "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
    "std::string_view": "std::basic_string_view<char, std::char_traits<char> >",
}
# The words that GCC's demangler has for C++'s integers on 64-bit Linux.
_INTEGERS = {
    "int8_t": "signed char",
    "uint8_t": "unsigned char",
    "int16_t": "short",
    "uint16_t": "unsigned short",
    "int32_t": "int",
    "uint32_t": "unsigned int",
    "int64_t": "long",
    "uint64_t": "unsigned long",
    "c10::DeviceIndex": "signed char",
}


def canonical_name(name: str) -> str:
    """The name of a class or template behind its aliases: `c10::Scalar` for `at::Scalar`."""
    namespace, separator, short = name.removeprefix("::").partition("::")
    if not separator:
        return namespace
    if namespace == "std" and short in _INTEGERS:
        return short
    if namespace in ("at", "torch", "c10"):
        if short in _OF_C10:
            namespace = "c10"
        elif f"at::{short}" in _ALIASES:
            namespace = "at"
    name = f"{namespace}::{short}"
    return _ALIASES.get(name, name)


def demangle(type: Type) -> str:
    """What `c10::demangle(typeid(type).name())` gives, for a type as it stands: references count."""
    match type:
        case NamedType(name, ()):
            name = canonical_name(name)
            return _INTEGERS.get(name) or _STANDARD.get(name, name)
        case NamedType(name, arguments):
            name = canonical_name(name)
            spelled = [*map(_argument, arguments), *_default_arguments(name, arguments)]
            inside = ", ".join(spelled)
            return f"{name}<{inside}{' ' if inside.endswith('>') else ''}>"
        case ConstType(of):
            return f"{demangle(of)} const"
        case PointerType(FunctionType() as function):
            return demangle(function).replace(" (", " (*)(", 1)
        case PointerType(to):
            return f"{demangle(to)}*"
        case ReferenceType(to, rvalue):
            return f"{demangle(to)}{'&&' if rvalue else '&'}"
        case FunctionType(returns, parameters):
            types = (demangle(as_parameter(parameter.type)) for parameter in parameters)
            return f"{demangle(returns)} ({', '.join(types)})"
        case _:
            return str(type)


def _argument(argument: TemplateArgument) -> str:
    if argument.type is not None:
        return demangle(argument.type)
    value = argument.value
    # std::array's length is the one number in a template argument here, and it is a size_t.
    return f"{value}ul" if type(value) is int else str(argument)


def _default_arguments(name: str, arguments: tuple[TemplateArgument, ...]) -> list[str]:
    make = _DEFAULTS.get((name, len(arguments)))
    return make(*map(_argument, arguments)) if make else []


def _template(name: str, argument: str) -> str:
    return f"{name}<{argument}{' ' if argument.endswith('>') else ''}>"


_DEFAULTS: dict[tuple[str, int], Callable[..., list[str]]] = {
    ("std::vector", 1): lambda element: [_template("std::allocator", element)],
    ("std::unordered_map", 2): lambda key, value: [
        _template("std::hash", key),
        _template("std::equal_to", key),
        _template("std::allocator", f"std::pair<{key} const, {value}>"),
    ],
}
