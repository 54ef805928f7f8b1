"""The interpreter's errors in the words of somebody who wrote one of Fluid's registrations."""

from __future__ import annotations

import re

from registry_runtime.cxx import CxxError, RedefinedObject
from registry_runtime.diagnostic import Diagnostic, Severity

_REGISTRAR = re.compile(r"__op_(kernel_)?registrar_(\w+?)__")


def explain(error: CxxError, severity: Severity = "error") -> Diagnostic | None:
    """The diagnostic for an error about what Fluid's macros made; None for any other."""
    named = _REGISTRAR.fullmatch(error.name) if isinstance(error, RedefinedObject) else None
    if named is None:
        return None
    of_kernels, name = named.groups()
    if of_kernels is None:
        message, hint = f"`{name}` is registered twice in this file", "remove one of the two"
    else:
        op_type, _, library = name.removesuffix("_DEFAULT_TYPE").rpartition("_")
        message = f"`{op_type}` has its {library} kernels registered twice in this file"
        hint = "list all kernels of an operator and a device in one registration"
    return Diagnostic(message, error.span, hint, severity)
