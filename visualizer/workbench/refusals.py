"""What a body refused while it ran, at the token that a user wrote."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.lab.refused import Refused
from registry_runtime.phi.kernel_template import KernelError
from visualizer.expansion import Diagnostic
from visualizer.expansion.tokens import Source

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench


def located(error: Exception, benches: Iterable[Workbench], more: str = "") -> Diagnostic | None:
    """The error, and `more` behind it, in the file whose body ran; None where no body of these did."""
    if isinstance(error, KernelError) and error.span is not None:
        for bench in benches:
            if bench.expanded.text == error.source:
                return bench.at_source(f"{error}{more}", error.span)
    return None


def refused_at(why: str, benches: Iterable[Workbench]) -> Source | None:
    """Where the body that refused a dry run says so."""
    found = located(why.error, benches) if isinstance(why, Refused) else None
    return found.where if found is not None else None


def with_its_place(said: str, where: Source) -> str:
    """What is said, behind the file's name, line and column."""
    return f"{Path(where.file).name}:{where.line}:{where.column}: {said}"
