"""`std::tuple` and `std::pair`: objects side by side, [tuple], [pairs]; `std::tie(a, b) = …`, and
`auto [a, b] = …;`, which names them anew.

A tuple is copied where C++ copies, and its parts keep their types: `p.first = 2.5` of an int is 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registry_runtime.cxx.bindings import (
    Arguments,
    Bindings,
    ByReference,
    ClassTemplate,
    Constant,
    Function,
    FunctionTemplate,
    Typed,
)
from registry_runtime.cxx.conversions import TUPLES, tuple_of, zero
from registry_runtime.cxx.own_types import Plain
from registry_runtime.cxx.places import decayed
from registry_runtime.cxx.span import Refusal
from registry_runtime.cxx.types import NamedType, Type
from registry_runtime.cxx.variables import (
    Array,
    BuiltInArray,
    Element,
    NoValue,
    Pair,
    Tied,
    Tuple,
    Variable,
)


def _made_as(name: str) -> Callable[[Arguments], Callable[..., object]]:
    def constructor(arguments: Arguments) -> Callable[..., object]:
        type = NamedType(name, arguments)

        def construct(*values: Any) -> Tuple:
            match values:
                case ():
                    return TUPLES[name](*(zero(argument.type) for argument in arguments))
                case (Tuple() as other,) if len(arguments) != 1:
                    return tuple_of(type, other)
            return tuple_of(type, values)

        return Typed(construct)

    return constructor


def _pair(first: object, second: object) -> Pair:
    return Pair(decayed(first), decayed(second))


def _tuple(*values: object) -> Tuple:
    return Tuple(*map(decayed, values))


class _Ignored:
    """`std::ignore`."""


_IGNORE = _Ignored()


def _tied(*names: Variable) -> Tied:
    if any(name.is_temporary and name.cell.held is not _IGNORE for name in names):
        raise Refusal("std::tie takes objects with names")
    return Tied(*(None if name.cell.held is _IGNORE else name for name in names))


def _get(arguments: Arguments) -> Callable[..., object]:
    index = arguments[0].value if len(arguments) == 1 else None

    def get(of: Variable) -> Variable:
        if not isinstance(index, int):
            raise Refusal(
                "not understood: std::get of something else than a number between `<` and `>`"
            )
        if isinstance(of.cell.held, BuiltInArray):
            raise Refusal("std::get is for a tuple, a pair or a std::array", argument=0)
        found = _parts(of)
        if not 0 <= index < len(found):
            raise Refusal(f"std::get<{index}> of {len(found)} parts", argument=0)
        return found[index]

    return ByReference(get)


def parts(variable: Variable, count: int) -> list[Variable]:
    """The objects that the names of a structured binding are for: [dcl.struct.bind]. Raises Refusal."""
    found = _parts(variable)
    if len(found) != count:
        raise Refusal(f"{count} names for {len(found)} parts")
    return found


def _parts(variable: Variable) -> list[Variable]:
    of = variable.cell.held
    match of:
        case Tuple():
            return [Variable(part.cell, variable.is_const) for part in of.parts]
        case BuiltInArray() | Array():
            const = variable.is_const or (isinstance(of, BuiltInArray) and of.is_const)
            return [Variable(Element(of, index), const) for index in range(len(of))]
        case NoValue():
            raise Refusal(f"what is read here {of.why}")
    raise Refusal("not understood: the parts of something else than a tuple, a pair or an array")


_TYPES: dict[str, Type] = {name: NamedType(name) for name in TUPLES}
PAIRS = Bindings(
    {
        **{
            name: ClassTemplate(constructor=_made_as(name), from_list=_made_as(name))
            for name in TUPLES
        },
        "std::make_pair": Function(Typed(_pair)),
        "std::make_tuple": Function(Typed(_tuple)),
        "std::tie": Function(ByReference(_tied)),
        "std::ignore": Constant(_IGNORE),
        "std::get": FunctionTemplate(_get),
    },
    types=_TYPES,
    copies={Pair: Pair.copy, Tuple: Tuple.copy, Tied: Tied.copy, Plain: Plain.copy},
)
