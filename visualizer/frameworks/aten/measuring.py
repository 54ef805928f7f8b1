"""What the benchmark measures of an operator of PyTorch's: calls of it, from 1 to 10⁷ elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from visualizer.frameworks.runnable import Measurable, measured

if TYPE_CHECKING:
    from registry_runtime.benchmark.operator_case import OperatorCase
    from registry_runtime.program import Program


def of_operator(link: Callable[[], Program], name: str) -> Measurable:
    """It is called in the program that `link` gives."""
    return Measurable(name, "", partial(measured, partial(_cases, link, name), None))


def _cases(link: Callable[[], Program], name: str) -> Sequence[OperatorCase]:
    from registry_runtime.benchmark.operator_case import plan_operators
    from registry_runtime.benchmark.sweep import SIZES

    return plan_operators(link().aten, [name], [], SIZES)
