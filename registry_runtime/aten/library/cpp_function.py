"""`torch::CppFunction`: a kernel, of whatever shape it was given in.

`TORCH_FN(f)`, `&f`, a lambda and `torch::CppFunction::makeFallthrough()` all become one. From the
C++ type it learns the signature, which must be that of the operator's other kernels, and the schema
that an operator with such a kernel would have, which must fit the one of `m.def`. A boxed kernel
takes anything, and has neither (`torch/library.h`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.kernel_function import (
    KernelFunction,
    makeFallthrough,
    makeFromBoxedFunction,
    makeFromUnboxedFunction,
)
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.stand_ins import boxed_kernel, unboxed_kernel
from registry_runtime.aten.schema.cpp_signature import CppSignature, is_dispatch_key_set
from registry_runtime.aten.schema.function_schema import FunctionSchema
from registry_runtime.aten.schema.infer_schema import UninferableType, infer_function_schema
from registry_runtime.aten.tensor.device import DeviceType
from registry_runtime.aten.world import World
from registry_runtime.cxx import CxxError, CxxFunction, FunctionType, Lambda, TemplateArgument


@dataclass(frozen=True, slots=True)
class CompileTimeFunctionPointer:
    """`c10::CompileTimeFunctionPointer<FuncType, f>()`: the function is part of its type, so that
    C++ can call it without a pointer."""

    function: CxxFunction


@dataclass(frozen=True, slots=True, eq=False)
class CppFunction:
    """A kernel on its way into a library. `dispatch_key` is None unless it names one itself."""

    func: KernelFunction
    cpp_signature: CppSignature | None = None
    schema: FunctionSchema | None = None
    dispatch_key: DispatchKey | None = None


def compile_time_function_pointer(
    arguments: tuple[TemplateArgument, ...],
) -> Callable[[], CompileTimeFunctionPointer]:
    """What `TORCH_FN(f)` constructs. Raises TorchError if `f` isn't a function."""
    function = arguments[1].value if len(arguments) == 2 else None
    if not isinstance(function, CxxFunction):
        raise TorchError("TORCH_FN can only wrap function types.")
    return lambda: CompileTimeFunctionPointer(function)


def cpp_function(value: object, world: World) -> CppFunction:
    """`CppFunction(value)`.

    Raises TorchError for what is no kernel, and for a C++ type that no schema can express.
    """
    if isinstance(value, CppFunction):
        return value
    if isinstance(value, CompileTimeFunctionPointer):
        value = value.function
    if not isinstance(value, CxxFunction | Lambda):
        raise TorchError(
            "this is no kernel",
            hint="a kernel is TORCH_FN(f), &f, a lambda, or made by torch::CppFunction",
        )
    type = value.type
    known = type if type is not None and str(type.returns) != "auto" else None
    kernel = makeFromUnboxedFunction(
        unboxed_kernel(value, world),
        function=str(value),
        source=value if isinstance(value, CxxFunction) else None,
        with_keyset=type is not None and takes_keyset(type),
        has_symint=type is not None and _has_symint(type),
    )
    if known is None:
        return CppFunction(kernel)
    return CppFunction(kernel, CppSignature.make(known), _inferred(known))


def _inferred(type: FunctionType) -> FunctionSchema:
    try:
        return infer_function_schema(type)
    except UninferableType as error:
        if error.span is None:
            raise
        raise CxxError(error.message, error.span, error.hint) from error


def takes_keyset(type: FunctionType) -> bool:
    """Whether the kernel wants to know the keys of the call: that is its first parameter then."""
    return bool(type.parameters) and is_dispatch_key_set(type.parameters[0].type)


def _has_symint(type: FunctionType) -> bool:
    return any("SymInt" in str(parameter.type) for parameter in type.parameters)


def make_fallthrough() -> CppFunction:
    """`torch::CppFunction::makeFallthrough()`."""
    return CppFunction(makeFallthrough())


def make_from_boxed_function(
    arguments: tuple[TemplateArgument, ...], world: World
) -> Callable[[], CppFunction]:
    """`torch::CppFunction::makeFromBoxedFunction<&f>`: one function for every operator."""
    function = arguments[0].value if len(arguments) == 1 else None
    if not isinstance(function, CxxFunction):
        raise TorchError("makeFromBoxedFunction wants a function between `<` and `>`")
    kernel = makeFromBoxedFunction(
        boxed_kernel(function, world), function=str(function), source=function
    )
    return lambda: CppFunction(kernel)


def dispatch(key: object, function: CppFunction) -> CppFunction:
    """`torch::dispatch(key, f)`: the kernel names its key itself. A device type means its key."""
    if isinstance(key, DeviceType):
        key = _KEYS.get(key.name)
        if key is None:
            raise TorchError(
                f"Device type {key} cannot be overloaded at dispatch time, please file a bug "
                "report explaining what you were trying to do."
            )
    if not isinstance(key, DispatchKey):
        raise TorchError("a c10::DispatchKey is wanted here", argument=0)
    return replace(function, dispatch_key=None if key is DispatchKey.CatchAll else key)


_KEYS: Mapping[str, DispatchKey] = {
    name: DispatchKey[name]
    for name in (
        *("CPU", "CUDA", "IPU", "XLA", "Lazy", "XPU", "MPS", "Meta", "HIP", "MAIA", "HPU"),
        *("MTIA", "PrivateUse1"),
    )
}
