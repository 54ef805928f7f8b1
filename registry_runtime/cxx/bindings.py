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
from functools import cached_property, partial
from inspect import signature
from typing import Any, TypeVar

from registry_runtime.cxx.places import Pointer
from registry_runtime.cxx.span import CxxError, Refusal, Span
from registry_runtime.cxx.types import TemplateArgument, Type


@dataclass(frozen=True, slots=True)
class Enumeration:
    """`phi::DataLayout`: `of.__members__` are its enumerators, aliases included."""

    of: type[IntEnum]


@dataclass(frozen=True, slots=True)
class Function:
    """`phi::dtype::ToReal`: called with the values of its arguments.

    One that `registers`, as `PD_RegisterPhiKernel` of a C API, gives what it registered; an object of a
    class of the text is constructed before `main()` if its constructor calls such a function. What it
    `runs` are functions of the text, which have to be known for it.
    """

    call: Callable[..., object]
    registers: bool = False
    runs: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Base:
    """What a bound class is to classes of the text that are derived from it.

    `make` makes the object, a `CxxObject`, for such a class. `virtual` are the functions that these may
    override, with their types, of which names come without namespaces; `pure` those that they have to.
    """

    make: Callable[[Any], object]
    virtual: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pure: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Class:
    """`phi::KernelRegistrar`: `construct` takes the values of a constructor's arguments.

    `members` are its static members: values, `Lazy` ones, functions, function templates. A static
    object of a class that `registers` is constructed before `main()` for what that does; one of
    another class only where its value is used. `from_list` constructs from `{…}`, for a class whose
    braces hold elements and not arguments. A class with a `base` may be derived from.
    """

    construct: Callable[..., object]
    members: Mapping[str, object] = field(default_factory=dict)
    registers: bool = True
    from_list: Callable[..., object] | None = None
    base: Base | None = None


Arguments = tuple[TemplateArgument, ...]


@dataclass(frozen=True, slots=True)
class ClassTemplate:
    """`phi::KernelImpl`: `instantiate` takes template arguments and returns the static members.

    A member is a value, or a `Lazy` one, made only where it is named: as in C++, where what is
    wrong with a member function of a template comes to light when the function is used.

    `constructor` gives what constructs objects of an instance; `from_list` is as a Class's.
    `derived` gives the object of a class of the text that has an instance for its base: by full name
    of class and object, for in a program of many files an object is found by its name. `specialise`
    takes `template <> … X<…>::member = value;`.
    """

    instantiate: Callable[[Arguments], Mapping[str, object]] = lambda arguments: {}
    constructor: Callable[[Arguments], Callable[..., object]] | None = None
    derived: Callable[[Arguments, str, str], object] | None = None
    specialise: Callable[[Arguments, str, object], object] | None = None
    registers: bool = False
    from_list: Callable[[Arguments], Callable[..., object]] | None = None


@dataclass(frozen=True, slots=True)
class FunctionTemplate:
    """`alpha.to<int>`: `instantiate` takes template arguments and returns the function."""

    instantiate: Callable[[Arguments], Callable[..., object]]


@dataclass(frozen=True, slots=True)
class TypeTemplate:
    """`std::remove_pointer_t`: the type that it is for its template arguments."""

    apply: Callable[[Arguments], Type]


@dataclass(frozen=True, slots=True)
class Namespace:
    """`at::_ops`: names that are made where they are asked for. `find` gets what stands behind the
    `::`, and returns None for what there isn't."""

    find: Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Located:
    """A bound function that is told where it is called: `call(span, *values)`.

    Wraps a method too, whose object is then the first of the values. If it `takes_unread`, an argument
    that can't be evaluated is given as the CxxError that says why.
    """

    call: Callable[..., object]
    takes_unread: bool = False

    def __call__(self, *values: object) -> object:
        """The same call from Python, which is at no place."""
        return self.call(Span(0, 0), *values)


@dataclass(frozen=True, slots=True)
class Typed:
    """A bound function that gets numbers with their C++ types; any other gets Python's own."""

    call: Callable[..., object]

    def __call__(self, *values: object) -> object:
        """The same call from Python."""
        return self.call(*values)


@dataclass(frozen=True, slots=True)
class ByReference:
    """A bound function that gets `Variable`s, the objects themselves, and may give one of them back:
    `std::max` returns a reference to one of two."""

    call: Callable[..., object]

    def __call__(self, *values: object) -> object:
        """The same call from Python."""
        return self.call(*values)


@dataclass(frozen=True, slots=True)
class TakesOptionals:
    """A bound function that may be handed a `std::optional`, and gets what it holds, or None. To any
    other one is refused: nobody knows here what its parameters are."""

    call: Callable[..., object]

    def __call__(self, *values: object) -> object:
        """The same call from Python."""
        return self.call(*values)


@dataclass(frozen=True, slots=True)
class Unread:
    """A member function that has no effect here. Its arguments aren't read; it returns its object."""


@dataclass(frozen=True, slots=True)
class Lazy:
    """A static member that is computed when it is named."""

    make: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Opaque:
    """`at::native::gpu_kernel`: a function that nobody runs here, and whose body isn't read wherever it
    stands."""


@dataclass(frozen=True, slots=True)
class Constant:
    """`phi::kSomething`: a value."""

    value: object


Method = Callable[..., object] | FunctionTemplate | Unread


# From a CxxFunction, which is above us.
Link = Callable[[Any], Callable[..., object] | FunctionTemplate | None]


Binding = (
    Enumeration
    | Function
    | Class
    | ClassTemplate
    | FunctionTemplate
    | TypeTemplate
    | Constant
    | Namespace
    | Opaque
)


def registers(binding: Binding) -> bool:
    """Whether objects of a bound class are constructed for what that does, or calls of a function
    made for it."""
    return isinstance(binding, Class | ClassTemplate | Function) and binding.registers


@dataclass(frozen=True)
class Bindings:
    """The table.

    `names` binds full names, without a leading `::`. `methods` lists, for a Python class, the
    member functions that C++ may call on its objects, `changing` those of them that aren't const;
    `fields` the data members it may read and assign, and `copies` what makes a copy where C++ copies
    such an object.
    `types` maps names of types to the type that they are, so that an alias and what it stands for
    are one type. `operators` lists what C++ overloads for objects of a Python class, done by
    Python's own operator, or by the function that is given with it, as `unary -` and `-=` may be;
    `destructors` what happens where such an object's block ends. What is listed for a Python class
    holds for its subclasses. `conversions` makes what a `static_cast` of such an object to a type is.
    `link` finds a function that the text only declares, as a linker would in other files; of a
    template it gives a FunctionTemplate. `link_member` finds a member function.
    `instead` has what runs in the place of a body that nobody interprets. `classes` says which Python
    class the objects of a bound type are of, and `type_of` of which bound type an object is.
    """

    names: Mapping[str, Binding] = field(default_factory=dict)
    methods: Mapping[type, Mapping[str, Method]] = field(default_factory=dict)
    fields: Mapping[type, frozenset[str]] = field(default_factory=dict)
    types: Mapping[str, Type] = field(default_factory=dict)
    copies: Mapping[type, Callable[[Any], object]] = field(default_factory=dict)
    operators: Mapping[type, frozenset[str] | Mapping[str, Callable[..., object]]] = field(
        default_factory=dict
    )
    destructors: Mapping[type, Callable[[Any], object]] = field(default_factory=dict)
    conversions: Mapping[type, Callable[..., object]] = field(default_factory=dict)
    changing: Mapping[type, frozenset[str]] = field(default_factory=dict)
    link: Link = lambda function: None
    link_member: Callable[[Any], Any] = lambda function: None
    instead: Callable[[Any], Callable[..., object] | None] = lambda function: None
    classes: Mapping[str, type | tuple[type, ...]] = field(default_factory=dict)
    type_of: Callable[[object], Type | None] = lambda value: None

    def __or__(self, other: Bindings) -> Bindings:
        """The tables of two frameworks as one, for a text that uses both."""
        methods = {of: {**self.methods.get(of, {}), **named} for of, named in other.methods.items()}
        return Bindings(
            {**self.names, **other.names},
            {**self.methods, **methods},
            {**self.fields, **other.fields},
            {**self.types, **other.types},
            {**self.copies, **other.copies},
            {**self.operators, **other.operators},
            {**self.destructors, **other.destructors},
            {**self.conversions, **other.conversions},
            {**self.changing, **other.changing},
            lambda function: self.link(function) or other.link(function),
            lambda function: self.link_member(function) or other.link_member(function),
            lambda function: self.instead(function) or other.instead(function),
            {**self.classes, **other.classes},
            lambda value: self.type_of(value) or other.type_of(value),
        )

    def method(self, value: object, name: str) -> Method | None:
        """The member function of this name that C++ may call on `value`."""
        return self.method_of(type(value), name)

    def method_of(self, of: type, name: str) -> Method | None:
        """The same of any object of a Python class."""
        for each in of.__mro__:
            if name in self.methods.get(each, {}):
                return self.methods[each][name]
        return None

    def method_names(self, value: object) -> list[str]:
        """The member functions that C++ may call on `value`."""
        return [name for of in type(value).__mro__ for name in self.methods.get(of, {})]

    def changes(self, value: object, name: str) -> bool:
        """Whether the member function of this name can't be called on a const object."""
        return any(name in self.changing.get(of, ()) for of in type(value).__mro__)

    def overloads(self, operator: str, value: object) -> bool:
        """Whether C++ overloads this operator for `value`."""
        return any(operator in self.operators.get(of, ()) for of in type(value).__mro__)

    def operation(self, operator: str, *operands: object) -> Callable[..., object] | None:
        """The function that C++'s operator is of one of these, if it was given with one."""
        for operand in operands:
            for of in type(operand).__mro__:
                functions = self.operators.get(of)
                if isinstance(functions, Mapping) and operator in functions:
                    return functions[operator]
        return None

    @cached_property
    def _known_types(self) -> frozenset[str]:
        return frozenset((*self.names, *self.types, *map(str, self.types.values())))

    def knows_type(self, name: str) -> bool:
        """Whether a type of this full name means something."""
        return name in self._known_types

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """Every namespace that a bound name or type stands in."""
        found: set[str] = set()
        for name in (*self.names, *self.types):
            while "::" in name:
                name = name.rpartition("::")[0]
                found.add(name)
        return frozenset(found - self.names.keys() - self.types.keys())


Result = TypeVar("Result")


def refusals_at(
    whole: Span, arguments: Sequence[Span], call: Callable[..., Result], *values: object
) -> Result:
    """Call bound Python code. Its Refusal becomes a CxxError at `whole`, or at the argument.

    So does a wrong number of arguments.
    """
    located: Any = _unwrapped(call)
    if type(located) is Located:
        located = partial(located.call, whole)
    elif type(located) is partial and type(located.func) is Located:  # a method
        located = partial(located.func.call, whole, *located.args)
    try:
        made: Result = located(*values)
        return made
    except TypeError as error:
        try:
            signature(located).bind(*values)
        except TypeError:
            wanted = len(signature(located).parameters)
            message = f"wrong number of arguments: {len(values)} instead of {wanted}"
            raise CxxError(message, whole) from error
        raise  # a mistake in the bound code
    except AttributeError as error:
        given = next((i for i, value in enumerate(values) if value is error.obj), None)
        if given is None:
            raise  # a mistake in the bound code
        what = "a pointer" if isinstance(error.obj, Pointer) else "of another type"
        message = f"this argument is {what}: it has no `{error.name}`"
        raise CxxError(message, arguments[given] if given < len(arguments) else whole) from error
    except Refusal as refusal:
        index = refusal.argument
        span = whole
        if index is not None and index < len(arguments):
            span = _within(arguments[index], values[index], refusal.within)
        raise CxxError(refusal.message, span, refusal.hint, refusal.code) from refusal


def _unwrapped(call: Any) -> Any:
    # The function itself, also of a member function that is called on an object.
    if isinstance(call, _WRAPPERS):
        return _unwrapped(call.call)
    if isinstance(call, partial) and isinstance(call.func, _WRAPPERS):
        return _unwrapped(partial(call.func.call, *call.args))
    return call


_WRAPPERS = (Typed, ByReference, TakesOptionals)


def _within(literal: Span, value: object, characters: tuple[int, int] | None) -> Span:
    # Between its quotes a literal has the string's characters one by one, unless it is longer:
    # it has escapes then, or a prefix, or is made of several.
    if characters is None or not isinstance(value, str):
        return literal
    if literal.end - literal.start != len(value) + 2:
        return literal
    first = literal.start + 1
    start, end = characters  # where the string is at an end, its closing quote
    return Span(first + start, first + max(end, start + 1))
