"""C++ types as values: built, compared, printed, and instantiated from a template's parameters.

A kernel says what it takes by its type, so this is where a registration's facts come from:
`KernelArgsParseFunctor<decltype(&phi::BitwiseAndKernel<bool, phi::CPUContext>)>` can list three
tensors because the type of that function is a `FunctionType` whose parameters say so.

Two types are equal if C++ says so. A function type therefore forgets its parameters' names when it
is compared. It keeps them all the same, with the place where each parameter was written: an error
about a parameter then points at the declaration that has to change.

Names are canonical by the time they get here: the scopes are looked through, aliases resolved, and
of the several spellings of an integer type (`long`, `signed long int`, `std::int64_t`) one is left,
the one that kernels use (`int64_t`). The data model is that of 64-bit Linux.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum

from registry_runtime.cxx.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class NamedType:
    """`int`, `phi::DenseTensor`, `std::vector<int>`; in a template also its parameter `T`.

    Of the text's own types more is known (see `own_types`); it is the name that makes two equal.
    """

    name: str
    arguments: tuple[TemplateArgument, ...] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NamedType):
            return NotImplemented
        return self.name == other.name and self.arguments == other.arguments

    def __hash__(self) -> int:
        return hash((self.name, self.arguments))

    def __str__(self) -> str:
        return self.name + spell_arguments(self.arguments)


@dataclass(frozen=True, slots=True)
class ConstType:
    """`const T`."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of} const" if isinstance(self.of, PointerType) else f"const {self.of}"


@dataclass(frozen=True, slots=True)
class PointerType:
    """`T*`."""

    to: Type

    def __str__(self) -> str:
        if isinstance(self.to, FunctionType):
            return f"{self.to.returns} (*)({self.to.spell_parameters()})"
        return f"{self.to}*"


@dataclass(frozen=True, slots=True)
class ReferenceType:
    """`T&`, or `T&&` if `rvalue`."""

    to: Type
    rvalue: bool = False

    def __str__(self) -> str:
        return f"{self.to}{'&&' if self.rvalue else '&'}"

    @property
    def is_to_an_object(self) -> bool:
        """Whether it can be one to nothing but an object that was there before: neither `T&&` nor
        `const T&`, which bind to a value as well; [dcl.init.ref]."""
        return not self.rvalue and not isinstance(self.to, ConstType)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function. Only its type counts when function types are compared.

    `name` is empty where the declaration leaves it out; `span` is where it was written.
    """

    type: Type
    name: str = field(default="", compare=False)
    span: Span = field(default=Span(0, 0), compare=False)

    def __str__(self) -> str:
        return f"{self.type} {self.name}".rstrip()


@dataclass(frozen=True, slots=True)
class FunctionType:
    """`void(const phi::CPUContext&, phi::DenseTensor*)`."""

    returns: Type
    parameters: tuple[Parameter, ...]

    def spell_parameters(self) -> str:
        return ", ".join(str(parameter.type) for parameter in self.parameters)

    def __str__(self) -> str:
        return f"{self.returns} ({self.spell_parameters()})"


@dataclass(frozen=True, slots=True)
class PackExpansion:
    """`Args... args`: as many parameters as the pack `Args` has types, once it is known."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of}..."


@dataclass(frozen=True, slots=True)
class UnknownType:
    """`decltype` of a function that the text does not declare: `function` is that function."""

    function: object

    def __str__(self) -> str:
        return f"decltype({self.function})"


Type = (
    NamedType | ConstType | PointerType | ReferenceType | FunctionType | PackExpansion | UnknownType
)


@dataclass(frozen=True, slots=True)
class TemplateArgument:
    """What stands between `<` and `>`: a type, or the value of an expression.

    `program` is the text that it was written in, whose classes the type may be one of.
    """

    value: Type | object
    span: Span = field(default=Span(0, 0), compare=False)
    program: object = field(default=None, compare=False, repr=False)

    @property
    def type(self) -> Type | None:
        """The argument, if it is a type."""
        return self.value if isinstance(self.value, Type) else None

    def __str__(self) -> str:
        value = self.value
        if isinstance(value, bool):
            return str(value).lower()
        of = getattr(type(value), "cxx_type", None)
        if isinstance(value, IntEnum) and of is not None:
            scope = of.name if of.promoted is None else of.name.rpartition("::")[0]
            return f"{scope}::{value.name}" if scope else value.name
        return str(value)


def spell_arguments(arguments: tuple[TemplateArgument, ...]) -> str:
    """`<bool, phi::CPUContext>`, and nothing for no arguments."""
    return f"<{', '.join(map(str, arguments))}>" if arguments else ""


# --- Fundamental types ----------------------------------------------------------------------------

_INTEGERS = {
    "char": ("int8_t", "uint8_t"),
    "short": ("int16_t", "uint16_t"),
    "int": ("int", "uint32_t"),
    "long": ("int64_t", "uint64_t"),
    "long long": ("long long", "unsigned long long"),
}
_TYPEDEFS = {
    "int32_t": "int",
    "size_t": "uint64_t",
    "ssize_t": "int64_t",
    "ptrdiff_t": "int64_t",
    "intptr_t": "int64_t",
    "uintptr_t": "uint64_t",
}
_FIXED = ("int8_t", "uint8_t", "int16_t", "uint16_t", "uint32_t", "int64_t", "uint64_t")


def fundamental(spelling: str) -> NamedType:
    """The one canonical type for a spelling made of C++'s own words: `unsigned`, `long int`."""
    words = sorted(spelling.split())
    if words == ["double", "long"]:
        return NamedType("long double")
    sign = [word for word in words if word in ("signed", "unsigned")]
    size = [word for word in words if word not in (*sign, "int")]
    known = _INTEGERS.get(" ".join(size) or "int")
    if known is None or (size == ["char"] and not sign):
        return NamedType(typedef(" ".join(words)) or " ".join(words))
    return NamedType(known["unsigned" in sign])


def typedef(name: str) -> str | None:
    """The canonical name of a fixed-width integer type (`int32_t` is `int`), or None."""
    return name if name in _FIXED else _TYPEDEFS.get(name)


# --- Taking types apart ---------------------------------------------------------------------------


def without_reference_and_const(type: Type) -> Type:
    """What `typeid(type)` tells apart: a reference and an outermost const make no difference."""
    if isinstance(type, ReferenceType):
        type = type.to
    return type.of if isinstance(type, ConstType) else type


def substitute(type: Type, arguments: Mapping[str, Type | object]) -> Type:
    """`type` with each template parameter replaced by its argument."""
    match type:
        case NamedType(name, ()):
            value = arguments.get(name, type)
            return value if isinstance(value, Type) else type
        case NamedType(name, inner):
            made = (one for a in inner for one in _substitute_argument(a, arguments))
            return NamedType(name, tuple(made))
        case ConstType(of):
            return const(substitute(of, arguments))
        case PointerType(to):
            return PointerType(substitute(to, arguments))
        case ReferenceType(to, rvalue):
            return reference(substitute(to, arguments), rvalue)
        case FunctionType(returns, parameters):
            return FunctionType(
                substitute(returns, arguments),
                tuple(made for p in parameters for made in _substitute_parameter(p, arguments)),
            )
        case PackExpansion(of):
            return PackExpansion(substitute(of, arguments))
        case UnknownType():
            return type


def _substitute_parameter(
    parameter: Parameter, arguments: Mapping[str, Type | object]
) -> list[Parameter]:
    each = _expanded(parameter.type, arguments)
    if each is not None:
        return [replace(parameter, type=type) for type in each if isinstance(type, Type)]
    type = substitute(parameter.type, arguments)
    return [parameter if type is parameter.type else replace(parameter, type=type)]


def _expanded(
    type: Type | None, arguments: Mapping[str, Type | object]
) -> list[Type | object] | None:
    """What `Args...` and `const Args&...` become once it is known what the pack holds."""
    if not isinstance(type, PackExpansion):
        return None
    of = type.of
    packs = ((n, v) for n, v in arguments.items() if isinstance(v, tuple) and _names(of, n))
    name, pack = next(packs, ("", None))
    if pack is None:
        return None
    if of == NamedType(name):  # of types, or of values
        return [*pack]
    return [substitute(of, {**arguments, name: element}) for element in pack]


def _names(type: Type, parameter: str) -> bool:
    return re.search(rf"\b{re.escape(parameter)}\b", str(type)) is not None


def _substitute_argument(
    argument: TemplateArgument, arguments: Mapping[str, Type | object]
) -> list[TemplateArgument]:
    each = _expanded(argument.type, arguments)
    if each is not None:
        return [replace(argument, value=value) for value in each]
    if argument.type is None:
        return [argument]
    if isinstance(argument.type, NamedType) and not argument.type.arguments:
        return [replace(argument, value=arguments.get(argument.type.name, argument.type))]
    return [replace(argument, value=substitute(argument.type, arguments))]


def const(type: Type) -> Type:
    """`const type`; a reference, a function and what is const already stay as they are."""
    return type if isinstance(type, ConstType | ReferenceType | FunctionType) else ConstType(type)


def reference(to: Type, rvalue: bool = False) -> ReferenceType:
    """`to&` or `to&&`. References to references collapse, an lvalue reference winning."""
    if isinstance(to, ReferenceType):
        return ReferenceType(to.to, rvalue and to.rvalue)
    return ReferenceType(to, rvalue)


def as_parameter(type: Type) -> Type:
    """What a parameter's type counts as in its function's type: an outermost const is dropped."""
    return type.of if isinstance(type, ConstType) else type


_NAMESPACE = re.compile(r"(?:\b\w+)?::")


def without_namespaces(spelling: str) -> str:
    """`const std::vector<int>&` as `const vector<int>&`."""
    return _NAMESPACE.sub("", spelling) if "::" in spelling else spelling
