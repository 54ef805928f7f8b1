"""`exp_kernel.cc` is run as it stands there, for each instruction set, and agrees with NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registry_runtime.aten.runtime import Runtime
from registry_runtime.aten.stub.cpu_capability import CPUCapability, can_run
from registry_runtime.aten.stub.stub_kernel import StubKernel
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.tensor_iterator import UNARY_OP_CONFIG, TensorIterator
from visualizer.workbench.bench import open_file

SAMPLE = Path(__file__).parents[2] / "cpp_samples/aten/exp_kernel.cc"


@pytest.fixture(scope="module")
def text() -> str:
    return open_file(str(SAMPLE)).expanded.text


def _exp(text: str, x: Any, capability: CPUCapability) -> Any:
    runtime = Runtime()
    assert not runtime.run(text).diagnostics
    stub = runtime.stubs["exp_stub"]
    [kernel] = stub.slots.values()
    assert kernel is not None
    assert kernel.runnable
    iterator = TensorIterator()
    config = UNARY_OP_CONFIG()
    config.add_output(None)
    config.add_const_input(Tensor.from_array(x))
    iterator.build(config)
    StubKernel(kernel.source, stub, "CPU", capability, runtime.world)(iterator)
    [output, _] = iterator.operands
    assert output.tensor is not None
    return output.tensor.numpy_or_cupy()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "capability", [CPUCapability.DEFAULT, CPUCapability.AVX2, CPUCapability.AVX512], ids=str
)
def test_exp_is_within_two_units_in_the_last_place(
    text: str, capability: CPUCapability, dtype: str
) -> None:
    if not can_run(capability):
        pytest.skip(f"this processor has no {capability}")
    limit = 110 if dtype == "float32" else 750
    spread = np.random.default_rng(0).uniform(-limit, limit, 10_003)
    x = np.concatenate([spread, [0, -0.0, np.inf, -np.inf, np.nan]]).astype(dtype)
    got = _exp(text, x, capability)
    with np.errstate(over="ignore", under="ignore"):
        exact = np.exp(x.astype(np.longdouble))
        wanted = exact.astype(dtype)
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(got[~finite], wanted[~finite])
    apart = np.abs(got[finite] - exact[finite]) / np.spacing(wanted[finite])
    assert apart.max() < 2


@pytest.mark.parametrize(
    ("written", "instead", "factor"),
    [
        ("std::exp(static_cast<double>(x))", "static_cast<double>(x) * 2", 2),
        ("static_cast<scalar_t>(std::exp(static_cast<double>(x)))", "x * 0.5", 0.5),
    ],
)
def test_what_fills_no_vector_is_left_to_the_function_of_elements(
    text: str, written: str, instead: str, factor: float
) -> None:
    """Whatever that of vectors computes, and with which numbers: C++ compares nothing."""
    spaced = " ".join(text.split())
    assert written in spaced
    x = np.linspace(1, 2, 3)
    got = _exp(spaced.replace(written, instead), x, CPUCapability.DEFAULT)
    np.testing.assert_array_equal(got, x * factor)
