"""`std::array` and `std::reference_wrapper`: what classes keep their outputs in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registry_runtime.cxx.arithmetic import SIZE_T, Integer, type_of
from registry_runtime.cxx.bindings import Arguments, Bindings, ClassTemplate, Function, Typed
from registry_runtime.cxx.conversions import arithmetic_type, array
from registry_runtime.cxx.span import Refusal
from registry_runtime.cxx.types import NamedType
from registry_runtime.cxx.variables import Array, Reference


def _array(arguments: Arguments) -> Callable[..., object]:
    type = NamedType("std::array", arguments)

    def construct(*values: Any) -> Array:
        if values:
            return array(type, values[0])
        of, size = arguments[0].type, arguments[-1].value
        if (
            arithmetic_type(of) is not None
            or str(of).startswith(_OTHERS)
            or not isinstance(size, int)
            or size > _MOST
        ):
            raise Refusal(f"not understood: a `{type}` without its elements")
        return Array([None] * size, of)

    return construct


def _from_list(arguments: Arguments) -> Callable[..., object]:
    return Typed(lambda *values: array(NamedType("std::array", arguments), values))


_MOST = 1000
_OTHERS = ("std::string", "std::vector", "std::array", "std::reference_wrapper")  # aren't empty


def _reference(value: Any) -> Reference:
    if type_of(value) is not None or isinstance(value, str):
        raise Refusal("not understood: std::ref of a number or a string", argument=0)
    return value if isinstance(value, Reference) else Reference(value)


ARRAYS = Bindings(
    {
        "std::array": ClassTemplate(constructor=_array, from_list=_from_list),
        "std::ref": Function(Typed(_reference)),
    },
    {
        Array: {"size": lambda of: Integer(len(of), SIZE_T), "empty": lambda of: not of},
        Reference: {"get": lambda of: of.to},
    },
    types={name: NamedType(name) for name in ("std::array", "std::reference_wrapper")},
    copies={Array: lambda of: Array(of, of.of)},
)
