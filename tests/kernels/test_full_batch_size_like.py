"""full_batch_size_like makes what Paddle 3.3.1 makes, odd values and dims included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registry_runtime.kernels import find
from registry_runtime.kernels.template import Instance
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.scalar import Scalar

REGISTERED = (
    DataType.FLOAT32,
    DataType.FLOAT64,
    DataType.INT32,
    DataType.INT64,
    DataType.BOOL,
    DataType.FLOAT16,  # these two on the GPU only
    DataType.BFLOAT16,
)
X = np.zeros((3, 7), np.float32)


def kernel(dtype: DataType) -> Instance:
    template = find("phi::FullBatchSizeLikeKernel")
    assert template is not None
    return template.instantiate(dtype, "CPUContext")


def fill(dtype: DataType, value: Any, x: Any = X, shape: Any = (-1, 4), **dims: int) -> Any:
    dims = {"x_batch_size_dim": 0, "out_batch_size_dim": 0, **dims}
    args = (x, list(shape), value, dtype, *dims.values())
    result = kernel(dtype).launch(*args)
    expected = kernel(dtype).reference(*args)
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    assert result.tobytes() == expected.tobytes()
    return result


@pytest.mark.parametrize("dtype", REGISTERED, ids=str)
class TestEveryRegisteredType:
    @pytest.mark.parametrize("size", [0, 1, 1000, 3_000_001])
    def test_random_arguments(self, dtype: DataType, size: int) -> None:
        args = kernel(dtype).sample_inputs(size, np.random.default_rng(size))
        result = kernel(dtype).launch(*args)
        assert result.shape == (size,)
        assert result.tobytes() == kernel(dtype).reference(*args).tobytes()
        assert kernel(dtype).bytes_moved(args, result) == result.nbytes

    @pytest.mark.parametrize("value", [0, 1, 1.0, True, Scalar(1), np.float32(1)], ids=repr)
    def test_a_number_of_any_type(self, dtype: DataType, value: Any) -> None:
        result = fill(dtype, value)
        assert result.dtype == dtype.numpy
        assert (result.astype(np.float64) == float(getattr(value, "value", value))).all()

    def test_into_memory_of_the_caller(self, dtype: DataType) -> None:
        for out in (np.zeros((3, 4), dtype.numpy), np.zeros((4, 3), dtype.numpy).T):
            args = (X, [-1, 4], 1, dtype, 0, 0)
            assert kernel(dtype).launch(*args, out=out) is out
            assert (out == kernel(dtype).reference(*args)).all()


@given(
    x=st.lists(st.integers(0, 5), min_size=1, max_size=4),
    shape=st.lists(st.integers(0, 5), min_size=1, max_size=4),
    data=st.data(),
)
@settings(max_examples=60)
def test_one_dim_comes_from_x_and_the_others_from_shape(
    x: list[int], shape: list[int], data: st.DataObject
) -> None:
    x_dim = data.draw(st.integers(0, len(x) - 1))
    out_dim = data.draw(st.integers(0, len(shape) - 1))
    shape[out_dim] = -1
    result = fill(
        DataType.FLOAT32, 2, np.zeros(x), shape, x_batch_size_dim=x_dim, out_batch_size_dim=out_dim
    )
    assert result.shape == (*shape[:out_dim], x[x_dim], *shape[out_dim + 1 :])


def test_what_shape_says_at_the_batch_dim_does_not_count() -> None:
    assert fill(DataType.INT32, 7, shape=[100, 4]).shape == (3, 4)


def test_sequences_are_counted_where_x_has_a_lod_over_its_rows() -> None:
    x = DenseTensor(np.zeros((5, 2)), lod=((0, 1, 2), (0, 2, 5)))
    assert fill(DataType.INT32, 7, x, [-1, 4]).shape == (2, 4)
    assert fill(DataType.INT32, 7, x, [-1, 4], x_batch_size_dim=1).shape == (2, 4)
    assert fill(DataType.INT32, 7, x.with_lod(()), [-1, 4]).shape == (5, 4)


def test_the_type_of_x_does_not_matter() -> None:
    assert fill(DataType.INT64, 7, np.zeros((3, 7), bool)).dtype == np.int64


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        (DataType.INT64, 2.7, 2),
        (DataType.INT32, -2.7, -2),
        (DataType.INT64, 2**53 + 1, 2**53),  # through a double
        (DataType.BOOL, 0.5, True),
        (DataType.FLOAT32, float("inf"), np.inf),
        (DataType.FLOAT32, 1 + 2j, 1),
        (DataType.FLOAT32, 1e-60, 0),
        (DataType.COMPLEX64, 1 + 2j, 1 + 2j),
        (DataType.FLOAT8_E5M2, 0.5, 0.5),
    ],
    ids=str,
)
def test_values_are_cast_as_paddle_casts_them(dtype: DataType, value: Any, expected: Any) -> None:
    assert (fill(dtype, value) == expected).all()


def test_minus_zero_and_nan_keep_their_bits() -> None:
    assert np.signbit(fill(DataType.FLOAT32, -0.0)).all()
    assert np.isnan(fill(DataType.BFLOAT16, float("nan")).astype(np.float32)).all()


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        (DataType.BOOL, 2),
        (DataType.BOOL, -1),
        (DataType.INT32, 2**33),
        (DataType.INT32, 2**31),
        (DataType.INT64, 2**63 - 1),  # as a double it is 2**63
        (DataType.INT32, float("nan")),
        (DataType.INT32, float("inf")),
        (DataType.FLOAT32, 1e300),
        (DataType.FLOAT16, 1e5),
        (DataType.UINT8, -0.5),
    ],
    ids=str,
)
def test_values_out_of_range_are_refused(dtype: DataType, value: Any) -> None:
    with pytest.raises(KernelError, match=f"out of range for {dtype}"):
        fill(dtype, value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x_batch_size_dim": 2}, r"x_batch_size_dim is 2, but x of shape \[3, 7\] has 2 dims"),
        ({"x_batch_size_dim": -1}, "x_batch_size_dim is -1"),
        ({"out_batch_size_dim": 2}, r"out_batch_size_dim is 2, but shape \[-1, 4\] has 2 dims"),
        ({"shape": []}, "out_batch_size_dim is 0, but shape"),
        ({"shape": [5, -1]}, "only dim 0 may be negative"),
        ({"shape": [5, 2.5]}, "shape must be a const std::vector<int>&"),
        ({"x": np.float32(1)}, "x_batch_size_dim is 0, but x"),
        ({"value": "many"}, "val must be a const Scalar&, not 'many'"),
        ({"value": [1, 2]}, "val must be a const Scalar&, not .*one number is wanted"),
    ],
    ids=str,
)
def test_arguments_that_make_no_sense_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(KernelError, match=message):
        fill(DataType.FLOAT32, **{"value": 1, **arguments})


def test_another_dtype_is_another_kernel() -> None:
    with pytest.raises(KernelError, match="run the kernel for float32"):
        kernel(DataType.INT32).launch(X, [-1, 4], 1, DataType.FLOAT32, 0, 0)


def test_an_output_with_gaps_is_refused() -> None:
    with pytest.raises(KernelError, match="out must be contiguous"):
        kernel(DataType.INT32).launch(
            X, [-1, 4], 1, DataType.INT32, 0, 0, out=np.zeros((3, 8), np.int32)[:, ::2]
        )
