"""What is wrong with a text, told to whoever wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from registry_runtime.cxx import Code, Span

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something that is wrong with a text, or worth knowing: what, where, and what to do. `earlier`
    is the other place, where what is wrong is that there are two; `code` is for
    programs, if one asks; `instead` may be written where it stands, and all is well."""

    message: str
    span: Span
    hint: str
    severity: Severity
    earlier: Span | None = None
    code: Code | None = None
    instead: str = ""
