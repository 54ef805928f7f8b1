"""What the loops compute, bit for bit as torch does, for the thirteen types of `add`.

Torch runs the same program: `ufunc::add` compiled by gcc for the instruction set that both choose.
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.native.ufunc_add import DTYPES, add_kernel
from registry_runtime.aten.stub.cpu_capability import CPUCapability, family
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor, empty_strided
from registry_runtime.aten.tensor_iterator import TensorIterator

torch: Any = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(family() != "x86", reason="the levels compared are those of x86"),
]

# A file compiled for AVX-512 registers a null pointer for add_stub, so torch takes AVX2.
LEVEL = {
    "DEFAULT": CPUCapability.DEFAULT,
    "AVX2": CPUCapability.AVX2,
    "AVX512": CPUCapability.AVX2,
}[torch.backends.cpu.get_cpu_capability()]


def random_tensor(T: ScalarType, sizes: tuple[int, ...]) -> Any:
    dtype, count = getattr(torch, T.torch_name), int(np.prod(sizes))
    if dtype.is_complex:
        parts = torch.randn(count, 2).to(torch.half if dtype == torch.complex32 else torch.double)
        x = torch.view_as_complex(parts).to(dtype)
    elif dtype.is_floating_point:
        x = (torch.randn(count).double() * 10.0 ** torch.randint(-6, 5, (count,))).to(dtype)
    else:
        x = torch.randint(-(2**40), 2**40, (count,)).to(dtype)
    return x.reshape(sizes)


def ours(x: Any) -> Tensor:
    """The same storage, sizes and strides."""
    T = ScalarType.named(str(x.dtype).removeprefix("torch."))
    storage = torch.empty(0, dtype=torch.uint8).set_(x.untyped_storage()).numpy()
    base = Tensor.from_array(storage.view(T.numpy))
    return base.as_strided(tuple(x.size()), tuple(x.stride()), x.storage_offset())


def bits(x: Any) -> Any:
    """Bits of a torch tensor's elements, NaNs made one."""
    if x.is_complex():
        x = torch.view_as_real(x)
    if x.is_floating_point():
        x = torch.where(x.isnan(), torch.full_like(x, float("nan")), x)
    size = x.element_size()
    return x.contiguous().view(
        {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[size]
    )


def same(a: Any, b: Any, alpha: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ComplexHalf is experimental, torch says
        expected = torch.add(a, b, alpha=alpha)
        iter = TensorIterator.binary_op(None, ours(a), ours(b))
        add_kernel(iter, Scalar(alpha), LEVEL)
        result = iter.output()
        assert result.sizes == tuple(expected.size())
        assert result.strides == tuple(expected.stride())
        array = np.ascontiguousarray(result.numpy()).reshape(-1)
        got = torch.from_numpy(array.view(np.uint8)).view(expected.dtype).reshape(expected.size())
        torch.testing.assert_close(bits(got), bits(expected.contiguous()), rtol=0, atol=0)


COMPLEX = (ScalarType.ComplexHalf, ScalarType.ComplexFloat, ScalarType.ComplexDouble)
ROUNDED = {**dict.fromkeys(COMPLEX, (0.1, 0.3 - 0.7j)), ScalarType.Bool: ()}


@pytest.mark.parametrize("T", DTYPES, ids=str)
def test_contiguous_and_strided(T: ScalarType) -> None:
    torch.manual_seed(int(T))
    is_float = T in (ScalarType.Float, ScalarType.Double, ScalarType.BFloat16, ScalarType.Half)
    alphas = (True, False) if T is ScalarType.Bool else (1, 2, *ROUNDED.get(T, ()))
    alphas += (0.1, -0.7) if is_float else ()
    for count in (1, 5, 37, 1000, 70001):
        for alpha in alphas:
            same(random_tensor(T, (count,)), random_tensor(T, (count,)), alpha)
    for alpha in alphas:
        a, b = random_tensor(T, (53, 37)), random_tensor(T, (37, 53))
        same(a.t(), b, alpha)
        same(random_tensor(T, (400,))[::2], random_tensor(T, (600,))[::3], alpha)
        same(random_tensor(T, (4, 6, 5, 7)).permute(2, 0, 3, 1), random_tensor(T, (7, 6)), alpha)


@pytest.mark.parametrize("T", DTYPES, ids=str)
def test_one_input_is_a_scalar_in_each_row(T: ScalarType) -> None:
    torch.manual_seed(int(T))
    is_float = T in (ScalarType.Float, ScalarType.Double)
    for alpha in (True,) if T is ScalarType.Bool else (1, 2, *((3, 0.3) if is_float else ())):
        for length in (*range(1, 20), 53) if is_float else (53,):
            a, b = random_tensor(T, (64, length)), random_tensor(T, (64, 1))
            same(a, b, alpha)
            same(b, a, alpha)
        same(random_tensor(T, (1,)), random_tensor(T, (1000,)), alpha)
        same(random_tensor(T, (300, 1)), random_tensor(T, (1, 300)), alpha)


@pytest.mark.parametrize("T", COMPLEX[1:], ids=str)
def test_what_no_vector_takes_of_complex_numbers_is_rounded_as_torch_rounds_it(
    T: ScalarType,
) -> None:
    torch.manual_seed(int(T))
    for n in (*range(1, 24), 53):
        row, column = random_tensor(T, (5, n)), random_tensor(T, (5, 1))
        each = random_tensor(T, (10 * n,))
        for alpha in (0.3 - 0.7j, -1.1 + 2.3j):
            same(random_tensor(T, (n,)), each[:n], alpha)
            same(random_tensor(T, (n,)), each[: 2 * n : 2], alpha)
            same(row, column, alpha)
            same(column, row, alpha)
            same(row.t(), random_tensor(T, (n, 5)), alpha)


@pytest.mark.parametrize("T", [ScalarType.Float, ScalarType.Double], ids=str)
def test_any_layout_is_rounded_as_torch_rounds_it(T: ScalarType) -> None:
    torch.manual_seed(int(T))
    random = np.random.default_rng(int(T))

    def operand(sizes: list[int]) -> Any:
        """Of some dimensions one element for all, of others each second one; in any order."""
        own = [1 if random.random() < 0.3 else n for n in sizes]
        steps = [int(random.choice([1, 1, 1, 2])) for _ in own]
        order = random.permutation(len(own)) if random.random() < 0.3 else np.arange(len(own))
        whole = random_tensor(T, tuple(own[i] * steps[i] for i in order))
        cut = whole[tuple(slice(None, None, steps[i]) for i in order)]
        return cut.permute(*(int(i) for i in np.argsort(order)))

    for _ in range(600):
        sizes = [int(n) for n in random.integers(1, 24, int(random.integers(1, 5)))]
        same(operand(sizes), operand(sizes), float(random.choice([3, 0.3, -0.7])))
    same(random_tensor(T, (7001, 13)), random_tensor(T, (7001, 1)), 0.3)  # on several threads


@pytest.mark.parametrize("T", [ScalarType.BFloat16, ScalarType.Half], ids=str)
def test_every_16_bit_number(T: ScalarType) -> None:
    every = (
        torch.arange(1 << 16, dtype=torch.int32).to(torch.int16).view(getattr(torch, T.torch_name))
    )
    same(every, every[torch.randperm(1 << 16)], 1)


@pytest.mark.skipif(LEVEL is CPUCapability.DEFAULT, reason="the process is a DEFAULT one already")
def test_the_default_level_too() -> None:
    """In a process of its own, because torch makes its choice once."""
    environ = {**os.environ, "ATEN_CPU_CAPABILITY": "default"}
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    done = subprocess.run(
        [*tests, "-k", "scalar_in_each_row or 16_bit"], env=environ, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_an_alpha_that_does_not_fit_the_type() -> None:
    for dtype, alpha in (("uint8", 300), ("float16", 1e6), ("int8", -129)):
        x = torch.ones(2, dtype=getattr(torch, dtype))
        with pytest.raises(RuntimeError) as theirs:
            torch.add(x, x, alpha=alpha)
        iter = TensorIterator.binary_op(None, ours(x), ours(x))
        with pytest.raises(TorchError) as mine:
            add_kernel(iter, Scalar(alpha), LEVEL)
        assert str(theirs.value) == mine.value.message


def test_a_type_without_a_case() -> None:
    x = torch.ones(2, dtype=torch.uint16)
    with pytest.raises(NotImplementedError) as theirs:
        torch.add(x, x)
    out = partial(empty_strided, (2,), (1,))
    iter = TensorIterator.binary_op(None, out(ScalarType.UInt16), out(ScalarType.UInt16))
    with pytest.raises(TorchError) as mine:
        add_kernel(iter, Scalar(1), LEVEL)
    assert str(theirs.value) == mine.value.message
