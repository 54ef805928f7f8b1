"""The interpreter's errors in the words of somebody who wrote a registration.

The reader of a diagnostic wrote `PD_REGISTER_KERNEL(…)`; the error is about a function named
`__PD_KERNEL_args_def_FN_…` that the macro made. This module translates.
"""

from __future__ import annotations

import re

from registry_runtime.cxx import (
    Code,
    CxxError,
    FailedAssertion,
    RedefinedFunction,
    UndefinedFunction,
)
from registry_runtime.diagnostic import Diagnostic, Severity

_BRACES = "__PD_KERNEL_args_def_FN_"
_MADE = re.compile(rf".*{_BRACES}|^TouchKernelSymbolFor_")  # functions that a registration defines


def explain(error: CxxError, text: str, severity: Severity = "error") -> Diagnostic:
    """The diagnostic for an error of the interpreter, in PHI's terms where it knows better."""
    message, hint, code, instead = error.message, error.hint, error.code, ""
    match error:
        case UndefinedFunction(name=name) if _BRACES in name:
            message = "the braces that end PD_REGISTER_KERNEL(...) are missing: write {}"
            if text[error.span.start : error.span.end] == ";":
                message += " instead of ;"
            hint = "the macro ends in the head of a function, and the braces are its body"
            code, instead = Code.INCOMPLETE, "{}"
        case RedefinedFunction(name=name) if made := _MADE.search(name):
            message = f"`{name[made.end() :]}` is registered twice in this file"
            hint = "list all types of a kernel, backend and layout in one registration"
        case FailedAssertion(scope=scope) if "global namespace" in message:
            hint = f"move the registration out of namespace {scope}" if scope else hint
    return Diagnostic(message, error.span, hint, severity, code=code, instead=instead)
