"""What becomes of a value as an object of a declared type: of a variable, a parameter, a result.

C++ converts where an object is initialised or assigned, [dcl.init] and [expr.ass], and so `int n =
3.9;` is 3. A number is made one of the declared type (see `arithmetic`), a literal a `std::string`,
what stands in braces a vector. Every other value is of a class, and nothing is done to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from registry_runtime.cxx.arithmetic import ARITHMETIC, Arithmetic, convert, narrows, plain, type_of
from registry_runtime.cxx.bindings import Binding, Enumeration
from registry_runtime.cxx.operators import Literal, is_function, kind
from registry_runtime.cxx.span import Code, Refusal
from registry_runtime.cxx.types import (
    ConstType,
    NamedType,
    PointerType,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import Pointer, Variable, Vector

AUTO = NamedType("auto")


def arithmetic_type(type: Type | None) -> Arithmetic | None:
    """The arithmetic type that a declared type is, past const and a reference; None for another."""
    if type is None:
        return None
    bare = without_reference_and_const(type)
    return ARITHMETIC.get(bare.name) if isinstance(bare, NamedType) else None


def element_type(type: Type) -> Type | None:
    """`T` of `std::vector<T>` and of the optionals."""
    if isinstance(type, NamedType) and type.arguments:
        return type.arguments[0].type
    return None


def initialised(declared: Type, value: Any) -> Any:
    """What an object of this type holds that is initialised with `value`. Raises Refusal."""
    type = without_reference_and_const(declared)
    if isinstance(type, PointerType):
        if isinstance(type.to, ConstType) and isinstance(value, Pointer):
            return Pointer(Variable(value.variable.cell, is_const=True))
        return value
    if not isinstance(type, NamedType):
        return value
    if type.name in ARITHMETIC:
        return _number(ARITHMETIC[type.name], value)
    if type.name == "std::string":
        return _string(value)
    if type.name == "std::vector":
        return _vector(element_type(type), value)
    of = element_type(type)
    if of is not None and type.name.endswith("::optional") and value is not None:
        return initialised(of, value)
    return value


def _number(to: Arithmetic, value: Any) -> Any:
    if type_of(value) is None:
        raise Refusal(f"{kind(value)} where a `{to}` is wanted")
    return convert(to, value)


def _string(value: object) -> str:
    if isinstance(value, str):
        return str(value)
    raise Refusal(f"{kind(value)} where a `std::string` is wanted")


def _vector(of: Type | None, value: object) -> object:
    if isinstance(value, Vector) and value.of in (None, of):
        value.of = of  # bound code that made it has left it open
        return value
    if isinstance(value, tuple):
        return listed(of, value)
    if type(value) is list:
        return Vector((plain(element(of, one)) for one in value), of)
    if isinstance(value, Vector):
        raise Refusal(f"a vector of `{value.of}` where one of `{of}` is wanted")
    return value


def element(of: Type | None, value: Any) -> Any:
    """`value` as an element of a vector, which owns a copy of it, down to the vectors inside."""
    made = value if of is None else initialised(of, value)
    return copy_of(made) if isinstance(made, Vector) else made


def listed(of: Type | None, values: Iterable[Any]) -> Vector:
    """`{a, b, c}` as a vector's elements: what narrows is refused."""
    made = []
    for value in values:
        to, given = arithmetic_type(of), type_of(value)
        if to is not None and given is not None and narrows(to, value, is_constant=True):
            raise narrowing(to, value)
        made.append(plain(element(of, value)))
    return Vector(made, of)


def narrowing(to: Arithmetic, value: Any) -> Refusal:
    """Braces refuse a conversion that may lose something: [dcl.init.list]."""
    return Refusal(
        f"{kind(value)} is narrowed to `{to}` in braces",
        hint=f"say that you mean it: static_cast<{to}>(…)",
    )


def copy_of(vector: Vector) -> Vector:
    """A vector of its own, with the same elements."""
    return Vector((copy_of(v) if isinstance(v, Vector) else v for v in vector), vector.of)


def assigned(old: object, value: Any) -> Any:
    """What an object that holds `old` holds after `value` is assigned to it: its type stays."""
    type = type_of(old)
    if type is not None:
        return _number(type, value)
    if isinstance(old, str):
        if isinstance(old, Literal) and not isinstance(value, Literal):
            raise Refusal(f"{kind(value)} where a `const char*` is wanted")
        return value if isinstance(old, Literal) else _string(value)
    if isinstance(old, Vector):
        return _vector(old.of, value)
    return value


def static_cast(target: Type, binding: Binding | None, value: Any) -> object:
    """`static_cast<target>(value)`; `binding` is what the target's name is bound to."""
    bare = without_reference_and_const(target)
    if isinstance(bare, PointerType) or bare == AUTO:
        return value
    if isinstance(binding, Enumeration):
        return _enumerator(bare, binding, value)
    to = arithmetic_type(bare)
    if to is not None and isinstance(value, bool | int | float):
        return convert(to, plain(value) if type_of(value) else int(value))
    if to is ARITHMETIC["bool"] and (isinstance(value, Pointer) or is_function(value)):
        return True
    if bare == NamedType("std::string") and isinstance(value, str):
        return str(value)
    raise _no_cast(target, value)


def _no_cast(target: Type, value: object) -> Refusal:
    said = f"not understood: a cast of {kind(value)} to `{target}`"
    return Refusal(said, code=Code.NOT_UNDERSTOOD)


def _enumerator(target: Type, binding: Enumeration, value: Any) -> object:
    if isinstance(value, binding.of):
        return value
    if type_of(value) is not None and isinstance(value, int):
        if value in set(binding.of):
            return binding.of(value)
        raise Refusal(f"`{target}` has no value {value:d}")
    raise _no_cast(target, value)
