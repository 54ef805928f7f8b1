"""What the benchmark measures of a kernel of PHI's: a sweep of sizes, or one experiment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from registry_runtime.phi.kernel import TO_RUN_IT
from visualizer.frameworks.runnable import Measurable, measured

if TYPE_CHECKING:
    from registry_runtime.benchmark.sweep import Case
    from registry_runtime.lab.phi.experiment import Experiment
    from registry_runtime.phi.kernel_key import KernelKey
    from registry_runtime.phi.registered import Registration
    from registry_runtime.phi.runtime import Runtime


def of_registration(runtime: Runtime, registration: Registration) -> Measurable:
    """From 1 to 10⁷ elements."""
    name = _name(registration.kernel_name, registration.key)
    return Measurable(name, "", partial(measured, partial(_sweep, registration), runtime))


def of_experiment(runtime: Runtime, one: Experiment) -> Measurable:
    """Exactly this."""
    told = ", ".join(f"{name} {said}" for name, said in one.spelled.items())
    name = _name(one.kernel_name, one.key)
    return Measurable(name, told, partial(measured, partial(_exactly, one), runtime))


def _sweep(registration: Registration) -> Sequence[Case]:
    from registry_runtime.benchmark.sweep import BenchmarkError, plan

    name, kernel, key = registration.kernel_name, registration.kernel, registration.key
    if kernel.function is None or not kernel.runnable:
        raise BenchmarkError(f"{name} is declared only: nobody wrote it in Python; {TO_RUN_IT}")
    return plan([kernel.function.name], [str(key.dtype)], backend=str(key.backend))


def _exactly(one: Experiment) -> Sequence[Case]:
    from registry_runtime.benchmark.experiment import case_of

    return [case_of(one)]


def _name(name: str, key: KernelKey) -> str:
    return f"{name} {key.backend} {key.dtype}"
