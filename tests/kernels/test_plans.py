"""A call that was made before is not thought about again, and must come to the same."""

from __future__ import annotations

import numpy as np
import pytest

from registry_runtime.kernels import find
from registry_runtime.kernels.plan import Plans, key_of
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.scalar import Scalar


def launch_of(name: str, dtype: DataType = DataType.FLOAT32):
    instance = find(f"phi::{name}Kernel").instantiate(dtype, "CPUContext")
    instance.build()
    return instance.launch


def test_what_an_array_holds_is_not_remembered() -> None:
    scale = launch_of("Scale")
    for x in (np.ones(3, np.float32), np.zeros((2, 0), np.float32), np.full(3, 5, np.float32)):
        for _ in range(2):
            assert np.array_equal(scale(x, 2.0, 1.0, True), x * 2 + 1)
            assert np.array_equal(scale(DenseTensor(x), 2.0, 1.0, True), x * 2 + 1)
    result = scale(x, 2.0, 1.0, True)
    assert scale(x, 2.0, 1.0, True) is not result


def test_attributes_that_are_equal_are_not_alike() -> None:
    full = launch_of("Full")
    for value in (0.0, -0.0, 0, False, Scalar(-0.0)):
        signs = np.signbit(full([2], value, DataType.FLOAT32))
        assert signs.tolist() == [np.signbit(getattr(value, "value", value))] * 2
    scale = launch_of("Scale")
    x = np.array([3], np.float32)
    assert scale(x, 2.0, 1.0, True) == 7
    assert scale(x, 2.0, 1.0, False) == 8
    with pytest.raises(KernelError, match="bias_after_scale"):
        scale(x, 2.0, 1.0, 1.0)


def test_a_wrong_call_is_wrong_each_time_and_spoils_no_right_one() -> None:
    scale, cast = launch_of("Scale"), launch_of("Cast")
    x = np.ones(2, np.float32)
    for _ in range(3):
        with pytest.raises(KernelError, match="x is float64"):
            scale(x.astype(np.float64), 2.0, 1.0, True)
        assert scale(x, 2.0, 1.0, True).tolist() == [3, 3]
        assert cast(x, DataType.INT8).dtype == np.int8
        assert cast(x, DataType.INT32).dtype == np.int32


def test_a_result_may_be_written_over_an_input() -> None:
    cast = launch_of("Cast")
    memory = np.arange(8, dtype=np.float32)
    for _ in range(2):
        cast(memory[:4], DataType.FLOAT32, out=memory[2:6])
    assert memory.tolist() == [0, 1, 0, 1, 0, 1, 6, 7]


def test_a_result_may_go_to_memory_that_is_not_aligned() -> None:
    softmax = launch_of("Softmax")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    out = np.zeros(25, np.uint8)[1:].view(np.float32).reshape(2, 3)
    assert not out.flags.aligned
    assert softmax(x, -1, out=out) is out
    assert np.array_equal(out, softmax(x, -1))
    assert np.array_equal(softmax(out, -1), softmax(out.copy(), -1))


def test_there_is_an_end_to_remembering() -> None:
    plans: Plans[int] = Plans()
    for size in range(1000):
        plans.keep(key_of((size,)), size)
    plans.keep(key_of((float("nan"),)), 0)  # equal to nothing, so never found again
    assert 0 < len(plans) < 300
    assert plans[key_of((999,))] == 999
