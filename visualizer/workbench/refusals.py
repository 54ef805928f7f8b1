"""What a body refused while it ran, at the token that a user wrote."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from registry_runtime.phi.kernel_template import KernelError
from visualizer.expansion import Diagnostic

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench


def located(error: Exception, benches: Iterable[Workbench], more: str = "") -> Diagnostic | None:
    """The error, and `more` behind it, in the file whose body ran; None where no body of these did."""
    if isinstance(error, KernelError) and error.span is not None:
        for bench in benches:
            if bench.expanded.text == error.source:
                return bench.at_source(f"{error}{more}", error.span)
    return None
