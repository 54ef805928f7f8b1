"""What a GPU was busy with, by its own clock.

A call only puts work into a queue, and on small arrays the host takes longer to put it there than the
device to do it. So the device is first held up by a kernel that does nothing for a while; meanwhile all
calls are put into the queue; and events in front of them and behind them tell how long it was at work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from registry_runtime.kernels import nvrtc
from registry_runtime.lab.timing import Stopwatch

MOST_WAITING = 256  # calls: CUDA's queue takes about a thousand, and then waits itself
_SHORTEST, _LONGEST = 1_000_000, 64_000_000  # nanoseconds for which the device is held up
_HOLD_UP = """
extern "C" __global__ void hold_up(long long nanoseconds) {
  long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - begin < nanoseconds);
}
"""


def stopwatch(cupy: Any) -> Stopwatch:
    """One for a single contender: how long the device is held up is found out, and remembered.

    Of work that waits for the device itself, what the host does meanwhile counts as well.
    """
    hold_up = nvrtc.loaded(cupy, _HOLD_UP, "hold_up").get_function("hold_up")
    nanoseconds = _SHORTEST

    def timed(work: Callable[[], object]) -> float:
        nonlocal nanoseconds
        while True:
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            if nanoseconds:
                hold_up((1,), (1,), (np.int64(nanoseconds),))
            begin.record()
            work()
            in_time = not begin.done
            end.record()
            end.synchronize()
            if in_time or not nanoseconds:
                return float(cupy.cuda.get_elapsed_time(begin, end)) / 1e3
            nanoseconds = 2 * nanoseconds if nanoseconds < _LONGEST else 0

    return timed
