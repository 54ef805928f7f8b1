"""The CUDA sources, and the launches around them, give what NumPy gives: g++ runs them on the CPU.

Each kernel is launched twice, with a block's threads taking turns in one order and in the other, so
that a missing barrier shows.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registry_runtime.kernels import cuda_source, find, nvrtc, softmax
from registry_runtime.kernels.template import Instance
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.cuda_on_cpu import Cupy
from tests.kernels.gpu_cases import CASES, LAID_OUT, laid_out
from tests.kernels.shapes import random

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not installed"),
]


class Gpu:
    def __init__(self, cupy: Cupy) -> None:
        self.cupy = cupy
        self.instances: dict[tuple[str, DataType], Instance] = {}

    def __call__(self, name: str, T: DataType) -> Instance:
        template = find(f"phi::{name}Kernel")
        assert template
        return self.instances.setdefault((name, T), Instance(template, T, "GPUContext"))


@pytest.fixture(scope="module")
def gpu(of_all_workers: Path) -> Iterator[Gpu]:
    cupy = Cupy(of_all_workers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cupy", cupy)
        gpu = Gpu(cupy)
        with cupy.recording():
            for name, make in CASES.items():
                for T, args in make():
                    gpu(name, T).launch(*args)
            for name, T in LAID_OUT:
                for _, args in laid_out(name, T):
                    gpu(name, T).launch(*args)
        yield gpu


@pytest.mark.parametrize("name", CASES)
def test_a_kernel_gives_what_numpy_gives(name: str, gpu: Gpu) -> None:
    for T, args in CASES[name]():
        kernel = gpu(name, T)
        for gpu.cupy.turned in (False, True):
            result = kernel.launch(*args)
            assert kernel.agrees(args, result), (T, args, result, kernel.reference(*args))


@pytest.mark.parametrize(("name", "T"), LAID_OUT)
def test_however_the_operands_lie_in_memory(name: str, T: DataType, gpu: Gpu) -> None:
    for instance, args in laid_out(name, T):
        result = gpu(name, T).launch(*args)
        assert instance.agrees(args, result), (args, result)


def test_an_output_with_gaps_or_over_an_input(gpu: Gpu) -> None:
    T = DataType.FLOAT32
    x = gpu.cupy.asarray(random(T, (40, 70)))
    wide = gpu.cupy.empty((40, 140), np.float32)
    for name, args in [("Softmax", (-1,)), ("Relu", ())]:
        kernel = gpu(name, T)
        gaps = wide[:, ::2]
        assert kernel.launch(x, *args, out=gaps) is gaps
        assert kernel.agrees((x, *args), gaps)
    flat = gpu.cupy.asarray(np.arange(1000, dtype=np.float32))
    for name, args in [("Cumsum", (0, False, False, False)), ("Relu", ())]:
        for at in (slice(0, 900), slice(100, 1000), slice(0, 900)):
            before = flat[:900].copy()
            gpu(name, T).launch(flat[:900], *args, out=flat[at])
            assert gpu(name, T).agrees((before, *args), flat[at])


@pytest.mark.parametrize(
    ("name", "args", "said"),
    [
        ("Gather", (np.ones((3, 4), np.float32), [0, 3, 4], 0), "3, but .* is 3 in the 1 index"),
        ("Gather", (np.ones((3, 4), np.float32), [-4], 0), "than or equal to -3, but .* is -4"),
        ("Embedding", ([1, -1, 5], np.ones((5, 2), np.float32), -1), "< 5, but got -1. Please"),
    ],
)
def test_the_first_wrong_index_is_named(
    gpu: Gpu, name: str, args: tuple[Any, ...], said: str
) -> None:
    numbers = tuple(np.array(arg) if isinstance(arg, list) else arg for arg in args)
    with pytest.raises(KernelError, match=said):
        gpu(name, DataType.FLOAT32).launch(*numbers)


def test_a_missing_barrier_is_seen(gpu: Gpu) -> None:
    text = softmax.cuda_text(DataType.FLOAT32)
    wrong = text.replace("    __syncthreads();\n", "", 1)
    x, results = random(DataType.FLOAT32, (1, 300)), []
    for source, gpu.cupy.turned in product([text, wrong], [False, True]):
        out = np.empty_like(x)
        grid, block, lanes = cuda_source.over_lines(1, 300, 1)
        kernel = nvrtc.loaded(gpu.cupy, source, "softmax").get_function("softmax")
        kernel(grid, block, (x, out, 1, 300, 1, np.int32(lanes)))
        results.append(out)
    assert np.array_equal(results[0], results[1])
    assert not (np.array_equal(results[0], results[2]) and np.array_equal(results[0], results[3]))


def test_a_wrong_argument_is_seen(gpu: Gpu) -> None:
    kernel = nvrtc.loaded(gpu.cupy, softmax.cuda_text(DataType.FLOAT32), "softmax").get_function(
        "softmax"
    )
    x = np.ones(1, np.float32)
    with pytest.raises(AssertionError, match="an argument of another size"):
        kernel((1,), (256,), (x, x, 1, 1, 1, 1))
    with pytest.raises(AssertionError, match="another number of arguments"):
        kernel((1,), (256,), (x, x, 1, 1, 1))
