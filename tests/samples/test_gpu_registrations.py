"""With CUDA, the samples register on the GPU what we have a GPU kernel for."""

from __future__ import annotations

from collections import defaultdict

from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_type import DataType
from tests.kernels.gpu_cases import ON_A_GPU, UNKNOWN_TO_CUPY
from tests.samples.native import SAMPLES
from visualizer.expansion import Options
from visualizer.workbench.linking import load


def test_every_kernel_that_can_be_built_for_a_gpu_is_registered_there() -> None:
    files = sorted(SAMPLES.glob("*_kernel.cc"))
    runtime = load(files, Options(macros=(("D", "PADDLE_WITH_CUDA"),))).phi
    on_gpu: dict[str, set[DataType]] = defaultdict(set)
    for kernels in runtime.factory.kernels.values():
        for key, kernel in kernels.items():
            if key.backend is Backend.GPU:
                on_gpu[str(kernel.function).partition("<")[0]].add(key.dtype)
    for template in ON_A_GPU:
        if "Bitwise" not in template.name and template.name.startswith("phi::"):
            assert on_gpu[template.name], template.name
            assert on_gpu[template.name] <= template.dtypes - UNKNOWN_TO_CUPY, template.name
            if template.dtypes >= {DataType.FLOAT16, DataType.BFLOAT16}:
                assert DataType.FLOAT16 in on_gpu[template.name], template.name
