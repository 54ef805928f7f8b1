"""The interpreter's errors in the words of somebody who wrote `TORCH_LIBRARY`."""

from __future__ import annotations

from registry_runtime.cxx import CxxError, UndefinedFunction
from registry_runtime.diagnostic import Diagnostic, Severity

_BLOCK = "TORCH_LIBRARY"


def explain(error: CxxError, severity: Severity = "error") -> Diagnostic | None:
    """The diagnostic for an error of the interpreter in PyTorch's terms, or None."""
    match error:
        case UndefinedFunction(name=name) if _BLOCK in name and "_init_" in name:
            return Diagnostic(
                "the block that ends TORCH_LIBRARY... is missing: write { }",
                error.span,
                "the macro ends in the head of a function, and the block is its body",
                severity,
            )
    return None
