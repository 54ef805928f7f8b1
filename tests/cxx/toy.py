"""A small framework to bind C++ names to, so that the interpreter is tested without PHI."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from registry_runtime.cxx import (
    Bindings,
    Class,
    ClassTemplate,
    Constant,
    CxxError,
    Enumeration,
    Function,
    NamedType,
    Refusal,
    StaticInitialisation,
    TemplateArgument,
    initialise,
)


class Colour(IntEnum):
    """toy::Colour"""

    RED = 0
    GREEN = 1
    CRIMSON = 0


class Size(IntEnum):
    """toy::Size"""

    SMALL = 0
    LARGE = 1


@dataclass
class Box:
    """toy::Box: an object with methods, and a field that may be assigned."""

    colour: Colour = Colour.RED
    inner: "Box | None" = None
    fields_set: list[object] = field(default_factory=list)
    label: object = None

    def paint(self, colour: Colour) -> "Box":
        self.colour = colour
        return self


@dataclass(frozen=True)
class Show:
    """toy::Show keeps the values that it was constructed with."""

    values: tuple[object, ...]


def half(number: int) -> int:
    if number % 2:
        raise Refusal(f"{number} is odd", argument=0, hint="take an even number")
    return number // 2


def type_of(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
    return {"text": ", ".join(map(str, arguments)), "make": Function(lambda: arguments)}


BINDINGS = Bindings(
    names={
        "toy::Show": Class(lambda *values: Show(values)),
        "toy::Box": Class(Box),
        "toy::Colour": Enumeration(Colour),
        "toy::Size": Enumeration(Size),
        "toy::half": Function(half),
        "toy::kLimit": Constant(42),
        "toy::TypeOf": ClassTemplate(type_of),
    },
    methods={Box: {"paint": Box.paint, "colour": lambda box: box.colour}},
    fields={Box: frozenset({"label"})},
    types={
        "toy::Colour": NamedType("toy::Colour"),
        "toy::Tensor": NamedType("toy::Tensor"),
        "toy::TensorAlias": NamedType("toy::Tensor"),
    },
)


def run(text: str) -> StaticInitialisation:
    """Run `text` against the toy framework."""
    return initialise(text, BINDINGS)


def show(expressions: str, before: str = "") -> tuple[object, ...]:
    """The values of comma-separated expressions, which must hold no error."""
    result = run(f"{before}\nstatic const toy::Show shown{{{expressions}}};")
    assert [error.message for error in result.errors] == []
    (shown,) = (item.value for item in result.objects if item.name == "shown")
    assert isinstance(shown, Show)
    return shown.values


def error_of(text: str) -> tuple[CxxError, str]:
    """The one error that running `text` gives, and what it points at."""
    (error,) = run(text).errors
    return error, text[error.span.start : error.span.end]


def error_in(expression: str, before: str = "") -> tuple[str, str]:
    """The message for a wrong expression, and what it points at."""
    error, shown = error_of(f"{before}\nstatic const toy::Show shown{{{expression}}};")
    return error.message, shown


def call(body: str, *values: object, parameters: str = "toy::Box* box") -> object:
    """Run a function body on Python values and return what it returns."""
    (function,) = show("&f", before=f"auto f({parameters}) {{ {body} }}")
    assert callable(function)
    return function(*values)
