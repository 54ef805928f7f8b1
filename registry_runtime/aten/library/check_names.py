"""Types and checks in the bodies of kernels: what the cases of a switch over types are made of.

An enumerator becomes a C++ type, and a check that fails throws an error of PyTorch's, of its kind.
"""

from __future__ import annotations

from collections.abc import Callable

from registry_runtime.aten.errors import (
    IndexTorchError,
    NotImplementedTorchError,
    TorchError,
    TypeTorchError,
    ValueTorchError,
)
from registry_runtime.aten.library.argument_types import takes
from registry_runtime.aten.library.type_names import cpp_type
from registry_runtime.aten.tensor.alpha_check import alpha_check
from registry_runtime.aten.tensor.scalar_type import (
    ScalarType,
    is_complex_type,
    is_floating_type,
    is_integral_type,
)
from registry_runtime.aten.tensor.type_properties import result_type
from registry_runtime.cxx import (
    Binding,
    Class,
    Function,
    FunctionTemplate,
    TemplateArgument,
    Type,
    TypeTemplate,
)
from registry_runtime.cxx.arithmetic import CHAR, Integer, plain
from registry_runtime.cxx.bindings import Typed

Arguments = tuple[TemplateArgument, ...]
_BY_CPP_TYPE = {T.cpp: T for T in ScalarType if T.cpp}


def scalar_type(arguments: Arguments) -> ScalarType:
    """The type of elements that a template's one argument is. Raises TorchError."""
    spelled = str(arguments[0]) if len(arguments) == 1 else ""
    if spelled not in _BY_CPP_TYPE:
        raise TorchError(f"`{spelled}` is no type that a tensor can have")
    return _BY_CPP_TYPE[spelled]


def converted(to: Callable[..., object]) -> FunctionTemplate:
    def instantiate(arguments: Arguments) -> Callable[..., object]:
        T = scalar_type(arguments)
        return lambda of, *arguments: to(of, T, *arguments)

    return FunctionTemplate(instantiate)


def _cpp_type(arguments: Arguments) -> Type:
    T = arguments[0].value if len(arguments) == 1 else None
    if not isinstance(T, ScalarType) or not T.cpp:
        raise TorchError("ScalarTypeToCPPTypeT takes an at::ScalarType")
    return cpp_type(T)


_KINDS: dict[str, Callable[..., bool]] = {
    "isFloatingType": is_floating_type,
    "isIntegralType": is_integral_type,
    "isReducedFloatingType": lambda T: T in (ScalarType.Half, ScalarType.BFloat16),
    "isComplexType": is_complex_type,
}


def checks() -> dict[str, Binding]:
    def error(of: type[TorchError]) -> Class:
        return Class(lambda location, message: of(message), registers=False)

    names: dict[str, Binding] = {
        f"{ns}::impl::ScalarTypeToCPPTypeT": TypeTemplate(_cpp_type)
        for ns in ("c10", "torch::headeronly")
    }
    names |= {
        f"{ns}::{name}": Function(takes(kind, "at::ScalarType"))
        for name, kind in _KINDS.items()
        for ns in ("c10", "at", "torch::headeronly")
    }
    names |= {f"{ns}::toString": Function(str) for ns in ("c10", "at", "torch::headeronly")}
    return names | {
        "detail::scalar_type": Function(lambda T: T),
        "at::should_include_kernel_dtype": Function(lambda name, T: True),
        "__builtin_expect": Function(lambda value, likely: value),
        "c10::str": Function(Typed(_message)),
        "c10::detail::torchCheckMsgImpl": Function(
            Typed(lambda default, *parts: _message(*parts) or default)
        ),
        "c10::detail::torchCheckFail": Function(_fail),
        "c10::detail::torchInternalAssertFail": Function(_assert_fail),
        "c10::Error": error(TorchError),
        "c10::NotImplementedError": error(NotImplementedTorchError),
        "c10::IndexError": error(IndexTorchError),
        "c10::ValueError": error(ValueTorchError),
        "c10::TypeError": error(TypeTorchError),
        "at::native::result_type": Function(takes(result_type, "at::Tensor", "at::Scalar")),
        "at::native::alpha_check": Function(takes(alpha_check, "at::ScalarType", "at::Scalar")),
    }


def _message(*parts: object) -> str:
    """The parts as a stream of C++ prints them."""
    return "".join(
        chr(part)
        if isinstance(part, Integer) and part.type is CHAR
        else str(int(part))
        if isinstance(part, bool)
        else str(plain(part))
        for part in parts
    )


def _fail(function: str, file: str, line: int, message: str) -> None:
    raise TorchError(message)


def _assert_fail(function: str, file: str, line: int, assertion: str, message: str) -> None:
    raise TorchError(assertion + message)
