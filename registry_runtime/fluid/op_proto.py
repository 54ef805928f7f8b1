"""An OpProto: the names of an operator, and the check of a call's attributes by them.

It is what Python reads to know how an operator is called, what a program on disk is compared with, and
what the default signature for PHI's kernel is made of. Its maker fills it, once, when the operator is
registered (`op_proto_maker`); nobody changes it then.

Behind the maker's own attributes Fluid adds some that every operator has. They are marked extra, and
count for nothing where names are put into a kernel's order (`default_signature`).

Source: `paddle/fluid/framework/framework.proto`, `attribute_checker.h`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from registry_runtime.cxx import Span
from registry_runtime.fluid.attribute import owned
from registry_runtime.phi.enforce import InvalidArgument

NOWHERE = Span(0, 0)


@dataclass
class Var:
    """`OpProto.Var`: an input or an output. `span` is the call that added it."""

    name: str
    comment: str
    duplicable: bool = False
    intermediate: bool = False
    dispensable: bool = False
    extra: bool = False
    quant: bool = False
    span: Span = NOWHERE

    def __str__(self) -> str:
        return _marked(self.name, self, "duplicable intermediate dispensable extra quant")


class NoDefault:
    """The default of an attribute that has none: a call must give it."""

    def __repr__(self) -> str:
        return "no default"


NO_DEFAULT = NoDefault()


@dataclass
class Attr:
    """`OpProto.Attr` and its checker. `type` is the C++ type: `int`, `std::vector<int64_t>`."""

    name: str
    type: str
    comment: str
    default: Any = NO_DEFAULT
    extra: bool = False
    quant: bool = False
    support_tensor: bool = False
    span: Span = NOWHERE
    checks: list[Callable[[Any], object]] = field(default_factory=list, repr=False)

    def __str__(self) -> str:
        default = "" if self.default is NO_DEFAULT else f" = {self.default!r}"
        marks = "extra quant support_tensor"
        return _marked(f"{self.type} {self.name}{default}", self, marks)


def _marked(text: str, of: object, marks: str) -> str:
    said = [mark for mark in marks.split() if getattr(of, mark)]
    return f"{text} ({', '.join(said)})" if said else text


@dataclass
class OpProto:
    """`proto::OpProto`: an operator's names, each list in the order in which the maker added them. The
    comment has to be there, [framework.proto: `required string comment`]; None until it is."""

    type: str
    inputs: list[Var] = field(default_factory=list)
    outputs: list[Var] = field(default_factory=list)
    attrs: list[Attr] = field(default_factory=list)
    comment: str | None = None

    def input(self, name: str) -> Var | None:
        return next((var for var in self.inputs if var.name == name), None)

    def output(self, name: str) -> Var | None:
        return next((var for var in self.outputs if var.name == name), None)

    def attr(self, name: str) -> Attr | None:
        return next((attr for attr in self.attrs if attr.name == name), None)


@dataclass(frozen=True, slots=True)
class OpAttrChecker:
    """`framework::OpAttrChecker` over a proto's attributes."""

    proto: OpProto

    def Check(self, attrs: Mapping[str, Any]) -> dict[str, Any]:
        """The attributes of one call with the defaults filled in, which C++ does in place.

        Raises InvalidArgument for one that is missing or of another type, and what a check of the
        maker's own raises.
        """
        made = dict(attrs)
        for attr in self.proto.attrs:
            if attr.name not in made:
                if attr.default is NO_DEFAULT:
                    raise InvalidArgument(
                        f"Attribute ({attr.name}) is not set correctly.",
                        hint=f"{self.proto.type} has no default for it: give {attr}",
                    )
                made[attr.name] = attr.default
            for check in attr.checks:
                check(owned(made[attr.name]))
        return made

    def GetDefaultAttrsMap(self) -> dict[str, Any]:
        """Each attribute that has a default, with it."""
        return {a.name: a.default for a in self.proto.attrs if a.default is not NO_DEFAULT}


# OpRole::kNotSpecified is 0x1000.
OF_EVERY_OPERATOR: Mapping[str, tuple[str, Any]] = {
    "op_role": ("int", 0x1000),
    "op_role_var": ("std::vector<std::string>", ()),
    "op_namescope": ("std::string", ""),
    "op_callstack": ("std::vector<std::string>", ()),
    "op_device": ("std::string", ""),
    "with_quant_attr": ("bool", False),
}
"""The attributes that Fluid adds to each operator's own: their types and defaults."""
