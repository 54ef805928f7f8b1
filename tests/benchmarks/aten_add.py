"""What `add` costs from Python through our whole chain, beside torch.

`python tests/benchmarks/aten_add.py [SECONDS]`, in a Python that has torch. The chain is that of
cpp_samples/aten, as an opened file has it: method, dispatcher, structured kernel, loops. Both
libraries take turns in one process, and what counts is torch's time ÷ ours in each round. The last
lines are the instruction sets beside each other.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch

from registry_runtime.aten.stub.cpu_capability import get_cpu_capability
from registry_runtime.aten.stub.levels import add_levels, polynomial_levels
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.lab.timing import Contender, measure
from visualizer.workbench.linking import load

SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "aten"
FILES = ("add.cc", "ufunc_add.cc", "ufunc_add_kernel.cc")


def main() -> None:
    front = load([SAMPLES / name for name in FILES]).aten.front
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, {get_cpu_capability()}")
    for dtype in (np.float32, np.int32, np.float16):
        for size in (1, 100, 10_000, 100_000, 10**6, 10**7):
            arrays = [np.ones(size, dtype) for _ in range(2)]
            ours = tuple(Tensor.from_array(array) for array in arrays)
            theirs = tuple(torch.from_numpy(array) for array in arrays)
            timings = measure(
                [
                    Contender("unfold", front.add, [ours]),
                    Contender("torch", torch.add, [theirs]),
                ],
                seconds,
            )
            ratio = timings["unfold"].times_faster_than(timings["torch"])
            times = ", ".join(f"{name} {t.median * 1e6:.2f} µs" for name, t in timings.items())
            print(f"{np.dtype(dtype)} {size:>9,}: {times}; torch ÷ ours {ratio:.2f}", flush=True)
    for what, levels in (
        ("polynomial", polynomial_levels()),
        ("add", add_levels(ScalarType.Float)),
        ("add of 10⁷", add_levels(ScalarType.Float, 10**7)),
    ):
        for level in levels:
            print(f"{what}: {level}")


if __name__ == "__main__":
    main()
