"""What every framework's text may use of C++'s own library.

What the environment holds is told to no text: what a registration does must not depend on who looks
at it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from registry_runtime.cxx.arithmetic import type_of
from registry_runtime.cxx.arrays import ARRAYS
from registry_runtime.cxx.bindings import (
    Arguments,
    Binding,
    Bindings,
    ByReference,
    ClassTemplate,
    Constant,
    Function,
    FunctionTemplate,
    TypeTemplate,
)
from registry_runtime.cxx.exponentials import EXPONENTIALS
from registry_runtime.cxx.numbers import NUMBERS
from registry_runtime.cxx.operators import Literal
from registry_runtime.cxx.optionals import OPTIONALS
from registry_runtime.cxx.pairs import PAIRS
from registry_runtime.cxx.places import Pointer
from registry_runtime.cxx.span import Refusal
from registry_runtime.cxx.strings import STRINGS
from registry_runtime.cxx.types import (
    ConstType,
    NamedType,
    PointerType,
    ReferenceType,
    TemplateArgument,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import MOVED, NULLOPT, Variable
from registry_runtime.cxx.vectors import VECTORS


def _is_same(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
    if len(arguments) != 2 or arguments[0].type is None or arguments[1].type is None:
        raise Refusal("std::is_same compares two types")
    return {"value": arguments[0].type == arguments[1].type}


def _the_type(arguments: Arguments) -> Type:
    if len(arguments) != 1 or arguments[0].type is None:
        raise Refusal("one type is wanted between `<` and `>`")
    return arguments[0].type


def _without_reference(arguments: Arguments) -> Type:
    type = _the_type(arguments)
    return type.to if isinstance(type, ReferenceType) else type


def _without_pointer(arguments: Arguments) -> Type:
    type = _the_type(arguments)
    type = type.of if isinstance(type, ConstType) else type
    return type.to if isinstance(type, PointerType) else _the_type(arguments)


def _without_const(arguments: Arguments) -> Type:
    type = _the_type(arguments)
    return type.of if isinstance(type, ConstType) else type


def _moved(variable: Variable) -> object:
    # Of a number or a pointer a move is a copy. What else is moved from, nobody may look at then.
    value = variable.cell.value
    if type_of(value) is not None or isinstance(value, Pointer | Literal) or value is None:
        return variable
    variable.cell.end(MOVED)
    return value


def _elements(*values: object) -> tuple[object, ...]:
    # Which are in it is all that anybody asks of a set here.
    return values


def _unset(name: str) -> None:
    if name in os.environ:
        raise Refusal(f"not understood: what the environment holds for `{name}`", argument=0)


_NAMES: Mapping[str, Binding] = {
    **NUMBERS,
    **EXPONENTIALS,
    "std::is_same": ClassTemplate(_is_same),
    "std::remove_reference_t": TypeTemplate(_without_reference),
    "std::remove_pointer_t": TypeTemplate(_without_pointer),
    "std::remove_const_t": TypeTemplate(_without_const),
    "std::decay_t": TypeTemplate(
        lambda arguments: without_reference_and_const(_the_type(arguments))
    ),
    "std::unordered_set": ClassTemplate(constructor=lambda arguments: _elements),
    "std::nullopt": Constant(NULLOPT),
    "std::move": Function(ByReference(_moved)),
    "std::forward": FunctionTemplate(lambda arguments: ByReference(_moved)),
    "std::getenv": Function(_unset),
    "getenv": Function(_unset),
}


_TYPES: Mapping[str, Type] = {
    name: NamedType(name) for name in ("std::string", "std::vector", "std::optional")
}
STANDARD = STRINGS | VECTORS | ARRAYS | PAIRS | OPTIONALS | Bindings(_NAMES, types=_TYPES)
