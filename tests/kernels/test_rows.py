"""Kernels that need all of a row: softmax, layer_norm, batch_norm_infer, cumsum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.shapes import FLOATS, SHAPES, assert_agrees, built, random

NAN, INF = float("nan"), float("inf")
quick = settings(max_examples=25)


@given(st.sampled_from(FLOATS), SHAPES, st.data())
@quick
def test_softmax_along_any_axis(dtype, shape, data):
    rank = max(len(shape), 1)
    axis = data.draw(st.integers(-rank, rank - 1)) if shape else 0
    assert_agrees(built("Softmax", dtype), random(dtype, shape), axis)


@pytest.mark.parametrize("columns", [3, 64, 100])
@pytest.mark.parametrize("axis", [0, 1])
def test_softmax_of_numbers_that_are_none(columns, axis):
    x = np.zeros((4, columns), np.float32)
    x[1, 1], x[2, 1], x[3, :] = NAN, INF, -INF
    x = np.ascontiguousarray(x if axis else x.T)
    result = built("Softmax", DataType.FLOAT32).launch(x, axis)
    rows = result if axis else result.T
    assert np.allclose(rows[0], 1 / columns)
    assert np.isnan(rows[1:]).all()


def test_softmax_does_not_overflow():
    x = np.array([[1e4, 1e4 - 1], [-1e30, 3e38]], np.float32)
    result = built("Softmax", DataType.FLOAT32).launch(x, -1)
    assert np.allclose(result, [[0.7310586, 0.26894143], [0, 1]])


@given(st.sampled_from(FLOATS), SHAPES.filter(lambda s: len(s) > 1), st.data())
@quick
def test_layer_norm_with_and_without_scale_and_bias(dtype, shape, data):
    axis = data.draw(st.integers(1, len(shape) - 1))
    columns = int(np.prod(shape[axis:]))
    scale, bias = (
        random(dtype, (columns,)) if data.draw(st.booleans()) else None for _ in range(2)
    )
    assert_agrees(built("LayerNorm", dtype), random(dtype, shape), scale, bias, 1e-5, axis)


def test_layer_norm_keeps_half_precisions_statistics_in_float32():
    x = random(DataType.FLOAT16, (4, 8))
    out, mean, variance = built("LayerNorm", DataType.FLOAT16).launch(x, None, None, 1e-5, 1)
    assert (out.dtype, mean.dtype, variance.dtype) == (np.float16, np.float32, np.float32)


@given(
    st.sampled_from(FLOATS),
    st.sampled_from([(2, 3), (2, 3, 4, 5), (0, 3, 4), (2, 3, 0), (4, 3, 7000)]),
    st.sampled_from(["NCHW", "NHWC"]),
)
@quick
def test_batch_norm_by_channel(dtype, shape, layout):
    wide = DataType.FLOAT64 if dtype is DataType.FLOAT64 else DataType.FLOAT32
    shape = shape if layout == "NCHW" else (shape[0], *shape[2:], shape[1])
    mean, variance, scale, bias = (random(wide, (3,)) for _ in range(4))
    numbers = (mean, np.square(variance), scale, bias)
    assert_agrees(built("BatchNormInfer", dtype), random(dtype, shape), *numbers, 0.9, 1e-5, layout)


def test_batch_norm_of_another_precision_is_refused():
    x, one = random(DataType.FLOAT32, (2, 3)), np.ones(3)
    with pytest.raises(KernelError, match="mean is float64; cast it to float32"):
        built("BatchNormInfer", DataType.FLOAT32).launch(x, one, one, one, one, 0.9, 1e-5, "NCHW")


@given(
    st.sampled_from([*FLOATS, DataType.INT8, DataType.INT64, DataType.COMPLEX64]),
    SHAPES,
    st.tuples(st.booleans(), st.booleans(), st.booleans()),
    st.data(),
)
@quick
def test_cumsum_in_every_way(dtype, shape, how, data):
    rank = max(len(shape), 1)
    axis = data.draw(st.integers(-rank, rank - 1)) if shape else 0
    assert_agrees(built("Cumsum", dtype), random(dtype, shape), axis, *how)
