"""`PADDLE_ENFORCE_EQ` and its kin, as they expand: down to the `throw`, and the message of it.

A failed check says what it wanted and what it got, both sides in the source's words: "[Hint: Expected
x_dims.size() >= 2, but received x_dims.size():1 < 2:2.]". The macro makes that text of its arguments,
and the functions here put the values in.

Source: `paddle/common/enforce.h`, `errors.h`; the names of before PHI are in `paddle::platform`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from registry_runtime.cxx import (
    Binding,
    Bindings,
    Class,
    ClassTemplate,
    Function,
    NamedType,
    TemplateArgument,
    TypeTemplate,
)
from registry_runtime.phi import enforce
from registry_runtime.phi.enforce import EnforceNotMet

_CONVERSION = re.compile(r"%[-+ 0#]*\d*(?:\.\d+)?(?:hh|h|ll|l|z|j|t)?([sdiufgexcp%])")


def sprintf(format: object, *values: object) -> str:
    """`paddle::string::Sprintf`, which prints a value by its own type whatever the letter says."""
    left = iter(values)

    def shown(found: re.Match[str]) -> str:
        return "%" if found[1] == "%" else spelled(next(left, "(missing)"))

    return _CONVERSION.sub(shown, str(format))


def spelled(value: object) -> str:
    """A value as `operator<<` prints it: a flag is 0 or 1."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return ", ".join(map(spelled, value))
    return "nullptr" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class ErrorSummary:
    """`common::ErrorSummary`: which kind of error, and its message."""

    kind: type[EnforceNotMet]
    error_message: str


_ERRORS: Mapping[str, type[EnforceNotMet]] = {
    name: getattr(enforce, name, EnforceNotMet)
    for name in (
        "InvalidArgument",
        "NotFound",
        "OutOfRange",
        "AlreadyExists",
        "ResourceExhausted",
        "PreconditionNotMet",
        "PermissionDenied",
        "ExecutionTimeout",
        "Unimplemented",
        "Unavailable",
        "Fatal",
        "External",
        "InvalidType",
    )
}


def _summary(kind: type[EnforceNotMet]) -> Function:
    return Function(lambda *values: ErrorSummary(kind, sprintf(*(values or ("",)))))


def _error_summary(*values: object) -> ErrorSummary:
    match values:
        case (ErrorSummary() as known,):
            return known
        case (type() as kind, str() as message) if issubclass(kind, EnforceNotMet):
            return ErrorSummary(kind, message)
    return ErrorSummary(EnforceNotMet, sprintf(*(values or ("",))))


def _enforce_not_met(summary: object, *where: object) -> EnforceNotMet:
    made = _error_summary(summary)
    return made.kind(made.error_message)


def _compared(arguments: tuple[TemplateArgument, ...]) -> Mapping[str, object]:
    return {"Convert": Function(lambda expression, value: f"{expression}:{spelled(value)}")}


_ANY_TYPE = NamedType("auto")


def _names() -> dict[str, Binding]:
    names: dict[str, Binding] = {"__builtin_expect": Function(lambda value, expected: value)}
    for name, kind in _ERRORS.items():
        for namespace in ("paddle::platform", "common", "phi"):
            names[f"{namespace}::errors::{name}"] = _summary(kind)
    for name in ("common::ErrorSummary", "phi::ErrorSummary"):
        names[name] = Class(_error_summary, registers=False)
    for namespace in ("common::enforce", "phi::enforce", "paddle::platform"):
        names[f"{namespace}::EnforceNotMet"] = Class(_enforce_not_met, registers=False)
    for namespace in ("common::details", "phi::details", "paddle::platform::details"):
        names[f"{namespace}::CanToString"] = ClassTemplate(lambda arguments: {"kValue": True})
        names[f"{namespace}::BinaryCompareMessageConverter"] = ClassTemplate(_compared)
    for namespace in ("common::enforce", "phi::details", "paddle::platform::details"):
        for which in ("CommonType1", "CommonType2"):
            names[f"{namespace}::{which}"] = TypeTemplate(lambda arguments: _ANY_TYPE)
    names["paddle::string::Sprintf"] = Function(sprintf)
    return names


CHECKS = Bindings(
    _names(),
    {
        ErrorSummary: {
            "error_message": lambda summary: summary.error_message,
            "code": lambda summary: summary.kind,
        }
    },
)
