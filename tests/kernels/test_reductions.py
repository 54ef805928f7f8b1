"""sum, mean, trace and its gradient, dot: many numbers to few."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.shapes import FLOATS, SHAPES, assert_agrees, built, random

NUMBERS = [*FLOATS, DataType.BOOL, DataType.UINT8, DataType.INT32, DataType.COMPLEX64]
quick = settings(max_examples=40)


def axes_of(shape, data):
    return data.draw(st.lists(st.integers(0, max(len(shape) - 1, 0)), unique=True, max_size=3))


@given(st.sampled_from(NUMBERS), SHAPES, st.booleans(), st.data())
@quick
def test_sum_along_any_axes(dtype, shape, keep, data):
    x, axes = random(dtype, shape), axes_of(shape, data)
    assert_agrees(built("Sum", dtype), x, axes, DataType.UNDEFINED, keep)


@given(st.sampled_from(NUMBERS), SHAPES, st.booleans(), st.data())
@quick
def test_mean_along_any_axes(dtype, shape, keep, data):
    assert_agrees(built("Mean", dtype), random(dtype, shape), axes_of(shape, data), keep)


@pytest.mark.parametrize(
    ("dtype", "out", "expected"),
    [
        (DataType.BOOL, DataType.UNDEFINED, DataType.INT64),
        (DataType.INT32, DataType.UNDEFINED, DataType.INT64),
        (DataType.UINT8, DataType.UNDEFINED, DataType.UINT8),
        (DataType.FLOAT32, DataType.INT32, DataType.INT32),
        (DataType.FLOAT32, DataType.BOOL, DataType.BOOL),
        (DataType.INT32, DataType.FLOAT64, DataType.FLOAT64),
        (DataType.FLOAT16, DataType.FLOAT32, DataType.FLOAT32),
    ],
)
def test_what_a_sum_is_of(dtype, out, expected):
    x = np.array([1, 0, 1], dtype.numpy)
    result = built("Sum", dtype).launch(x, [], out, False)
    assert DataType.of(result.dtype) is expected
    assert result == (1 if expected is DataType.BOOL else 2)


def test_half_precision_is_added_as_float32():
    x = np.ones(100_000, np.float16)
    assert built("Sum", DataType.FLOAT16).launch(x, [], DataType.FLOAT32, False) == 100_000
    assert built("Mean", DataType.FLOAT16).launch(x, [], False) == 1


def test_means_of_integers_are_cut_off_and_of_nothing_are_none():
    mean = built("Mean", DataType.INT32)
    assert mean.launch(np.array([[1, 2], [3, -9]], np.int32), [0], False).tolist() == [2, -3]
    empty = built("Mean", DataType.FLOAT32).launch(np.zeros((0, 3), np.float32), [0], False)
    assert np.isnan(empty).all()


def test_not_a_number_stays():
    x = np.array([1, np.nan, np.inf], np.float32)
    assert np.isnan(built("Sum", DataType.FLOAT32).launch(x, [], DataType.UNDEFINED, False))
    assert built("Sum", DataType.FLOAT32).launch(x[2:], [], DataType.UNDEFINED, False) == np.inf


@pytest.mark.parametrize("axes", [[2], [0, 0], [-3]])
def test_axes_that_are_not_there_are_refused(axes):
    with pytest.raises(KernelError, match=r"Axis contains duplicate|should be in the range"):
        built("Sum", DataType.FLOAT32).launch(
            np.ones((2, 2), np.float32), axes, DataType.UNDEFINED, False
        )


@given(
    st.sampled_from([DataType.FLOAT32, DataType.FLOAT16, DataType.INT32, DataType.COMPLEX64]),
    st.sampled_from(
        [((3, 3), (0, 1)), ((4, 2, 3), (0, 2)), ((4, 2, 3), (-1, 1)), ((0, 2), (0, 1))]
    ),
    st.integers(-5, 5),
)
@quick
def test_trace_and_its_gradient(dtype, case, offset):
    shape, (axis1, axis2) = case
    x = random(dtype, shape)
    assert_agrees(built("Trace", dtype), x, offset, axis1, axis2)
    grad = random(dtype, x.diagonal(offset, axis1, axis2).shape[:-1])
    assert_agrees(built("TraceGrad", dtype), x, grad, offset, axis1, axis2)


@given(
    st.sampled_from([DataType.FLOAT32, DataType.BFLOAT16, DataType.INT64, DataType.COMPLEX128]),
    st.sampled_from([(5,), (0,), (3, 4), (0, 3), (3, 0), (50_000,), (2, 20_000)]),
)
@quick
def test_dot_of_vectors_and_of_rows(dtype, shape):
    assert_agrees(built("Dot", dtype), random(dtype, shape), random(dtype, shape)[..., ::-1])
