"""What PyTorch's C++ names are bound to: everything that a registration's text can reach.

Here is what the expanded macros mention: `torch::detail::TorchLibraryInit`, the library and its
methods, dispatch keys, the classes of stubs. What the bodies of kernels are made of stands in
`kernel_names`. Everything else of PyTorch is unknown to the interpreter, on purpose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import IntEnum
from functools import partial
from typing import Any

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.cpp_function import (
    CppFunction,
    compile_time_function_pointer,
    cpp_function,
    dispatch,
    make_fallthrough,
    make_from_boxed_function,
    unread_kernel,
)
from registry_runtime.aten.library.kernel_names import kernel_bindings
from registry_runtime.aten.library.library import Kind, Library, RegisterOrVerify
from registry_runtime.aten.library.register_operators import (
    register_operators,
    register_operators_methods,
)
from registry_runtime.aten.library.stable_library import stable_methods, stable_names
from registry_runtime.aten.library.tags import Tag
from registry_runtime.aten.library.torch_library_init import TorchLibraryInit
from registry_runtime.aten.library.type_names import TYPES
from registry_runtime.aten.schema.function_schema import AliasAnalysisKind, FunctionSchema
from registry_runtime.aten.schema.function_schema_parser import parse_schema
from registry_runtime.aten.stub.stub_names import stub_names
from registry_runtime.aten.tensor.device import DeviceType
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.world import World
from registry_runtime.cxx import (
    Binding,
    Bindings,
    Class,
    ClassTemplate,
    Constant,
    CxxError,
    Enumeration,
    Function,
    FunctionTemplate,
    Located,
    Method,
    Span,
    Unread,
)
from registry_runtime.cxx.bindings import TakesOptionals, Typed
from registry_runtime.cxx.optionals import make_optional
from registry_runtime.cxx.variables import NULLOPT

_REGISTER_OPERATORS = ("c10::RegisterOperators", "torch::RegisterOperators")


def aten_bindings(world: World) -> Bindings:
    """The table for one world: what is constructed from it registers there."""
    make = partial(_function, world)
    names = {**_library_names(world), **stub_names(world), **stable_names(world)}
    names |= dict.fromkeys(_REGISTER_OPERATORS, register_operators(world, make))
    methods: dict[type, Mapping[str, Method]] = {
        **register_operators_methods(make),
        **stable_methods(),
        Library: _library_methods(world),
        CustomClass: dict.fromkeys(_CUSTOM_CLASS, Unread()),
    }
    changing: dict[type, frozenset[str]] = {Library: frozenset(methods[Library])}
    table = Bindings(names, methods, types=TYPES, changing=changing)
    return table | kernel_bindings(world)


# --- Enumerations ---------------------------------------------------------------------------------

_ENUMERATIONS: Mapping[type[IntEnum], str] = {
    DispatchKey: "c10::DispatchKey at::DispatchKey torch::DispatchKey",
    DeviceType: "c10::DeviceType at::DeviceType torch::DeviceType",
    ScalarType: "c10::ScalarType at::ScalarType torch::headeronly::ScalarType",
    Tag: "at::Tag",
    AliasAnalysisKind: "c10::AliasAnalysisKind at::AliasAnalysisKind torch::AliasAnalysisKind",
    RegisterOrVerify: "torch::_RegisterOrVerify",
}


def _library_names(world: World) -> dict[str, Binding]:
    names: dict[str, Binding] = {
        name: Enumeration(of) for of, spelled in _ENUMERATIONS.items() for name in spelled.split()
    }
    names |= {f"{ns}::k{t.name}": Constant(t) for t in ScalarType for ns in ("at", "torch", "c10")}
    names |= {f"{ns}::k{t.name}": Constant(t) for t in DeviceType for ns in ("at", "torch", "c10")}
    library = partial(_library, world)
    kinds: dict[str, object] = {kind.name: kind for kind in Kind}
    names |= {
        "torch::detail::TorchLibraryInit": Class(TakesOptionals(Located(partial(_init, world)))),
        "torch::Library": Class(
            TakesOptionals(Located(lambda at, *values: library(values, at))),
            kinds,
            registers=False,
        ),
        "torch::CppFunction": Class(
            Located(lambda _, value: _function(world, value), takes_unread=True),
            _cpp_function_members(world),
            registers=False,
        ),
        "torch::dispatch": Function(
            Located(lambda _, key, value: _dispatch(world, key, value), takes_unread=True)
        ),
        "torch::schema": Function(_schema),
        "torch::detail::SelectiveStr": ClassTemplate(
            constructor=lambda arguments: lambda text: text if arguments[0].value else None
        ),
        "c10::CompileTimeFunctionPointer": ClassTemplate(constructor=compile_time_function_pointer),
        "c10::impl::dispatch_key_allowlist_check": Function(partial(_allows, world)),
        "c10::impl::op_allowlist_check": Function(lambda name: True),
        "c10::impl::schema_allowlist_check": Function(lambda schema: True),
        "c10::make_optional": Function(Typed(make_optional)),
        "c10::nullopt": Constant(NULLOPT),
    }
    return names


def _allows(world: World, key: DispatchKey) -> bool:
    return world.allow_list is None or key in world.allow_list


def _cpp_function_members(world: World) -> Mapping[str, object]:
    return {
        "makeFallthrough": Function(make_fallthrough),
        "makeFromBoxedFunction": FunctionTemplate(
            lambda arguments: make_from_boxed_function(arguments, world)
        ),
        "makeFromUnboxedFunction": Function(lambda value: _function(world, value)),
    }


def _function(world: World, value: object) -> CppFunction:
    return (
        unread_kernel(value, world) if isinstance(value, CxxError) else cpp_function(value, world)
    )


def _dispatch(world: World, key: object, value: object) -> CppFunction:
    if isinstance(key, CxxError):
        raise key
    return dispatch(key, _function(world, value))


def _schema(text: object, *rest: object) -> FunctionSchema:
    """`torch::schema(text)`, maybe with how its aliases are analysed, and whether types may be open."""
    given = [value for value in rest if isinstance(value, AliasAnalysisKind)]
    open_types = any(value is True for value in rest)
    parsed = parse_schema(_checked(text, str, "a schema string", 0), allow_typevars=open_types)
    return replace(parsed, alias_analysis=(given or [AliasAnalysisKind.FROM_SCHEMA])[0])


# --- The library ----------------------------------------------------------------------------------


def _library(world: World, values: tuple[object, ...], at: Span) -> Library:
    if len(values) != 5:
        raise TorchError(f"torch::Library has a constructor of 5 arguments, and got {len(values)}")
    kind = _checked(values[0], Kind, "a torch::Library::Kind", 0)
    ns = _checked(values[1], str, "the namespace, a string,", 1)
    key = values[2] if values[2] is None else _checked(values[2], DispatchKey, "a DispatchKey", 2)
    file = _checked(values[3], str, "a file name", 3)
    line = _checked(values[4], int, "a line number", 4)
    return Library(world, kind, ns, key, file, line, at)


def _init(world: World, at: Span, *values: object) -> TorchLibraryInit:
    if len(values) != 6:
        raise TorchError(
            f"TorchLibraryInit has a constructor of 6 arguments, and got {len(values)}"
        )
    kind, function, *rest = values
    if not callable(function):
        raise TorchError("a function that takes a torch::Library& is wanted here", argument=1)
    return TorchLibraryInit(_library(world, (kind, *rest), at), function, at)


class CustomClass:
    """`m.class_<T>("Name")`: a C++ class for TorchScript. It is no operator, and not followed."""


_CUSTOM_CLASS = (
    *("def", "def_static", "def_readwrite", "def_readonly", "def_property", "def_pickle"),
    *("def_unboxed", "_def_unboxed"),
)


def _library_methods(world: World) -> dict[str, Method]:
    def impl(at: Span, library: Library, name: object, *rest: object) -> Library:
        match rest:
            case (function,) | (function, RegisterOrVerify()):
                given = _function_at(1, function)
            case (key, function):  # m.impl(name, key, f)
                given = _dispatch(world, key, _function_at(2, function))
            case _:
                if unread := next((v for v in (name, *rest) if isinstance(v, CxxError)), None):
                    raise unread
                raise TorchError(f"Library::impl has no overload for {len(rest) + 1} arguments")
        rv = rest[1] if isinstance(rest[-1], RegisterOrVerify) else RegisterOrVerify.REGISTER
        if name is None:
            return library  # a SelectiveStr<false>: this build leaves the operator out
        spelled = _checked(name, str, "the operator's name, a string,", 0)
        assert isinstance(rv, RegisterOrVerify)
        return library.impl(spelled, given, rv, at)

    def def_(at: Span, library: Library, schema: object, *rest: object) -> Library:
        if schema is None:
            return library
        function, rv = None, RegisterOrVerify.REGISTER
        tags: tuple[object, ...] = ()
        for index, value in enumerate(rest, 1):
            if isinstance(value, RegisterOrVerify):
                rv = value
            elif isinstance(value, tuple | list):
                tags = tuple(value)
            else:
                function = _function_at(index, value)
        wanted = FunctionSchema if isinstance(schema, FunctionSchema) else str
        given = _checked(schema, wanted, "a schema or a name, a string,", 0)
        return library.def_(given, function, [str(tag) for tag in tags], rv, at)

    def fallback(at: Span, library: Library, function: object) -> Library:
        return library.fallback(_function_at(0, function), at)

    def _function_at(index: int, value: object) -> CppFunction:
        try:
            return _function(world, value)
        except TorchError as error:
            error.argument = index if error.argument is None else error.argument
            raise

    return {
        "impl": Located(impl, takes_unread=True),
        "def": Located(def_, takes_unread=True),
        "fallback": Located(fallback, takes_unread=True),
        "class_": FunctionTemplate(lambda arguments: lambda library, name: CustomClass()),
        "set_python_module": lambda library, *names: library,
        "impl_abstract_pystub": lambda library, *names: library,
    }


def _checked(value: object, wanted: type[Any], described: str, argument: int) -> Any:
    # A C++ compiler would have checked this.
    if isinstance(value, CxxError):
        raise value
    if isinstance(value, wanted):
        return value
    raise TorchError(f"{described} is wanted here", argument=argument)
