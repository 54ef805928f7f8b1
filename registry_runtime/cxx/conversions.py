"""What becomes of a value as an object of a declared type: of a variable, a parameter, a result.

C++ converts where an object is initialised or assigned, [dcl.init] and [expr.ass], and so `int n =
3.9;` is 3. A number is made one of the declared type (see `arithmetic`), a literal a `std::string`,
what stands in braces a vector. Every other value is of a class, and nothing is done to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from registry_runtime.cxx.arithmetic import (
    ARITHMETIC,
    BOOL,
    CHAR,
    Arithmetic,
    Integer,
    convert,
    narrows,
    operand,
    plain,
    type_of,
)
from registry_runtime.cxx.bindings import Binding, Enumeration
from registry_runtime.cxx.operators import Literal, is_function, kind
from registry_runtime.cxx.own_types import EnumType, Plain, PlainType
from registry_runtime.cxx.places import Pointer
from registry_runtime.cxx.span import Code, Refusal
from registry_runtime.cxx.symbolic import Symbolic
from registry_runtime.cxx.types import (
    ConstType,
    NamedType,
    PointerType,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import (
    NULLOPT,
    Array,
    BuiltInArray,
    Element,
    InitializerList,
    NoValue,
    Nullopt,
    Optional,
    Pair,
    Reference,
    Tied,
    Tuple,
    Variable,
    Vector,
    copy_of,
    own_copy,
)

AUTO = NamedType("auto")
OPTIONAL = "std::optional"
_REACH = "ask it first: has_value(); what it holds is *it, or it.value()"


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


def is_optional(type: Type | None) -> TypeGuard[NamedType]:
    """Whether it is `std::optional<T>`, of any T."""
    return isinstance(type, NamedType) and type.name == OPTIONAL


def is_made_of_a_list(type: Type, value: InitializerList) -> bool:
    """Whether it is a vector of the very numbers that are in the list: [vector.cons]."""
    of = arithmetic_type(element_type(type))
    is_vector = isinstance(type, NamedType) and type.name == "std::vector"
    return is_vector and of is not None and {type_of(each) for each in value} == {of}


def initialised(declared: Type, value: Any) -> Any:
    """What an object of this type holds that is initialised with `value`. Raises Refusal."""
    type = without_reference_and_const(declared)
    if isinstance(value, Symbolic):
        return value if type == AUTO else value.converted(type)
    if isinstance(value, InitializerList) and type != AUTO and not is_made_of_a_list(type, value):
        raise Refusal(f"{kind(value)} where a `{type}` is wanted")
    if isinstance(value, Optional | Nullopt) and type != AUTO and not is_optional(type):
        raise Refusal(f"{kind(value)} where a `{type}` is wanted", hint=_REACH)
    if isinstance(type, PointerType):
        return _pointer(type, value)
    if not isinstance(type, NamedType):
        return value
    if type.name in ARITHMETIC:
        return _number(ARITHMETIC[type.name], value)
    if type.name == "std::string":
        return _string(value)
    if type.name == "std::vector":
        return _vector(element_type(type), value)
    if type.name in TUPLES:
        return tuple_of(type, value)
    if is_optional(type):
        if not type.arguments:
            raise Refusal("not understood: `std::optional` without the type that it is of")
        return optional_of(element_type(type), value)
    if isinstance(type, PlainType):
        return plain_of(type, value)
    if isinstance(type, EnumType):
        return _of_enumeration(type, value)
    if type.name == "std::array":
        return array(type, value)
    if isinstance(value, Reference) and type.name not in ("auto", "std::reference_wrapper"):
        return value.to
    of = element_type(type)
    if of is not None and type.name.endswith("::optional") and value is not None:
        return initialised(of, value)
    return value


def _pointer(type: PointerType, value: Any) -> Any:
    if not isinstance(value, Pointer):
        if type_of(value) is not None:
            raise Refusal(f"{kind(value)} where a `{type}` is wanted")
        return value
    cell, to = value.variable.cell, _pointee(type)
    of = getattr(cell.sequence, "of", None) if isinstance(cell, Element) else None
    if isinstance(of, NamedType):  # an element may have no value yet
        is_it, what = to == of, f"`{of}`"
    else:
        given = arithmetic_type(cell.held.type if isinstance(cell.held, NoValue) else None)
        given = given or type_of(cell.held)
        is_it = arithmetic_type(to) == given
        what = f"a `{given}`" if given is not None else "something else"
    if not is_it and to not in _ANY:
        raise Refusal(f"a pointer to {what} where a `{type}` is wanted")
    if isinstance(type.to, ConstType):
        return Pointer(Variable(value.variable.cell, is_const=True))
    if value.variable.is_const and type.to != AUTO:
        raise Refusal(f"a pointer to what is const where a `{type}` is wanted")
    return value


def _led_elsewhere(old: Pointer, value: Pointer) -> Pointer:
    # A pointer to what is const stays one, and no other becomes one.
    if old.variable.is_const:
        return Pointer(Variable(value.variable.cell, is_const=True))
    if value.variable.is_const:
        raise Refusal("a pointer to what is const where one to what isn't is wanted")
    return value


def _pointee(type: PointerType) -> Type:
    return without_reference_and_const(type.to)


_ANY = (AUTO, NamedType("void"))


def _number(to: Arithmetic, value: Any) -> Any:
    value = operand(value)
    if to is BOOL and (value is None or isinstance(value, Pointer)):
        return value is not None  # a pointer leads somewhere or nowhere: [conv.bool]
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
    if type_of(value) is not None:
        raise Refusal(f"{kind(value)} where a vector is wanted")
    return value


def array(type: NamedType, value: Any) -> Array:
    """An object of `std::array<T, N>`, of another one or of what stands in braces."""
    if isinstance(value, Array) and len(type.arguments) == 2 and value.of == element_type(type):
        return Array(value, value.of)
    of, size = element_type(type), type.arguments[-1].value if type.arguments else None
    if not isinstance(value, tuple) or not isinstance(size, int):
        raise Refusal(f"a `{type}` is made of {size} elements in braces")
    value = _of_a_literal(of, value)
    if len(value) > size:
        raise Refusal(f"a `{type}` has {size} elements, and {len(value)} are given")
    if len(value) < size and (arithmetic_type(of) is None or size > _MOST_ELEMENTS):
        raise Refusal(f"not understood: a `{type}` of {len(value)} elements in braces")
    return Array([*listed(of, value), *(zero(of) for _ in range(size - len(value)))], of)


_MOST_ELEMENTS = 1000


def _of_a_literal(of: Type | None, value: tuple[Any, ...]) -> tuple[Any, ...]:
    """The characters of `{"Cond"}`, with the null behind them, where the elements are `char`s:
    [dcl.init.string]."""
    if arithmetic_type(of) is not CHAR or len(value) != 1 or not isinstance(value[0], Literal):
        return value
    if not value[0].isascii():
        raise Refusal("only the characters of ASCII text are known one by one")
    return tuple(Integer(code, CHAR) for code in (*map(ord, value[0]), 0))


TUPLES: Mapping[str, type[Tuple]] = {"std::pair": Pair, "std::tuple": Tuple}


def optional_of(of: Type | None, value: Any) -> Optional:
    """An optional of `value`: of nothing for nullopt, {} and another that holds nothing."""
    return Optional(of, _held(of, value))


def _held(of: Type | None, value: Any) -> Any:
    if is_optional(of):
        raise Refusal("not understood: an optional of an optional")
    if isinstance(value, Optional):
        if of == NamedType(BOOL.name) and value.of != of:  # is it asked, or what it holds?
            raise Refusal(f"not understood: an optional `bool` of {kind(value)}")
        value = NULLOPT if value.held is None else value.value
    if value is NULLOPT or (value == () and isinstance(value, tuple)):
        return NULLOPT
    made = value if of is None else initialised(of, value)
    if made is None and not isinstance(of, PointerType):
        raise Refusal("not understood: an optional that holds what is nothing itself")
    return own_copy(made)


def tuple_of(type: NamedType, value: Any) -> Tuple:
    """An object of `std::tuple<A, B>` or of `std::pair<A, B>`, of another one or of what stands in
    braces."""
    given = value.values if isinstance(value, Tuple) else value
    types = [argument.type for argument in type.arguments]
    if isinstance(value, Tuple) and type.name == "std::pair" and not isinstance(value, Pair):
        raise Refusal(f"a tuple where a `{type}` is wanted")
    if not isinstance(given, tuple) or len(given) != len(types):
        raise Refusal(f"a `{type}` is made of {len(types)} values")
    each = zip(types, given, strict=True)
    return TUPLES[type.name](*(one if of is None else initialised(of, one) for of, one in each))


def plain_of(type: PlainType, value: Any) -> Plain:
    """An object of a plain struct, of another one or of what stands in braces: of a member that these
    leave out it is the default, or zero, [dcl.init.aggr]."""
    if isinstance(value, Plain) and value.of == type:
        return value.copy()
    if not isinstance(value, tuple) or len(value) > len(type.members):
        raise Refusal(f"{kind(value)} where a `{type}` is wanted")
    made: dict[str, object] = {}
    for index, (name, member) in enumerate(type.members.items()):
        if index < len(value):
            made[name] = _listed_one(member.type, value[index])
        else:
            made[name] = member.default() if member.default is not None else zero(member.type)
    return Plain(type, made)


def unset(type: Type) -> object:
    """What a `T x;` in a body holds: nothing that may be read, but for what has a default."""
    if isinstance(type, PlainType):
        each = {
            name: member.default() if member.default is not None else unset(member.type)
            for name, member in type.members.items()
        }
        return Plain(type, each)
    if type == NamedType("std::string") or is_optional(type):
        return zero(type)
    return NoValue("has no value yet", type)


def _of_enumeration(type: EnumType, value: object) -> object:
    if value == () and isinstance(value, tuple):
        return zero(type)
    if not isinstance(value, type.of):
        raise Refusal(f"{kind(value)} where a `{type}` is wanted")
    return value


def zero(of: Type | None) -> object:
    """What an object is that nobody says a value for, in a vector or a pair: [dcl.init]."""
    if isinstance(of, PlainType):
        return plain_of(of, ())
    if isinstance(of, EnumType):
        return _enumerator(of, Enumeration(of.of), Integer(0))
    if isinstance(of, NamedType) and of.name == "std::vector":
        return Vector(of=element_type(of))
    if is_optional(of):
        return Optional(element_type(of))
    if isinstance(of, NamedType) and of.name in TUPLES:
        return TUPLES[of.name](*(zero(argument.type) for argument in of.arguments))
    if of == NamedType("std::string"):
        return ""
    to = arithmetic_type(of)
    return convert(to, 0) if to is not None else None


def element(of: Type | None, value: Any) -> Any:
    """`value` as an element of a vector, which owns a copy of it, down to the vectors inside."""
    made = value if of is None else initialised(of, value)
    return copy_of(made) if isinstance(made, Vector) else made


def listed(of: Type | None, values: Iterable[Any]) -> Vector:
    """`{a, b, c}` as a vector's elements: what narrows is refused."""
    return Vector((plain(_listed_one(of, value)) for value in values), of)


def _listed_one(of: Type | None, value: Any) -> Any:
    to, given = arithmetic_type(of), type_of(value)
    if to is not None and given is not None and narrows(to, value, is_constant=True):
        raise narrowing(to, value)
    return element(of, value)


def narrowing(to: Arithmetic, value: Any) -> Refusal:
    """Braces refuse a conversion that may lose something: [dcl.init.list]."""
    return Refusal(
        f"{kind(value)} is narrowed to `{to}` in braces",
        hint=f"say that you mean it: static_cast<{to}>(…)",
    )


def assigned(old: object, value: Any) -> Any:
    """What an object that holds `old` holds after `value` is assigned to it: its type stays."""
    type = type_of(old)
    if isinstance(old, Symbolic):
        return old.replaced(value)
    if type is not None and isinstance(value, Symbolic):
        return value.converted(NamedType(type.name))
    if type is not None:
        return _number(type, value)
    if isinstance(old, Pointer) and isinstance(value, Pointer):
        return _led_elsewhere(old, value)
    if isinstance(old, Reference):
        raise Refusal("a `std::reference_wrapper` isn't assigned what it refers to")
    if isinstance(old, str):
        if isinstance(old, Literal) and not isinstance(value, Literal):
            raise Refusal(f"{kind(value)} where a `const char*` is wanted")
        return value if isinstance(old, Literal) else _string(value)
    if isinstance(old, Optional):
        old.hold(_held(old.of, value))
        return old
    if isinstance(value, Optional | Nullopt):
        raise Refusal(f"{kind(value)} is assigned to {kind(old)}", hint=_REACH)
    if isinstance(old, Plain):
        old.assign(plain_of(old.of, value))
        return old
    if isinstance(old, Tuple):
        _assign_parts(old.names if isinstance(old, Tied) else old.parts, value)
        return old
    if isinstance(old, BuiltInArray):
        raise Refusal("an array can't be assigned")
    if isinstance(old, Vector):
        return _vector(old.of, value)
    return value


def _assign_parts(parts: Sequence[Variable | None], value: Any) -> None:
    given = value.values if isinstance(value, Tuple) else value
    if not isinstance(given, tuple) or len(given) != len(parts):
        raise Refusal(f"{kind(value)} where {len(parts)} values are wanted")
    for part, one in zip(parts, given, strict=True):
        if part is not None:
            if part.is_const:
                raise Refusal("what is assigned to is const")
            held = part.cell.held
            open_type = held.type or AUTO if isinstance(held, NoValue) else None
            made = assigned(held, one) if open_type is None else initialised(open_type, one)
            part.cell.value = copy_of(made) if isinstance(made, Vector) else made


def static_cast(target: Type, binding: Binding | None, value: Any) -> object:
    """`static_cast<target>(value)`; `binding` is what the target's name is bound to."""
    bare = without_reference_and_const(target)
    if isinstance(bare, PointerType):
        return initialised(bare, value)
    if bare == AUTO:
        return value
    if isinstance(value, Symbolic):
        return value.converted(bare)
    if isinstance(bare, EnumType):
        binding = Enumeration(bare.of)
    if isinstance(binding, Enumeration):
        return _enumerator(bare, binding, value)
    if isinstance(bare, PlainType):
        return plain_of(bare, value)
    to = arithmetic_type(bare)
    if to is not None and isinstance(value, bool | int | float):
        return convert(to, plain(value) if type_of(value) else int(value))
    if to is BOOL and (isinstance(value, Pointer) or is_function(value)):
        return True
    if to is BOOL and isinstance(value, Optional):
        return value.held is not None
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
