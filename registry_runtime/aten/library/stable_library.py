"""`STABLE_TORCH_LIBRARY…`: libraries that an extension fills without linking to one libtorch.

The macros are `TORCH_LIBRARY`'s, in a namespace of their own. What the block talks to knows less: `def`
takes a schema alone, and `impl` a boxed function, which `TORCH_BOX(&f)` makes of a plain one. So
nothing is known of a kernel's signature before it is called (`torch/csrc/stable/library.h`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.kernel_function import makeFromBoxedFunction
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.cpp_function import (
    CppFunction,
    declared_or_refused,
    unread_kernel,
)
from registry_runtime.aten.library.library import Kind, Library
from registry_runtime.aten.library.torch_library_init import TorchLibraryInit
from registry_runtime.aten.world import World
from registry_runtime.cxx import (
    Binding,
    Class,
    ClassTemplate,
    CxxError,
    CxxFunction,
    Enumeration,
    Located,
    Method,
    Span,
    TemplateArgument,
)

_NAMESPACE = "torch::stable::detail"


@dataclass(frozen=True, slots=True)
class StableLibrary:
    """`torch::stable::detail::StableLibrary`: `lib` is what registers."""

    lib: Library


@dataclass(frozen=True, slots=True)
class Boxed:
    """What `TORCH_BOX(&f)` makes: a function that takes a stack, around `function`."""

    function: CxxFunction


def stable_names(world: World) -> dict[str, Binding]:
    """What the expanded macros mention."""
    return {
        f"{_NAMESPACE}::StableTorchLibraryInit": Class(
            Located(lambda at, *values: _init(world, at, *values))
        ),
        f"{_NAMESPACE}::StableLibrary::Kind": Enumeration(Kind),
        f"{_NAMESPACE}::boxer": ClassTemplate(_boxer),
    }


def stable_methods() -> dict[type, Mapping[str, Method]]:
    """The member functions of a `StableLibrary`."""
    return {
        StableLibrary: {
            "def": Located(_def),
            "impl": Located(_impl, takes_unread=True),
            "set_python_module": lambda library, *names: library,
        }
    }


def _boxer(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
    function = arguments[1].value if len(arguments) == 2 else None
    if not isinstance(function, CxxFunction):
        raise TorchError("TORCH_BOX takes a function: TORCH_BOX(&f)")
    return {"boxed_fn": Boxed(function)}


def _init(world: World, at: Span, *values: object) -> TorchLibraryInit:
    match values:
        case (Kind() as kind, function, str(ns), key, str(file), int(line)) if callable(function):
            library = Library(world, kind, ns, _parsed(key), file, line, at)
            return TorchLibraryInit(library, function, at, StableLibrary(library))
    raise TorchError("StableTorchLibraryInit takes what STABLE_TORCH_LIBRARY… gives it")


def _parsed(key: object) -> DispatchKey | None:
    """`c10::parseDispatchKey`; a block that defines has none."""
    if key is None:
        return None
    if not isinstance(key, str) or key not in DispatchKey.__members__:
        raise TorchError(f"could not parse dispatch key: {key}", argument=3)
    return DispatchKey[key]


def _def(at: Span, library: StableLibrary, schema: object, tags: object = ()) -> StableLibrary:
    if not isinstance(schema, str) or not isinstance(tags, tuple):
        raise TorchError("StableLibrary::def takes a schema, and maybe tags", argument=0)
    library.lib.def_(schema, None, [str(tag) for tag in tags], at=at)
    return library


def _impl(at: Span, library: StableLibrary, name: object, function: object) -> StableLibrary:
    if isinstance(name, CxxError):
        raise name
    if not isinstance(name, str):
        raise TorchError("the operator's name, a string, is wanted here", argument=0)
    library.lib.impl(name, _kernel(library.lib.world, function), at=at)
    return library


def _kernel(world: World, function: object) -> CppFunction:
    if isinstance(function, CxxError):
        return unread_kernel(function, world)
    function = function.function if isinstance(function, Boxed) else function
    if not isinstance(function, CxxFunction):
        hint = "a kernel is TORCH_BOX(&f), or a function that takes a stack"
        raise TorchError("this is no kernel", argument=1, hint=hint)
    kernel = makeFromBoxedFunction(None, function=str(function), source=function)
    return CppFunction(kernel, is_unread=not declared_or_refused(function, world))
