"""The interpreter's errors in the words of somebody who wrote `TORCH_LIBRARY`."""

from __future__ import annotations

from registry_runtime.cxx import Code, CxxError, RedefinedObject, UndefinedFunction
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
                code=Code.INCOMPLETE,
                instead="{ }",
            )
        case RedefinedObject(name=name, first=first) if f"{_BLOCK}_static_init_" in name:
            ns = name.rpartition("_static_init_")[2]
            return Diagnostic(
                f"a second {_BLOCK} block for the namespace {ns}: only a single one can be used",
                error.span,
                f"put all definitions into one, or write {_BLOCK}_FRAGMENT({ns}, m) here",
                severity,
                first,
            )
    return None
