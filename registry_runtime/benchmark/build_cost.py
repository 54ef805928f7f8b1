"""What compiling a kernel costs: the first time, and when its machine code is in the cache.

A process builds a kernel once. So two fresh processes are asked, one after the other, with a cache
folder that is empty at first. The first kernel in each also pays for the start of the compiler.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from registry_runtime.benchmark.sweep import BenchmarkError, Case, plan


@dataclass(frozen=True)
class BuildCost:
    """Seconds to build a kernel for a dtype, with an empty cache and from a full one."""

    kernel: str
    dtype: str
    backend: str
    cold: float
    cached: float


def build_costs(cases: Sequence[Case]) -> list[BuildCost]:
    """For each kernel and dtype among the cases. Raises BenchmarkError where a process fails."""
    wanted = list(dict.fromkeys((case.kernel, str(case.dtype), case.backend) for case in cases))
    with tempfile.TemporaryDirectory(prefix="unfold-") as folder:
        cold, cached = (_in_a_process(wanted, folder) for _ in range(2))
    return [
        BuildCost(*key, cold=first, cached=second)
        for key, first, second in zip(wanted, cold, cached, strict=True)
    ]


def _in_a_process(wanted: Sequence[tuple[str, str, str]], folder: str) -> list[float]:
    caches = {"NUMBA_CACHE_DIR": folder, "CUPY_CACHE_DIR": folder}
    done = subprocess.run(
        [sys.executable, "-P", "-m", __spec__.name],  # nothing of the working folder
        input=json.dumps(wanted),
        env=os.environ | caches,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise BenchmarkError(f"a process that was to build kernels failed: {reason[0]}")
    seconds: list[float] = json.loads(done.stdout)
    return seconds


def _build_what_stdin_names() -> None:
    seconds = []
    for name, dtype, backend in json.load(sys.stdin):
        (case,) = plan([name], [dtype], [1], backend)
        seconds.append(case.instance.build().compile_seconds)
    print(json.dumps(seconds))


if __name__ == "__main__":
    _build_what_stdin_names()
