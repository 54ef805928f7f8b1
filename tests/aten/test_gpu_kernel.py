"""`add` on CUDA: g++ runs its source on the CPU, where it gives what the CPU's loops give; and NVRTC
makes PTX of it, for which no device is needed.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.loops import gpu_kernel
from registry_runtime.aten.native import ufunc_add, ufunc_add_cuda
from registry_runtime.aten.native.ufunc_add import DTYPES
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.tensor_iterator import TensorIterator
from registry_runtime.kernels import device
from registry_runtime.kernels.template import KernelError
from tests.kernels.cuda_on_cpu import Cupy


def operands(
    T: ScalarType, placed: Callable[[Any], Any] = lambda array: array
) -> Iterator[tuple[Any, Any]]:
    """Flat ones, ones with gaps that broadcast, and a number on either side; in `placed`'s memory."""
    rng = np.random.default_rng(int(T))

    def random(*dims: int) -> Any:
        if T is ScalarType.ComplexHalf:
            return rng.integers(-9, 9, (*dims, 2)).astype(np.float16).view(T.numpy)[..., 0]
        if T is ScalarType.Bool:
            return rng.integers(0, 2, dims).astype(bool)
        whole = rng.integers(0, 60, dims).astype(T.numpy)
        return whole * (1 + 2j) if T.name.startswith("Complex") else whole

    yield placed(random(300)), placed(random(300))
    yield placed(random(5, 8, 6))[:, ::2], placed(random(4, 1))
    yield placed(random(7, 1)), np.asarray(random(1)[0])
    yield np.asarray(random(1)[0]), placed(random(3, 5))[:, ::2]


def run(kernel: Any, a: Any, b: Any, *capability: CPUCapability) -> Any:
    iter = TensorIterator.binary_op(None, Tensor.from_array(a), Tensor.from_array(b))
    out = iter.output()
    kernel(iter, Scalar(iter.common_dtype is ScalarType.Bool or 2), *capability)
    result = out.numpy_or_cupy()
    return np.ascontiguousarray(result if isinstance(result, np.ndarray) else result.get())


@pytest.fixture(scope="module")
def stand_in(of_all_workers: Path) -> Cupy:
    return Cupy(of_all_workers)


@pytest.fixture
def cupy(stand_in: Cupy, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cupy]:
    monkeypatch.setitem(sys.modules, "cupy", stand_in)
    gpu_kernel._compiled.cache_clear()
    if not stand_in.namespaces:  # one call of g++ for all
        with stand_in.recording():
            for T in DTYPES:
                for a, b in operands(T):
                    run(ufunc_add_cuda.add_kernel, a, b)
    yield stand_in
    gpu_kernel._compiled.cache_clear()


@pytest.mark.compiler
@pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not installed")
@pytest.mark.parametrize("T", DTYPES, ids=str)
def test_it_computes_what_the_cpu_computes(cupy: Cupy, T: ScalarType) -> None:
    for a, b in operands(T):
        expected = run(ufunc_add.add_kernel, a, b, CPUCapability.DEFAULT)
        for cupy.turned in (False, True):
            got = run(ufunc_add_cuda.add_kernel, a, b)
            np.testing.assert_array_equal(got.view(np.uint8), expected.view(np.uint8))


@pytest.mark.gpu
@pytest.mark.parametrize("T", [T for T in DTYPES if T is not ScalarType.ComplexHalf], ids=str)
def test_a_device_computes_what_the_cpu_computes(T: ScalarType) -> None:
    try:
        cupy = device.cupy()
    except KernelError as error:
        pytest.skip(str(error))
    for (a, b), (on_a, on_b) in zip(operands(T), operands(T, cupy.asarray), strict=True):
        expected = run(ufunc_add.add_kernel, a, b, CPUCapability.DEFAULT)
        got = run(ufunc_add_cuda.add_kernel, on_a, on_b)
        np.testing.assert_array_equal(got.view(np.uint8), expected.view(np.uint8))


FORMULAS = (
    *((T, ufunc_add_cuda.FUNCTOR_ADD, 2, 1) for T in DTYPES),
    (ScalarType.Half, ufunc_add_cuda.FUNCTOR_ON_OTHER_ADD, 1, 2),
    (ScalarType.Int, ufunc_add_cuda.FUNCTOR_ON_SELF_ADD, 1, 2),
)


@pytest.mark.parametrize(("T", "formula", "arity", "captures"), FORMULAS)
def test_nvrtc_compiles_it(T: ScalarType, formula: str, arity: int, captures: int) -> None:
    try:
        ptx = gpu_kernel.ptx(formula, T, arity, captures)
    except KernelError as error:
        if "can't be loaded" in str(error):
            pytest.skip(str(error))
        raise
    assert ptx.count(".visible .entry") == 2
    # The 16-bit types are computed with as floats.
    opmath = gpu_kernel.opmath_type(T)
    assert ("fma.rn.f32" in ptx) == (opmath in (ScalarType.Float, ScalarType.ComplexFloat))


def test_a_type_without_a_case_and_a_machine_without_a_device(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a = np.zeros(3, np.uint16)
    with pytest.raises(TorchError, match="\"ufunc_add_CUDA\" not implemented for 'UInt16'"):
        run(ufunc_add_cuda.add_kernel, a, a)
    monkeypatch.setitem(sys.modules, "cupy", None)
    gpu_kernel._compiled.cache_clear()
    with pytest.raises(TorchError, match="a GPU kernel needs CuPy"):
        run(ufunc_add_cuda.add_kernel, np.zeros(3), np.zeros(3))
