"""An operator's maker, run: its `Make` fills an OpProto, the list of the operator's names.

Nothing about an operator's names is in a type. What an input is called, whether it may be left out,
what an attribute is if nobody gives it: all that is said by calls in the body of a function, in the
order that then counts. So the body is run, as Paddle runs it when the operator is registered, and the
OpProto holds what it said.

Source: `paddle/fluid/framework/op_proto_maker.h` and `.cc`, `attribute_checker.h`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from registry_runtime.cxx import (
    CxxClass,
    CxxError,
    CxxFunction,
    CxxObject,
    FunctionTemplate,
    Lambda,
    Located,
    Method,
    Span,
    TemplateArgument,
)
from registry_runtime.fluid.attribute import attribute_type, holds
from registry_runtime.fluid.op_proto import (
    NO_DEFAULT,
    NOWHERE,
    OF_EVERY_OPERATOR,
    Attr,
    OpProto,
    Var,
)
from registry_runtime.phi.enforce import AlreadyExists, InvalidArgument, NotFound, OutOfRange


@dataclass
class OpProtoAndCheckerMaker(CxxObject):
    """`framework::OpProtoAndCheckerMaker`: the object that `Make` is run on."""

    proto: OpProto


@dataclass(frozen=True, slots=True)
class VariableBuilder:
    """What AddInput and AddOutput return: it goes on describing that variable."""

    var: Var


@dataclass(frozen=True, slots=True)
class TypedAttrChecker:
    """What AddAttr returns."""

    attr: Attr


def make_op_proto(op_type: str, maker: CxxClass) -> OpProto:
    """Run the maker's `Make`, and add what every operator has.

    Raises the CxxError of what the body holds, or at the second of two names that are the same.
    """
    proto = OpProto(op_type)
    make = maker.method("Make")
    if make is None:
        raise InvalidArgument(
            f"{maker} has no Make",
            hint="a maker overrides `void Make() override`, and adds the operator's names there",
        )
    make.call_on(OpProtoAndCheckerMaker(maker, proto))
    for name, (type, default) in OF_EVERY_OPERATOR.items():
        proto.attrs.append(Attr(name, type, "", default, extra=True))
    _check_no_duplicated(proto)
    return proto


def _check_no_duplicated(proto: OpProto) -> None:
    names: dict[str, Attr | Var] = {}
    everything: list[Attr | Var] = [*proto.attrs, *proto.inputs, *proto.outputs]
    for added in everything:
        if added.name in names:
            at = added.span if added.span != NOWHERE else names[added.name].span
            raise CxxError(
                f"Attribute [{added.name}] is duplicated.",
                at,
                "an operator's inputs, outputs and attributes share their names",
            )
        names[added.name] = added


def _add_var(to: str, at: Span, maker: object, name: object, comment: object) -> VariableBuilder:
    assert isinstance(maker, OpProtoAndCheckerMaker)
    var = Var(_text(name, 0), _text(comment, 1), span=at)
    (maker.proto.inputs if to == "inputs" else maker.proto.outputs).append(var)
    return VariableBuilder(var)


def _add_attr(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    if len(arguments) != 1 or arguments[0].type is None:
        raise InvalidArgument("AddAttr takes one type", hint='AddAttr<int>("axis", "…")')
    type = str(arguments[0])
    if type not in _ATTRIBUTES:
        raise InvalidArgument(
            f"an attribute can't be a {type}", hint=f"there are {', '.join(_ATTRIBUTES)}"
        )

    def add(
        at: Span, maker: object, name: object, comment: object, generated: object = False
    ) -> TypedAttrChecker:
        assert isinstance(maker, OpProtoAndCheckerMaker)
        attr = Attr(_text(name, 0), type, _text(comment, 1), span=at)
        maker.proto.attrs.append(attr)
        return TypedAttrChecker(attr)

    return Located(add)


# framework::Attribute, as far as a maker may ask for it.
_ATTRIBUTES = (
    *("bool", "int", "int64_t", "float", "double", "std::string"),
    *("std::vector<bool>", "std::vector<int>", "std::vector<int64_t>", "std::vector<float>"),
    *("std::vector<double>", "std::vector<std::string>"),
    "paddle::experimental::Scalar",
)


def _text(value: object, argument: int) -> str:
    if isinstance(value, str):
        return value
    raise InvalidArgument("a string is wanted here", argument=argument)


def _mark(mark: str) -> Callable[[Any], object]:
    def set_mark(builder: Any) -> object:
        of = builder.var if isinstance(builder, VariableBuilder) else builder.attr
        setattr(of, mark, True)
        return builder

    return set_mark


def _set_default(checker: TypedAttrChecker, value: object) -> TypedAttrChecker:
    attr = checker.attr
    if attr.default is not NO_DEFAULT:
        raise AlreadyExists(
            f"Attribute ({attr.name}) has a default value and cannot be set repeatedly."
        )
    attr.default = _of_type(attr, value)
    return checker


def _of_type(attr: Attr, value: object) -> object:
    # As C++ converts an argument: numbers among each other, braces to a vector.
    if attr.type in ("float", "double") and isinstance(value, int):
        value = float(value)
    elif attr.type == "bool" and isinstance(value, int | float):
        value = bool(value)
    elif attr.type in ("int", "int64_t") and isinstance(value, bool | float):
        value = int(value)
    if holds(attr.type, value) or not attr.type.startswith(_KNOWN):
        return value
    raise InvalidArgument(
        f"{attr.name} is a {attr.type}, and its default a {attribute_type(value)}", argument=0
    )


_KNOWN = ("bool", "int", "float", "double", "std::")


def _in_enum(checker: TypedAttrChecker, allowed: object) -> TypedAttrChecker:
    if not isinstance(allowed, list | tuple):
        raise InvalidArgument("a list of values is wanted here", argument=0)
    values = tuple(allowed)

    def check(value: Any) -> None:
        if value not in values:
            listed = " ,".join(map(str, values))
            raise NotFound(f"Value {value} is not in enum container [{listed}].")

    checker.attr.checks.append(check)
    return checker


def _bound(message: str, holds: Callable[[Any, Any], bool]) -> Callable[..., object]:
    def bounded(checker: TypedAttrChecker, lower_bound: Any) -> TypedAttrChecker:
        def check(value: Any) -> None:
            if not holds(value, lower_bound):
                raise OutOfRange(message, hint=f"{checker.attr.name} is {value}")

        checker.attr.checks.append(check)
        return checker

    return bounded


def _custom(checker: TypedAttrChecker, check: object) -> TypedAttrChecker:
    if not isinstance(check, CxxFunction | Lambda):
        raise InvalidArgument("a function that checks a value is wanted here", argument=0)
    checker.attr.checks.append(check)
    return checker


def _comment(maker: OpProtoAndCheckerMaker, comment: object) -> None:
    maker.proto.comment = _text(comment, 0)


METHODS: Mapping[type, Mapping[str, Method]] = {
    OpProtoAndCheckerMaker: {
        "AddInput": Located(partial(_add_var, "inputs")),
        "AddOutput": Located(partial(_add_var, "outputs")),
        "AddAttr": FunctionTemplate(_add_attr),
        "AddComment": _comment,
    },
    VariableBuilder: {
        f"As{mark.capitalize()}": _mark(mark)
        for mark in ("duplicable", "intermediate", "dispensable", "extra", "quant")
    },
    TypedAttrChecker: {
        "SetDefault": _set_default,
        "InEnum": _in_enum,
        "GreaterThan": _bound(
            "Check for attribute value greater than a certain value failed.",
            lambda value, bound: value > bound,
        ),
        "EqualGreaterThan": _bound(
            "Check for attribute value equal or greater than a certain value failed.",
            lambda value, bound: value >= bound,
        ),
        "AddCustomChecker": _custom,
        "SupportTensor": _mark("support_tensor"),
        "AsExtra": _mark("extra"),
        "AsQuant": _mark("quant"),
    },
}
