"""`torch::CppFunction`: a kernel, of whatever shape it was given in.

`TORCH_FN(f)`, `&f`, a lambda and `torch::CppFunction::makeFallthrough()` all become one. From the
C++ type it learns the signature, which must be that of the operator's other kernels, and the schema
that an operator with such a kernel would have, which must fit the one of `m.def`. A boxed kernel
takes anything, and has neither (`torch/library.h`).
"""

from __future__ import annotations

import re
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
from registry_runtime.cxx import (
    Code,
    CxxError,
    CxxFunction,
    FunctionType,
    Lambda,
    Span,
    TemplateArgument,
    name_span,
    nearest_name,
    undeclared_type,
)
from registry_runtime.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True)
class CompileTimeFunctionPointer:
    """`c10::CompileTimeFunctionPointer<FuncType, f>()`: the function is part of its type, so that
    C++ can call it without a pointer."""

    function: CxxFunction


@dataclass(frozen=True, slots=True, eq=False)
class CppFunction:
    """A kernel on its way into a library. `dispatch_key` is None unless it names one itself.

    A kernel whose declaration can't be read, `is_unread`, is registered all the same, also where a
    compiler stops at a type that nothing declares.
    """

    func: KernelFunction
    cpp_signature: CppSignature | None = None
    schema: FunctionSchema | None = None
    dispatch_key: DispatchKey | None = None
    is_unread: bool = False

    @property
    def spelled(self) -> str | None:
        """Its C++ function, if it has one."""
        name = self.func.function
        return f"{name}, {SIGNATURE_UNKNOWN}" if self.is_unread else name


SIGNATURE_UNKNOWN = "signature unknown"


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
    if isinstance(value, CxxFunction) and not declared_or_refused(value, world):
        return CppFunction(kernel, is_unread=True)
    if known is None:
        return CppFunction(kernel)
    try:
        return CppFunction(kernel, CppSignature.make(known), infer_function_schema(known))
    except UninferableType as error:
        refused = undeclared_type(value) if isinstance(value, CxxFunction) else None
        if refused is not None:
            world.said.append(_refused(refused))
            return CppFunction(kernel, is_unread=True)
        span = error.span or (name_span(value) if isinstance(value, CxxFunction) else None)
        if unknown := _unknown_type(value, known, error.parameter):
            said = f"nothing is known of `{unknown}`: the signature of {value} is unknown"
            world.said.append(_unread(said, span or value.span))
            return CppFunction(kernel, is_unread=True)
        if error.span is None:
            raise
        raise CxxError(error.message, error.span, error.hint) from error


# --- Signatures that can't be read ----------------------------------------------------------------


def unread_kernel(error: CxxError, world: World) -> CppFunction:
    """The kernel that an argument is which can't be evaluated: its statement names the operator and
    the key. Raises the error where a compiler would have one."""
    if error.code is Code.UNKNOWN_NAME and world.missing_headers:
        world.said.append(_unread(error.message, error.span, _missing(world)))
    elif error.code is Code.NOT_UNDERSTOOD:
        world.said.append(_unread(error.message, error.span))
    else:
        raise error
    return CppFunction(makeFromUnboxedFunction(None, function="a kernel"), is_unread=True)


def declared_or_refused(function: CxxFunction, world: World) -> bool:
    """Whether the function is declared; if a header that may do so is missing, it needn't be. Raises
    CxxError where a compiler would have one."""
    if function.type is not None:
        return True
    message = f"`{function.name}` is not known here"
    if not world.missing_headers:
        raise CxxError(message, function.span, nearest_name(function), Code.UNKNOWN_NAME)
    world.said.append(_unread(message, function.span, _missing(world)))
    return False


def _missing(world: World) -> str:
    headers = " or ".join(world.missing_headers)
    return f"it may be declared in {headers}, which isn't found; "


def _unread(message: str, span: Span, why: str = "") -> Diagnostic:
    hint = f"{why}the kernel is registered, and its arguments aren't checked"
    return Diagnostic(message, span, hint, "warning", code=Code.UNKNOWN_SIGNATURE)


def _refused(error: CxxError) -> Diagnostic:
    return Diagnostic(error.message, error.span, error.hint, "error", code=error.code)


def _unknown_type(
    function: CxxFunction | Lambda, type: FunctionType, parameter: int | None
) -> str | None:
    """What of the type of a parameter, or of the result, neither the text nor PyTorch declares."""
    program = function.program if isinstance(function, CxxFunction) else function.context.program
    spelled = str(type.returns if parameter is None else type.parameters[parameter].type)
    names = re.findall(r"[A-Za-z_][\w:]*", spelled)
    return next((name for name in names if name in program.unknown_types), None)


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
