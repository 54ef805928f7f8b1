"""The types that an operator's schema is written in: `Tensor`, `int[]`, `Dict(str, Tensor)?`.

They are TorchScript's types, not C++'s: one schema `int` stands for `int64_t`, one `Tensor` for
`const at::Tensor&` and `at::Tensor` alike. A schema keeps two of them for each argument. The real
type is what its text says (`ScalarType`, `SymInt`); the fake one is what a kernel that knows nothing
of such refinements sees in its place (`int`). Two schemas are compared by their fake types, so a
kernel that takes `int64_t` fits an operator that says `SymInt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, auto


class TypeKind(IntEnum):
    """`c10::TypeKind`, in PyTorch's order: a union's members stand sorted by it."""

    AnyType = auto()
    EnumType = auto()
    AnyEnumType = auto()
    TensorType = auto()
    StorageType = auto()
    TupleType = auto()
    ListType = auto()
    DictType = auto()
    NumberType = auto()
    FloatType = auto()
    ComplexType = auto()
    FutureType = auto()
    AwaitType = auto()
    RRefType = auto()
    IntType = auto()
    NoneType = auto()
    StringType = auto()
    GeneratorType = auto()
    QuantizerType = auto()
    BoolType = auto()
    OptionalType = auto()
    VarType = auto()
    DeviceObjType = auto()
    StreamObjType = auto()
    FunctionType = auto()
    ClassType = auto()
    PyObjectType = auto()
    CapsuleType = auto()
    InterfaceType = auto()
    QSchemeType = auto()
    ScalarTypeType = auto()
    LayoutType = auto()
    MemoryFormatType = auto()
    AnyListType = auto()
    AnyTupleType = auto()
    AnyClassType = auto()
    SymIntType = auto()
    SymFloatType = auto()
    SymBoolType = auto()
    UnionType = auto()
    DynamicType = auto()


# How a schema spells the types that contain no others. TorchScript's annotations say `number`.
SPELLINGS = {
    TypeKind.AnyType: "Any",
    TypeKind.AnyEnumType: "AnyEnumType",
    TypeKind.TensorType: "Tensor",
    TypeKind.StorageType: "Storage",
    TypeKind.NumberType: "Scalar",
    TypeKind.FloatType: "float",
    TypeKind.ComplexType: "complex",
    TypeKind.IntType: "int",
    TypeKind.NoneType: "NoneType",
    TypeKind.StringType: "str",
    TypeKind.GeneratorType: "Generator",
    TypeKind.QuantizerType: "Quantizer",
    TypeKind.BoolType: "bool",
    TypeKind.DeviceObjType: "Device",
    TypeKind.StreamObjType: "Stream",
    TypeKind.CapsuleType: "Capsule",
    TypeKind.QSchemeType: "QScheme",
    TypeKind.ScalarTypeType: "ScalarType",
    TypeKind.LayoutType: "Layout",
    TypeKind.MemoryFormatType: "MemoryFormat",
    TypeKind.AnyClassType: "AnyClassType",
    TypeKind.SymIntType: "SymInt",
    TypeKind.SymFloatType: "SymFloat",
    TypeKind.SymBoolType: "SymBool",
}
_CONTAINERS = {
    TypeKind.DictType: "Dict",
    TypeKind.FutureType: "Future",
    TypeKind.AwaitType: "Await",
    TypeKind.RRefType: "RRef",
    TypeKind.UnionType: "Union",
}


@dataclass(frozen=True, slots=True)
class Type:
    """A `c10::Type`. `contained` are its parameters, `name` a type variable's or a class's name."""

    kind: TypeKind
    contained: tuple[Type, ...] = ()
    name: str = ""

    @property
    def element(self) -> Type:
        """What a list or an optional is of."""
        return self.contained[0]

    def __str__(self) -> str:
        """As a schema spells it: `Dict(str, Tensor)`, `int[]?`."""
        match self.kind:
            case TypeKind.ListType:
                return f"{self.element}[]"
            case TypeKind.OptionalType:
                return f"{self.element}?"
            case TypeKind.TupleType:
                return f"({', '.join(map(str, self.contained))})"
            case kind if kind in _CONTAINERS:
                return f"{_CONTAINERS[kind]}({', '.join(map(str, self.contained))})"
            case kind:
                return self.name or SPELLINGS[kind]

    @property
    def annotation(self) -> str:
        """As Python spells it, `List[int]`, and as torch's errors about values do
        (`Type::annotation_str`)."""
        of = ", ".join(type.annotation for type in self.contained)
        match self.kind:
            case TypeKind.ListType:
                return f"List[{of}]"
            case TypeKind.OptionalType:
                return f"Optional[{of}]"
            case TypeKind.TupleType:
                return f"Tuple[{of or '()'}]"
            case TypeKind.NumberType:
                return "number"
            case kind if kind in _CONTAINERS:
                return f"{_CONTAINERS[kind]}[{of}]"
            case _:
                return str(self)


ANY = Type(TypeKind.AnyType)
TENSOR = Type(TypeKind.TensorType)
NUMBER = Type(TypeKind.NumberType)
FLOAT = Type(TypeKind.FloatType)
COMPLEX = Type(TypeKind.ComplexType)
INT = Type(TypeKind.IntType)
BOOL = Type(TypeKind.BoolType)
STRING = Type(TypeKind.StringType)
NONE = Type(TypeKind.NoneType)
SYM_INT = Type(TypeKind.SymIntType)


def list_of(element: Type) -> Type:
    """`element[]`."""
    return Type(TypeKind.ListType, (element,))


class ImpossibleType(Exception):
    """A type that PyTorch refuses to make. The text is PyTorch's."""


_KEYS = {
    TypeKind.AnyType,
    TypeKind.IntType,
    TypeKind.BoolType,
    TypeKind.FloatType,
    TypeKind.ComplexType,
    TypeKind.StringType,
    TypeKind.TensorType,
    TypeKind.DeviceObjType,
}


def dict_of(key: Type, value: Type) -> Type:
    """`Dict(key, value)`. Raises ImpossibleType for a key that no dictionary has."""
    if key.kind not in _KEYS:
        raise ImpossibleType(
            f"Cannot create dict for key type '{key}', only int, float, complex, Tensor, device "
            "and string keys are supported"
        )
    return Type(TypeKind.DictType, (key, value))


def optional(element: Type) -> Type:
    """`element?`; an optional of an optional is itself.

    Raises ImpossibleType for `None?`.
    """
    if element.kind is TypeKind.OptionalType:
        return element
    if element.kind is TypeKind.NoneType:
        raise _single((element, NONE), NONE)
    return Type(TypeKind.OptionalType, (element,))


def union(members: tuple[Type, ...]) -> Type:
    """`Union(members…)`, flattened and sorted as `UnionType::create` does; `T?` where that is it.

    Raises ImpossibleType where one type is left.
    """
    types = dict.fromkeys(flat for member in members for flat in _flatten(member))
    if ANY in types:
        types = dict.fromkeys(type for type in types if type in (ANY, NONE))
    if len(types) == 1:
        raise _single(members, next(iter(types)))
    without_none = [type for type in types if type != NONE]
    if NONE in types and len(without_none) == 1:
        return optional(without_none[0])
    if NONE in types and set(without_none) == {INT, FLOAT, COMPLEX}:
        return optional(NUMBER)
    return Type(TypeKind.UnionType, tuple(sorted(types, key=lambda t: (t.kind, str(t)))))


def _flatten(type: Type) -> Iterator[Type]:
    if type.kind is TypeKind.UnionType:
        yield from type.contained
    elif type.kind is TypeKind.OptionalType:
        yield from _flatten(type.element)
        yield NONE
    elif type.kind is TypeKind.NumberType:
        yield from (INT, FLOAT, COMPLEX)
    else:
        yield type


def _single(members: tuple[Type, ...], left: Type) -> ImpossibleType:
    # The comma stands after every type but the first: PyTorch's sentence has it so.
    first, *others = (member.annotation for member in members)
    return ImpossibleType(
        "After type unification was performed, the Union with the original types {"
        + "".join([f"{first} ", *(f"{other}, " for other in others)])
        + f"}} has the single type {left.annotation}. "
        + "Use the common supertype instead of creating a Uniontype"
    )
