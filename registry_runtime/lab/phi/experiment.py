"""One registered kernel on arguments that somebody chose: built, run, compared with NumPy.

`trial` tries a kernel on made-up data of some size. Here every tensor's shape, what fills it and every
attribute is chosen, and the three things are asked for one at a time. An experiment says what is to be
tried and holds nothing else, so that it can be handed on: to `benchmark.experiment`, which times it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from registry_runtime.kernels.template import Build, Instance
from registry_runtime.lab.phi import operands
from registry_runtime.lab.phi.code import Code, codes_of
from registry_runtime.lab.phi.outcome import Outcome, outcome_of
from registry_runtime.lab.values import on_host
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import KernelError, as_tuple


@dataclass(frozen=True)
class Experiment:
    """`kernel`, registered as `kernel_name` for `key`, on the arguments that `texts` spell.

    texts: by parameter, what `operands` reads; the sample's where there is none.
    data: what fills the tensors that are given by their shape.
    size: how many elements the sample has.
    """

    kernel_name: str
    key: KernelKey
    kernel: Kernel
    texts: Mapping[str, str] = field(default_factory=dict)
    data: operands.Data = "random"
    size: int = operands.SAMPLE_SIZE

    @property
    def instance(self) -> Instance:
        """Raises KernelError for a kernel that is only declared."""
        instance: Instance = instance_of(self.kernel)
        return instance

    @property
    def spelled(self) -> Mapping[str, str]:
        """What each parameter's blank says, typed or not. Raises KernelError as `instance`."""
        instance = self.instance
        return operands.spelled(instance.template, instance.dtype, self.texts, self.size)

    def outline(self) -> operands.Outline:
        """Raises KernelError for arguments that can't be read, or that the kernel refuses."""
        instance = self.instance
        return operands.outline(instance.template, instance.dtype, self.texts, self.size)

    def arguments(self, rng: np.random.Generator) -> tuple[Any, ...]:
        """For `launch`, where the kernel runs. Raises KernelError as `outline`, and out of memory."""
        instance = self.instance
        made = operands.arguments(
            instance.template, instance.dtype, self.texts, self.data, rng, self.size
        )
        return instance.placed(made)


def build(experiment: Experiment) -> Build:
    """Compiles, or takes what was compiled. Raises KernelError, as `Instance.build` does."""
    return experiment.instance.build()


def codes(experiment: Experiment) -> Iterator[Code]:
    """What there is to read of the kernel. Raises KernelError as `build`."""
    return codes_of(experiment.instance)


def run(experiment: Experiment, seed: int = 0) -> Outcome:
    """One call, and NumPy's reference on the same arguments.

    Raises KernelError: for arguments that can't be read, that the kernel refuses, or that memory
    doesn't suffice for; for a kernel that is only declared, or whose device is missing.
    """
    instance = experiment.instance
    with in_words(experiment.kernel_name):
        built = instance.build()
        arguments = experiment.arguments(np.random.default_rng(seed))
        started = time.perf_counter()
        results = tuple(map(on_host, as_tuple(built.launch(*arguments))))
        seconds = time.perf_counter() - started
        function = str(experiment.kernel.function)
        return outcome_of(instance, function, arguments, results, seconds)


@contextmanager
def in_words(name: str) -> Iterator[None]:
    """What InferMeta let pass and NumPy or the compiled loop refuses, told with the kernel's name."""
    try:
        yield
    except MemoryError as error:
        raise KernelError(f"{name}: fail to alloc memory: {error}") from None
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        raise KernelError(f"{name}: {error}") from None
