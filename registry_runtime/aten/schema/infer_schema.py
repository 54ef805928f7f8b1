"""A kernel's schema, read off its C++ type, and how it departs from the one that was promised.

C++ knows no names of arguments at run time, no defaults and no aliases, so an inferred schema says
`(Tensor _0, int _1) -> Tensor _0`. What it does know is enough to catch the commonest slips: a
parameter too few, an `int` where the schema says `float`. A type that schemas have no word for is a
compile-time error in C++, and a refusal here.
"""

from __future__ import annotations

from collections.abc import Callable

from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.schema.cpp_signature import (
    canonical_name,
    demangle,
    without_dispatch_key_set,
)
from registry_runtime.aten.schema.function_schema import Argument, FunctionSchema
from registry_runtime.aten.schema.jit_type import (
    ANY,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NUMBER,
    STRING,
    SYM_INT,
    TENSOR,
    ImpossibleType,
    Type,
    TypeKind,
    dict_of,
    list_of,
    optional,
)
from registry_runtime.cxx import types as cxx
from registry_runtime.cxx.span import Span


class UninferableType(TorchError):
    """A C++ type that no schema can have, with PyTorch's sentence.

    `parameter` counts the function's parameters from 0, and `span` is where it was written; for
    what the function returns, they are None.
    """

    def __init__(self, message: str, parameter: int | None, span: Span | None) -> None:
        super().__init__(message)
        self.parameter = parameter
        self.span = span


def infer_function_schema(
    function: cxx.FunctionType, name: OperatorName | None = None
) -> FunctionSchema:
    """The schema of kernels of that C++ type (`inferFunctionSchemaFlattenedReturns`).

    A tuple that is returned counts as several results, `void` as none, and a first parameter of
    type `c10::DispatchKeySet` is left out. Raises UninferableType.
    """
    taken = without_dispatch_key_set(function)
    left_out = len(function.parameters) - len(taken.parameters)
    arguments = []
    for index, parameter in enumerate(taken.parameters):
        try:
            arguments.append(_argument(index, parameter.type))
        except ImpossibleType as error:
            place = index + left_out
            raise UninferableType(str(error), place, parameter.span) from None
    try:
        returns = [_argument(index, type) for index, type in enumerate(_returned(taken.returns))]
    except ImpossibleType as error:
        raise UninferableType(str(error), None, None) from None
    return FunctionSchema(name or OperatorName("", ""), tuple(arguments), tuple(returns))


def find_schema_differences(inferred: FunctionSchema, specified: FunctionSchema) -> str | None:
    """The first difference, as PyTorch words it (`findSchemaDifferences`), or None. Names, defaults
    and aliases don't count."""
    for what, ours, theirs in (
        ("arguments", inferred.arguments, specified.arguments),
        ("returns", inferred.returns, specified.returns),
    ):
        if len(ours) != len(theirs):
            return f"The number of {what} is different. {len(ours)} vs {len(theirs)}."
    for what, ours, theirs in (
        ("argument", inferred.arguments, specified.arguments),
        ("return", inferred.returns, specified.returns),
    ):
        for number, (left, right) in enumerate(zip(ours, theirs, strict=True), 1):
            if left.type != right.type:
                return f"Type mismatch in {what} {number}: {left.type} vs {right.type}."
    return None


def _returned(type: cxx.Type) -> list[cxx.Type]:
    if isinstance(type, cxx.NamedType):
        if canonical_name(type.name) == "void":
            return []
        if canonical_name(type.name) == "std::tuple":
            return [argument.type for argument in type.arguments if argument.type is not None]
    return [type]


def _argument(index: int, type: cxx.Type) -> Argument:
    _check_static_type(type)
    real = _type(cxx.without_reference_and_const(type))
    return Argument(f"_{index}", _fake(real), real)


def _check_static_type(type: cxx.Type) -> None:
    """`checkStaticTypes`: the two commonest slips get a sentence of their own."""
    spelled = demangle(cxx.as_parameter(type))
    if spelled == "float":
        raise ImpossibleType(
            "INVALID TYPE: float is not supported as an argument type, use double instead"
        )
    if spelled in _OTHER_INTEGERS:
        raise ImpossibleType(
            "INVALID TYPE: Only int8_t, int64_t and bool are supported as an integral argument type"
        )


_OTHER_INTEGERS = {
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "unsigned long",
    "long long",
    "unsigned long long",
}
_SIMPLE = {
    "c10::IValue": ANY,
    "at::Tensor": TENSOR,
    "c10::Storage": Type(TypeKind.StorageType),
    "c10::Stream": Type(TypeKind.StreamObjType),
    "double": FLOAT,
    "c10::complex<double>": COMPLEX,
    "long": INT,
    "signed char": INT,  # c10::DeviceIndex
    "c10::SymInt": SYM_INT,
    "c10::SymFloat": Type(TypeKind.SymFloatType),
    "c10::SymBool": Type(TypeKind.SymBoolType),
    "c10::Device": Type(TypeKind.DeviceObjType),
    "bool": BOOL,
    "c10::Scalar": NUMBER,
    "c10::QScheme": Type(TypeKind.QSchemeType),
    # A generator may always be missing, so PyTorch takes the plain one for an optional too.
    "at::Generator": optional(Type(TypeKind.GeneratorType)),
    demangle(cxx.NamedType("std::string")): STRING,
    demangle(cxx.NamedType("std::string_view")): STRING,
    "c10::ScalarType": Type(TypeKind.ScalarTypeType),
    "c10::Layout": Type(TypeKind.LayoutType),
    "c10::MemoryFormat": Type(TypeKind.MemoryFormatType),
    "c10::ArrayRef<long>": list_of(INT),
    "c10::ArrayRef<c10::SymInt>": list_of(SYM_INT),
    "c10::ArrayRef<at::Tensor>": list_of(TENSOR),
    "c10::IListRef<at::Tensor>": list_of(TENSOR),
    "c10::OptionalArrayRef<long>": optional(list_of(INT)),
    "c10::OptionalArrayRef<c10::SymInt>": optional(list_of(SYM_INT)),
}
_TEMPLATES: dict[str, Callable[..., Type]] = {
    "std::vector": list_of,
    "c10::ArrayRef": list_of,
    "c10::List": list_of,
    "c10::IListRef": list_of,
    "std::array": list_of,
    "c10::OptionalArrayRef": lambda element: optional(list_of(element)),
    "std::optional": optional,
    "std::unordered_map": dict_of,
    "c10::Dict": dict_of,
    "std::tuple": lambda *members: Type(TypeKind.TupleType, members),
}


def _type(type: cxx.Type) -> Type:
    """`c10::getTypePtr<type>`. Raises ImpossibleType."""
    spelled = demangle(type)
    known = _SIMPLE.get(spelled)
    if known is not None:
        return known
    if isinstance(type, cxx.NamedType):
        make = _TEMPLATES.get(canonical_name(type.name))
        arguments = [a.type for a in type.arguments if a.type is not None]
        if make is not None and arguments:
            return make(
                *(_type(cxx.without_reference_and_const(argument)) for argument in arguments)
            )
    raise ImpossibleType(f"Type {spelled} could not be converted to any of the known types.")


_FAKE = {
    TypeKind.SymIntType: INT,
    TypeKind.SymFloatType: FLOAT,
    TypeKind.SymBoolType: BOOL,
    TypeKind.ScalarTypeType: INT,
    TypeKind.LayoutType: INT,
    TypeKind.MemoryFormatType: INT,
}


def _fake(type: Type) -> Type:
    if not type.contained:
        return _FAKE.get(type.kind, type)
    return Type(type.kind, tuple(map(_fake, type.contained)), type.name)
