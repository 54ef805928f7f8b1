"""Attributes as Fluid keeps them: values that know their C++ type, under names.

`framework::Attribute` is a variant, so that one map holds them all, and who reads one says of what
type it should be. `Attrs().Get<int>("axis1")` in an InferShape bends a little: a flag may have come
as an int from Python. `context.Attr<int>("axis1")` in a kernel doesn't.

Source: `paddle/fluid/framework/attribute.h` and `PADDLE_GET_CONST` in `platform/enforce.h`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from registry_runtime.cxx import Vector
from registry_runtime.phi.enforce import InvalidArgument, NotFound

AttributeMap = Mapping[str, Any]

_SCALARS = {bool: "bool", float: "float", str: "std::string"}
_INT32 = range(-(2**31), 2**31)

# What `Get<T>` makes of an attribute that holds another type.
_EXTRACTED: Mapping[str, Mapping[str, Callable[[Any], Any]]] = {
    "bool": {"int": bool, "float": bool},
    "int64_t": {"int": int, "float": int},
    "float": {"int": float, "int64_t": float},
    "double": {"int": float, "int64_t": float, "float": float},
    "std::vector<int64_t>": {
        "std::vector<int>": list,
        "std::vector<float>": lambda values: [int(value) for value in values],
    },
    "std::vector<double>": {"std::vector<int>": list, "std::vector<float>": list},
}

# Python has one int and one float: the maker's type says which of C++'s an attribute of it is.
_WIDENED = frozenset(
    {
        ("int", "int64_t"),
        ("float", "double"),
        ("std::vector<int>", "std::vector<int64_t>"),
        ("std::vector<float>", "std::vector<double>"),
    }
)


def attribute_type(value: Any) -> str:
    """The C++ type that Fluid's Python front end gives a value: `int`, `std::vector<float>`."""
    if isinstance(value, list | tuple):
        of = {attribute_type(element) for element in value}
        if of == {"int", "int64_t"}:
            of = {"int64_t"}
        return f"std::vector<{of.pop()}>" if len(of) == 1 else "std::vector<int>"
    if isinstance(value, int) and not isinstance(value, bool):
        return "int" if value in _INT32 else "int64_t"
    return _SCALARS.get(type(value), type(value).__name__)


def holds(cpp_type: str, value: Any) -> bool:
    """Whether an attribute of this C++ type may hold `value`, as it stands."""
    held = attribute_type(value)
    if held == cpp_type or (held, cpp_type) in _WIDENED:
        return True
    return cpp_type.startswith("std::vector<") and isinstance(value, list | tuple) and not value


def extracted(cpp_type: str, value: Any) -> Any | None:
    """`ExtractAttribute<T>`, which is asked when an operator is made and its maker's checker runs: the
    value as one of that type; None where that can't be."""
    convert = _EXTRACTED.get(cpp_type, {}).get(attribute_type(value))
    return None if convert is None else convert(value)


@dataclass(frozen=True, slots=True)
class AttrReader:
    """`framework::AttrReader`: what `ctx->Attrs()` gives."""

    attrs: AttributeMap

    def Get(self, name: str, cpp_type: str) -> Any:
        """`Get<T>(name)`. Raises NotFound, and InvalidArgument for another type."""
        if name not in self.attrs:
            raise NotFound(
                f"Attribute ({name}) should be in AttributeMap.",
                hint=_there(self.attrs),
                argument=0,
            )
        value = self.attrs[name]
        if holds(cpp_type, value):
            return owned(value)
        made = extracted(cpp_type, value)
        if made is None:
            held = attribute_type(value)
            raise InvalidArgument(
                f"Cannot get attribute ({name}) by type {cpp_type}, its type is {held}.", argument=0
            )
        return owned(made)


def get_const(attrs: AttributeMap, name: str, cpp_type: str, declared: str | None = None) -> Any:
    """`PADDLE_GET_CONST(T, GetAttr(name))`; a maker may have `declared` another type. Raises NotFound,
    and InvalidArgument."""
    if name not in attrs:
        raise NotFound(f"({name}) is not found in AttributeMap.", hint=_there(attrs), argument=0)
    value = attrs[name]
    if declared not in (None, cpp_type) or not holds(cpp_type, value):
        raise InvalidArgument(
            f"paddle::get failed, cannot get value (GetAttr(name)) by type {cpp_type}, its type is "
            f"{declared or attribute_type(value)}.",
            hint=f"the attribute is {name}",
            argument=0,
        )
    return owned(value)


def owned(value: Any) -> Any:
    """An attribute as a body may have it: of a list, which is the caller's or the maker's default, a
    vector of its own."""
    return Vector(value) if isinstance(value, list | tuple) else value


def _there(attrs: AttributeMap) -> str:
    return f"there are {', '.join(attrs)}" if attrs else "the call has no attributes"
