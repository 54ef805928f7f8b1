"""The CUDA source of every kernel that has one is compiled with NVRTC, which needs no GPU."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from registry_runtime.kernels import gpu, library
from registry_runtime.kernels.template import KernelTemplate
from registry_runtime.phi.data_type import DataType

MADE_OF_CUPYS_FUNCTIONS = {
    *("BatchNormInferKernel", "CastKernel", "CumsumKernel", "DotKernel", "EmbeddingKernel"),
    *("FullBatchSizeLikeKernel", "FullKernel", "FullLikeKernel", "GatherKernel", "LayerNormKernel"),
    *("MatmulKernel", "MeanKernel", "SoftmaxKernel", "SumKernel", "TraceGradKernel", "TraceKernel"),
    "TransposeKernel",
}


def source_of(template: KernelTemplate) -> str:
    return gpu.source(template, min(template.dtypes))


def compiled(source: str) -> str:
    """NVRTC's log, empty if it likes the source. Skips where there is no NVRTC, or no header."""
    pytest.importorskip("cupy", reason="CuPy, whose headers the kernels include, is not installed")
    nvrtc = pytest.importorskip("cupy_backends.cuda.libs.nvrtc")
    nvidia = pytest.importorskip("nvidia", reason="nvidia-cuda-runtime's headers are not installed")
    import cupy

    ours = Path(cupy.__file__).parent / "_core" / "include"
    theirs = [h.parent for p in nvidia.__path__ for h in Path(p).glob("*/include/cuda_fp16.h")]
    cccl = ours / "cupy" / "_cccl"
    folders = [ours, cccl / "libcudacxx", cccl / "thrust", cccl / "cub", *theirs]
    try:
        program = nvrtc.createProgram(source, "kernels.cu", (), ())
    except (ImportError, RuntimeError) as error:
        pytest.skip(f"NVRTC can't be loaded: {error}")
    flags = ("-std=c++17", "--device-as-default-execution-space", "-arch=sm_90")
    with suppress(nvrtc.NVRTCError):  # the log says why
        nvrtc.compileProgram(program, (*flags, *(f"-I{folder}" for folder in folders)))
    return str(nvrtc.getProgramLog(program)).strip("\0 \n")


def in_a_namespace(template: KernelTemplate, T: DataType) -> str:
    text = gpu.source(template, T).removeprefix(gpu.HEADERS)
    return f"namespace {template.name.replace('::', '_')}_{T} {{\n{text}\n}}\n"


def test_which_kernels_have_no_source_of_ours() -> None:
    without = {t.name.rpartition("::")[2] for t in library() if not source_of(t)}
    assert without == MADE_OF_CUPYS_FUNCTIONS


def test_every_kernel_compiles_for_every_data_type() -> None:
    kernels = [
        in_a_namespace(template, T)
        for template in library()
        if source_of(template)
        for T in sorted(template.dtypes)
    ]
    assert len(kernels) > 120
    assert compiled(gpu.HEADERS + "".join(kernels)) == ""


def test_a_mistake_is_found() -> None:
    template = next(t for t in library() if t.name == "phi::AddKernel")
    wrong = gpu.source(template, DataType.FLOAT32).replace("x + y", "x + z")
    assert 'identifier "z" is undefined' in compiled(wrong)
