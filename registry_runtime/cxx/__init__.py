"""Reads expanded C++ and runs its static initialisation, in Python.

`initialise(text, bindings)` is the way in. What the text may call is what `Bindings` binds; see
`bindings` for the kinds of things that can be bound, `static_initialisation` for what is run.
"""

from registry_runtime.cxx.bindings import (
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
    TypeTemplate,
    Unread,
)
from registry_runtime.cxx.definitions import body_span, name_span, nearest_name
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.lambdas import Lambda
from registry_runtime.cxx.operators import Pointer
from registry_runtime.cxx.span import (
    CxxError,
    FailedAssertion,
    RedefinedFunction,
    Refusal,
    Span,
    UndefinedFunction,
)
from registry_runtime.cxx.standard_library import STANDARD_NAMES, STANDARD_TYPES
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
from registry_runtime.cxx.unknown_calls import unknown_call

__all__ = [
    "STANDARD_NAMES",
    "STANDARD_TYPES",
    "Binding",
    "Bindings",
    "Class",
    "ClassTemplate",
    "Constant",
    "CxxError",
    "CxxFunction",
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
    "Parameter",
    "Pointer",
    "PointerType",
    "RedefinedFunction",
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
    "body_span",
    "initialise",
    "name_span",
    "nearest_name",
    "unknown_call",
    "without_namespaces",
    "without_reference_and_const",
]
