"""Reads expanded C++ and runs its static initialisation, in Python.

`initialise(text, bindings)` is the way in. What the text may call is what `Bindings` binds; see
`bindings` for the kinds of things that can be bound, `static_initialisation` for what is run.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from registry_runtime.cxx.access import check_publicly_derived, has_public
    from registry_runtime.cxx.bindings import (
        Base,
        Binding,
        Bindings,
        Class,
        ClassTemplate,
        Constant,
        Enumeration,
        Function,
        FunctionTemplate,
        Lazy,
        Located,
        Method,
        Namespace,
        Opaque,
        TypeTemplate,
        Unread,
    )
    from registry_runtime.cxx.bodies import body_spans, called_last, missing_bodies
    from registry_runtime.cxx.calls_by_name import CallByName, count_calls
    from registry_runtime.cxx.classes import CxxClass, CxxObject, class_of
    from registry_runtime.cxx.constructors import constructible, inheriting
    from registry_runtime.cxx.definitions import body_span, defined_in, name_span, nearest_name
    from registry_runtime.cxx.early_reads import EarlyRead, Vocabulary, early_reads_in
    from registry_runtime.cxx.functions import CxxFunction
    from registry_runtime.cxx.lambdas import Lambda
    from registry_runtime.cxx.member_functions import chain, overrider
    from registry_runtime.cxx.never_run import undeclared_type
    from registry_runtime.cxx.places import NULLPTR, Pointer
    from registry_runtime.cxx.span import (
        Code,
        CxxError,
        FailedAssertion,
        RedefinedFunction,
        RedefinedObject,
        Refusal,
        Span,
        UndefinedFunction,
        blanked,
    )
    from registry_runtime.cxx.static_initialisation import (
        Instantiation,
        StaticInitialisation,
        initialise,
    )
    from registry_runtime.cxx.static_objects import StaticCall, StaticObject
    from registry_runtime.cxx.types import (
        FunctionType,
        NamedType,
        Parameter,
        PointerType,
        TemplateArgument,
        Type,
        UnknownType,
        without_namespaces,
        without_reference_and_const,
    )
    from registry_runtime.cxx.unknown_calls import (
        linked_calls,
        replaced_calls,
        unknown_call,
        unknown_part,
    )
    from registry_runtime.cxx.variables import Vector

__all__ = [
    "NULLPTR",
    "Base",
    "Binding",
    "Bindings",
    "CallByName",
    "Class",
    "ClassTemplate",
    "Code",
    "Constant",
    "CxxClass",
    "CxxError",
    "CxxFunction",
    "CxxObject",
    "EarlyRead",
    "Enumeration",
    "FailedAssertion",
    "Function",
    "FunctionTemplate",
    "FunctionType",
    "Instantiation",
    "Lambda",
    "Lazy",
    "Located",
    "Method",
    "NamedType",
    "Namespace",
    "Opaque",
    "Parameter",
    "Pointer",
    "PointerType",
    "RedefinedFunction",
    "RedefinedObject",
    "Refusal",
    "Span",
    "StaticCall",
    "StaticInitialisation",
    "StaticObject",
    "TemplateArgument",
    "Type",
    "TypeTemplate",
    "UndefinedFunction",
    "UnknownType",
    "Unread",
    "Vector",
    "Vocabulary",
    "blanked",
    "body_span",
    "body_spans",
    "called_last",
    "chain",
    "check_publicly_derived",
    "class_of",
    "constructible",
    "count_calls",
    "defined_in",
    "early_reads_in",
    "has_public",
    "inheriting",
    "initialise",
    "linked_calls",
    "missing_bodies",
    "name_span",
    "nearest_name",
    "overrider",
    "replaced_calls",
    "undeclared_type",
    "unknown_call",
    "unknown_part",
    "without_namespaces",
    "without_reference_and_const",
]
_ROOMS = {
    "access": "check_publicly_derived has_public",
    "bindings": (
        "Base Binding Bindings Class ClassTemplate Constant Enumeration Function "
        "FunctionTemplate Lazy Located Method Namespace Opaque TypeTemplate Unread"
    ),
    "bodies": "body_spans called_last missing_bodies",
    "calls_by_name": "CallByName count_calls",
    "classes": "CxxClass CxxObject class_of",
    "constructors": "constructible inheriting",
    "definitions": "body_span defined_in name_span nearest_name",
    "early_reads": "EarlyRead Vocabulary early_reads_in",
    "functions": "CxxFunction",
    "lambdas": "Lambda",
    "member_functions": "chain overrider",
    "never_run": "undeclared_type",
    "places": "NULLPTR Pointer",
    "span": (
        "Code CxxError FailedAssertion RedefinedFunction RedefinedObject Refusal Span "
        "UndefinedFunction blanked"
    ),
    "static_initialisation": "Instantiation StaticInitialisation initialise",
    "static_objects": "StaticCall StaticObject",
    "types": (
        "FunctionType NamedType Parameter PointerType TemplateArgument Type UnknownType "
        "without_namespaces without_reference_and_const"
    ),
    "unknown_calls": "linked_calls replaced_calls unknown_call unknown_part",
    "variables": "Vector",
}
_HOMES = {name: room for room, names in _ROOMS.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Spans and codes are all that is wanted of a text that registers nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
