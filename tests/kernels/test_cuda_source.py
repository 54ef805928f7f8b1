"""The CUDA source of every kernel is compiled with NVRTC, which needs no GPU."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest

from registry_runtime.kernels import gpu
from registry_runtime.kernels.template import KernelTemplate
from registry_runtime.phi.data_type import DataType
from tests.kernels.gpu_cases import ON_A_GPU

# Of any other type, cuBLAS multiplies matrices.
PRODUCTS_OF_OURS = {DataType.INT32, DataType.INT64}


TO_PTX = "-arch=compute_90", "-G"
TO_MACHINE_CODE = ("-arch=sm_90",)


def compiled(source: str, how: tuple[str, ...] = TO_PTX) -> str:
    """NVRTC's log, empty if it likes the source. Skips where there is no NVRTC, or no header.

    It likes the same sources where it optimises nothing (`-G`), which takes a fifth of the time; what
    the optimised code needs of a GPU is found where machine code is made.
    """
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
    flags = ("-std=c++17", "--device-as-default-execution-space", *how)
    with suppress(nvrtc.NVRTCError):  # the log says why
        nvrtc.compileProgram(program, (*flags, *(f"-I{folder}" for folder in folders)))
    return str(nvrtc.getProgramLog(program)).strip("\0 \n")


def in_a_namespace(template: KernelTemplate, T: DataType) -> str:
    text = gpu.source(template, T).removeprefix(gpu.HEADERS)
    text = text.replace('extern "C" ', "")  # of one name there can be one function
    return f"namespace {template.name.replace('::', '_')}_{T} {{\n{text}\n}}\n"


def without_macros(source: str) -> str:
    return source + "".join(f"#undef {name}\n" for name in re.findall(r"#define (\w+)", source))


@pytest.mark.parametrize("template", ON_A_GPU, ids=lambda template: template.name)
def test_every_kernel_has_a_source(template: KernelTemplate) -> None:
    for T in sorted(template.dtypes):
        by_cublas = template.name == "phi::MatmulKernel" and T not in PRODUCTS_OF_OURS
        assert ("__global__ void" in gpu.source(template, T)) != by_cublas


def test_every_kernel_compiles_for_every_data_type() -> None:
    kernels = [
        without_macros(in_a_namespace(template, T))
        for template in ON_A_GPU
        for T in sorted(template.dtypes)
        if gpu.source(template, T)
    ]
    assert len(kernels) > 300
    assert compiled(gpu.HEADERS + "".join(kernels)) == ""


def test_shared_memory_and_registers_suffice_for_the_largest_numbers() -> None:
    kernels = [
        without_macros(in_a_namespace(template, T))
        for template in ON_A_GPU
        if (T := max(template.dtypes, key=lambda T: T.numpy.itemsize))
        and "__shared__" in gpu.source(template, T)
    ]
    assert len(kernels) > 5
    assert compiled(gpu.HEADERS + "".join(kernels), TO_MACHINE_CODE) == ""


def test_a_mistake_is_found() -> None:
    template = next(t for t in ON_A_GPU if t.name == "phi::AddKernel")
    wrong = gpu.source(template, DataType.FLOAT32).replace("x + y", "x + z")
    assert 'identifier "z" is undefined' in compiled(wrong)
