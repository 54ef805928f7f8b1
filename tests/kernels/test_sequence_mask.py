"""sequence_mask: ones and zeros of any type, in rows whose length a call may leave to x."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.shapes import SHAPES, assert_agrees, built

LENGTHS = [DataType.FLOAT32, DataType.FLOAT64, DataType.INT32, DataType.INT64]
ONES = [DataType.INT64, DataType.BOOL, DataType.BFLOAT16, DataType.FLOAT32, DataType.COMPLEX128]


@given(st.sampled_from(LENGTHS), st.sampled_from(ONES), SHAPES, st.integers(1, 40), st.data())
@settings(max_examples=40)
def test_as_many_ones_as_the_length_says(dtype, out, shape, maxlen, data):
    x = data.draw(arrays(np.int8, shape)).astype(dtype.numpy)
    x = x / dtype.numpy.type(4) if dtype in LENGTHS[:2] else x
    assert_agrees(built("SequenceMask", dtype), x, None, maxlen, out)
    assert_agrees(built("SequenceMaskScalar", dtype), x, maxlen, out)


def test_rows_as_long_as_a_tensor_says_or_as_the_longest_length():
    mask = built("SequenceMask", DataType.INT64)
    x = np.array([[1, 3], [0, 2]])
    assert mask.launch(x, np.array([5], np.int32), 2, DataType.INT32).shape == (2, 2, 5)
    for longest in (3, 7, 4):  # the same call, on other numbers
        x[0, 1] = longest
        result = mask.launch(x, None, -1, DataType.INT32)
        assert result.shape == (2, 2, longest)
        assert mask.agrees((x, None, -1, DataType.INT32), result)
    assert mask.launch(np.zeros((0, 2), np.int64), None, -1, DataType.INT32).shape == (0, 2, 0)


def test_no_number_of_ones_at_all():
    x = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-30], np.float32)
    result = built("SequenceMask", DataType.FLOAT32).launch(x, None, 2, DataType.BOOL)
    assert result.sum(-1).tolist() == [0, 2, 0, 0, 1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((None, 0, DataType.INT32), "The meta data must be valid when call the mutable data"),
        ((np.array([0], np.int32), 4, DataType.INT32), "should be greater than 0. But received"),
        ((np.array([4]), 4, DataType.INT32), "max_len_tensor is int64; cast it to int32"),
        ((None, 4, DataType.UNDEFINED), r"Not supported phi::DataType\(0\) as data type"),
    ],
    ids=["no columns", "a tensor of 0", "a tensor of int64", "no data type"],
)
def test_what_is_refused(arguments, said):
    with pytest.raises(KernelError, match=said):
        built("SequenceMask", DataType.INT64).launch(np.array([1, 2]), *arguments)


@pytest.mark.parametrize("lengths", [[-3.0, -1.0], [np.nan, 1], [np.inf]], ids=str)
def test_lengths_that_say_no_number_of_columns(lengths):
    x = np.array(lengths, np.float32)
    with pytest.raises(KernelError, match=r"pass (a )?maxlen"):
        built("SequenceMaskScalar", DataType.FLOAT32).launch(x, -1, DataType.INT32)
