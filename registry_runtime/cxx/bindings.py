"""What C++ names mean in Python: the whole world that expanded text can reach.

A framework hands the interpreter one table. `phi::KernelRegistrar` is bound to a Python class,
`phi::RegType` to an enumeration, `phi::KernelImpl` to something that takes template arguments. What
the table does not name can't be called, read or assigned: text from a file is looked up in mappings
and never reaches `getattr`.

Bound Python code raises `Refusal` when it can't do what it was asked, and `CxxError` when it knows
the place itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from inspect import signature
from typing import Any, TypeVar

from registry_runtime.cxx.span import CxxError, Refusal, Span
from registry_runtime.cxx.types import NamedType, TemplateArgument, Type


@dataclass(frozen=True, slots=True)
class Enumeration:
    """`phi::DataLayout`: `of.__members__` are its enumerators, aliases included."""

    of: type[IntEnum]


@dataclass(frozen=True, slots=True)
class Function:
    """`phi::dtype::ToReal`: called with the values of its arguments."""

    call: Callable[..., object]


@dataclass(frozen=True, slots=True)
class Class:
    """`phi::KernelRegistrar`: `construct` takes the values of a constructor's arguments."""

    construct: Callable[..., object]


@dataclass(frozen=True, slots=True)
class ClassTemplate:
    """`phi::KernelImpl`: `instantiate` takes template arguments and returns the static members.

    A member is a value, or a `Lazy` one, made only where it is named: as in C++, where what is
    wrong with a member function of a template comes to light when the function is used.
    """

    instantiate: Callable[[tuple[TemplateArgument, ...]], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Lazy:
    """A static member that is computed when it is named."""

    make: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Constant:
    """`phi::kSomething`: a value."""

    value: object


Binding = Enumeration | Function | Class | ClassTemplate | Constant


@dataclass(frozen=True)
class Bindings:
    """The table.

    `names` binds full names, without a leading `::`. `methods` lists, for a Python class, the
    member functions that C++ may call on its objects, `fields` the data members it may read and
    assign, and `copies` what makes a copy where C++ copies such an object.
    `types` maps names of types to the type that they are, so that an alias and what it stands for
    are one type.
    """

    names: Mapping[str, Binding] = field(default_factory=dict)
    methods: Mapping[type, Mapping[str, Callable[..., object]]] = field(default_factory=dict)
    fields: Mapping[type, frozenset[str]] = field(default_factory=dict)
    types: Mapping[str, Type] = field(default_factory=dict)
    copies: Mapping[type, Callable[[Any], object]] = field(default_factory=dict)

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """Every namespace that a bound name or type stands in."""
        found: set[str] = set()
        for name in (*self.names, *self.types):
            while "::" in name:
                name = name.rpartition("::")[0]
                found.add(name)
        return frozenset(found - self.names.keys() - self.types.keys())


def _is_same(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
    if len(arguments) != 2 or arguments[0].type is None or arguments[1].type is None:
        raise Refusal("std::is_same compares two types")
    return {"value": arguments[0].type == arguments[1].type}


# What every framework's text may use of C++'s own library.
STANDARD_NAMES: Mapping[str, Binding] = {"std::is_same": ClassTemplate(_is_same)}
STANDARD_TYPES: Mapping[str, Type] = {
    name: NamedType(name)
    for name in ("std::string", "std::vector", "std::optional", "std::pair", "std::tuple")
}

Result = TypeVar("Result")


def refusals_at(
    whole: Span, arguments: Sequence[Span], call: Callable[..., Result], *values: object
) -> Result:
    """Call bound Python code. Its Refusal becomes a CxxError at `whole`, or at the argument.

    So does a wrong number of arguments.
    """
    try:
        return call(*values)
    except TypeError as error:
        try:
            signature(call).bind(*values)
        except TypeError:
            wanted = len(signature(call).parameters)
            message = f"wrong number of arguments: {len(values)} instead of {wanted}"
            raise CxxError(message, whole) from error
        raise  # a mistake in the bound code
    except Refusal as refusal:
        index = refusal.argument
        span = arguments[index] if index is not None and index < len(arguments) else whole
        raise CxxError(refusal.message, span, refusal.hint) from refusal
