"""Where the time of one call through the registry goes.

`runtime.call("bitwise_and", x, y)` finds the kernel by the tensors, makes an output, hands over to
machine code, and computes. The four can't be timed from within, for a clock costs as much as some of
them. So whole calls are timed, of which each leaves one part out, and subtracted: on one element
there is next to nothing to compute, and a launch that is given its output allocates nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from registry_runtime.benchmark import threads
from registry_runtime.benchmark.sweep import Case, argument_sets, host_clock
from registry_runtime.kernels import device
from registry_runtime.lab.timing import Contender, measure
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.runtime import Runtime


@dataclass(frozen=True)
class CallCost:
    """The seconds of one call's parts; none is below 0, however the clock trembles.

    allocating: also what it costs that the pages of a new, large output are new.
    launching: all that an instance does before the first element: checking, shapes, handing over.
    """

    kernel: str
    dtype: str
    size: int
    backend: str
    selecting: float
    allocating: float
    launching: float
    computing: float

    @property
    def whole(self) -> float:
        return self.selecting + self.allocating + self.launching + self.computing


def call_cost(
    runtime: Runtime,
    case: Case,
    *,
    seconds: float,
    thread_count: int,
    cancelled: Callable[[], bool] = lambda: False,
) -> CallCost:
    """The parts of `runtime.call` on this case's arguments, measured for about `seconds`.

    Raises KernelError where the kernel is not registered in `runtime` for this dtype and backend, and
    `timing.Cancelled`.
    """
    watch = host_clock(case.backend)
    launch = case.instance.build().launch
    small, smallest = argument_sets(case.instance, 1)
    large, largest = argument_sets(case.instance, case.size, case.make)
    call = partial(runtime.call, case.kernel)
    if not _same(call(*small[0]), smallest):
        raise KernelError(f"the registry selects another kernel for {case.kernel}")
    make = _allocator(largest)
    contenders = [
        Contender("call", call, small, watch),
        Contender("launch", launch, small, watch),
        Contender("allocate", _allocator(smallest), [()], watch),
        Contender("launch all", launch, large, watch),
        Contender("launch into", partial(launch, out=make()), large, watch),
        Contender("allocate all", make, [()], watch),
    ]
    with threads.limited_to(thread_count):
        timings = measure(contenders, seconds, cancelled=cancelled)
    took = {name: timing.median for name, timing in timings.items()}
    launching = max(took["launch"] - took["allocate"], 0.0)
    allocating = max(took["launch all"] - took["launch into"], took["allocate all"])
    return CallCost(
        kernel=case.kernel,
        dtype=str(case.dtype),
        size=case.size,
        backend=case.backend,
        selecting=max(took["call"] - took["launch"], 0.0),
        allocating=allocating,
        launching=launching,
        computing=max(took["launch all"] - launching - allocating, 0.0),
    )


def _allocator(result: Any) -> Callable[[], Any]:
    """What makes outputs like this one, with no contents."""
    if isinstance(result, tuple):
        makers = [_allocator(output) for output in result]
        return lambda: tuple(make() for make in makers)
    module: ModuleType | Any = np
    if not isinstance(result, np.ndarray):
        module = device.cupy()
    return partial(module.empty, result.shape, result.dtype)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return isinstance(b, tuple) and all(map(_same, a, b))
    return bool(a.dtype == b.dtype and a.shape == b.shape)
