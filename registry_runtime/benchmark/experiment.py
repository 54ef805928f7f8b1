"""What somebody chose to try, timed: beside NumPy, or as a row of a benchmark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from registry_runtime.benchmark import peers
from registry_runtime.benchmark.sweep import Case, first, host_clock, kernel_name
from registry_runtime.kernels.template import Instance
from registry_runtime.lab.phi.experiment import Experiment, in_words
from registry_runtime.lab.timing import Contender, Timing, measure
from registry_runtime.lab.values import on_host


def case_of(experiment: Experiment) -> Case:
    """Exactly this, as a row of a benchmark."""
    instance = experiment.instance
    size = experiment.outline().largest
    device = "GPU" if instance.backend == "GPU" else "CPU"
    return Case(instance.template, instance.dtype, size, device, make=experiment.arguments)


@dataclass(frozen=True)
class Timed:
    """`ours` and NumPy's time, taken in turns. `by` names what NumPy computed it with."""

    ours: Timing
    numpy: Timing
    by: str
    bytes: int
    elements: int

    @property
    def gigabytes_per_second(self) -> float:
        return self.bytes / self.ours.median / 1e9

    @property
    def ratio(self) -> float:
        """NumPy's time ÷ ours: above 1, the kernel is faster."""
        return self.ours.times_faster_than(self.numpy)

    @property
    def told(self) -> bool:
        """Whether the rounds tell the two apart."""
        return self.ours.told_from(self.numpy)


def time_it(
    experiment: Experiment, seconds: float = 1.0, cancelled: Callable[[], bool] = lambda: False
) -> Timed:
    """Measure the kernel beside NumPy for about `seconds`. Raises KernelError as `run` does, and
    `timing.Cancelled`."""
    instance = experiment.instance
    with in_words(experiment.kernel_name):
        built = instance.build()
        arguments = experiment.arguments(np.random.default_rng(0))
        result = built.launch(*arguments)
        host = tuple(on_host(argument) for argument in arguments)
        watch = host_clock(instance.backend)
        numpy, by = _numpy(instance, host, result)
        contenders = [Contender("unfold", built.launch, [arguments], watch), numpy]
        with np.errstate(all="ignore"):
            timings = measure(contenders, seconds, cancelled=cancelled)
    return Timed(
        timings["unfold"],
        timings["numpy"],
        by,
        instance.bytes_moved(arguments, result),
        experiment.outline().largest,
    )


def _numpy(instance: Instance, host: tuple[Any, ...], result: Any) -> tuple[Contender, str]:
    """NumPy's own function for this; where it has none, the reference that checks the results."""
    try:
        library = peers.open_library("numpy", "CPU")
        function, *passed = peers.call(
            kernel_name(instance.template), library, instance.template.bind(*host)
        )
        with np.errstate(all="ignore"):
            theirs = np.asarray(function(*passed))
        same = (theirs.dtype, theirs.shape) == (first(result).dtype, first(result).shape)
    except Exception:  # NumPy has errors of its own for a dtype that it lacks
        same = False
    if same:
        return Contender("numpy", function, [tuple(passed)]), "its own functions"
    return Contender("numpy", instance.reference, [host]), "the reference that checks the result"
