"""Kernels that only move elements: transpose, gather, embedding; and matmul."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.shapes import FLOATS, SHAPES, assert_agrees, built, random

quick = settings(max_examples=40)
SIZES = [DataType.BOOL, DataType.BFLOAT16, DataType.INT32, DataType.FLOAT64, DataType.COMPLEX128]


@given(st.sampled_from([*SIZES, DataType.FLOAT8_E5M2]), SHAPES, st.data())
@quick
def test_transpose_to_any_order(dtype, shape, data):
    axes = data.draw(st.permutations(range(len(shape))))
    wide = DataType.UINT8 if dtype is DataType.FLOAT8_E5M2 else dtype
    x = random(wide, shape).astype(dtype.numpy)
    assert_agrees(built("Transpose", dtype), x, list(axes))


def test_transpose_counts_axes_from_the_end_too():
    x = random(DataType.INT32, (2, 3, 4))
    result = built("Transpose", DataType.INT32).launch(x, [-1, 0, -2])
    assert np.array_equal(result, x.transpose(2, 0, 1))


@given(
    st.sampled_from(SIZES),
    st.sampled_from([(5,), (3, 4), (4, 3, 2), (6, 0)]),
    st.sampled_from([np.int32, np.int64]),
    st.data(),
)
@quick
def test_gather_along_any_axis(dtype, shape, index_type, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1).filter(lambda a: shape[a]))
    length = shape[axis]
    index = data.draw(
        st.lists(st.integers(-length, length - 1), max_size=7) | st.integers(-length, length - 1)
    )
    index = np.array(index, index_type)
    assert_agrees(built("Gather", dtype), random(dtype, shape), index, axis)


@pytest.mark.parametrize(
    ("index", "said"),
    [
        (
            [0, 3],
            r"less than the size of input dim size of axis which is 3, but .* is 3 in the 1 index",
        ),
        (
            [-4],
            "greater than or equal to -3, but received index element which is -4 in the 0 index",
        ),
    ],
)
def test_an_index_that_is_out_of_range_is_named(index, said):
    gather, x = built("Gather", DataType.FLOAT32), random(DataType.FLOAT32, (3, 4))
    with pytest.raises(KernelError, match=said):
        gather.launch(x, np.array(index), 0)
    assert_agrees(gather, x, np.array([2]), 0)


@pytest.mark.parametrize(("shape", "axis"), [((0, 4), 1), ((4, 0), 0), ((0, 4, 2), 1)])
def test_gather_from_nothing_gives_nothing(shape, axis):
    assert_agrees(
        built("Gather", DataType.INT32), random(DataType.INT32, shape), np.arange(3), axis
    )


def test_an_index_of_another_type_is_refused():
    with pytest.raises(KernelError, match="index is int16; cast it to int32 or int64"):
        built("Gather", DataType.FLOAT32).launch(
            np.ones((2, 2), np.float32), np.array([0], np.int16), 0
        )


@given(
    st.sampled_from([DataType.FLOAT32, DataType.BFLOAT16, DataType.COMPLEX64]),
    SHAPES.filter(lambda shape: len(shape) < 3),
    st.sampled_from([-1, 0, 2]),
)
@quick
def test_embedding_looks_rows_up(dtype, shape, padding):
    ids = np.random.default_rng(0).integers(0, 5, shape)
    embedding, weight = built("Embedding", dtype), random(dtype, (5, 3))
    assert embedding.agrees((ids, weight, padding), embedding.launch(ids, weight, padding))


@pytest.mark.parametrize("wrong", [5, -1, -2])
def test_a_word_that_is_not_in_the_table_is_named(wrong):
    with pytest.raises(KernelError, match=rf"expected >= 0 and < 5, but got {wrong}. Please check"):
        built("Embedding", DataType.FLOAT32).launch(
            np.array([[0, wrong]]), np.ones((5, 2), np.float32), -1
        )


def test_the_padding_word_may_lie_outside_the_table():
    weight = np.ones((5, 2), np.float32)
    result = built("Embedding", DataType.FLOAT32).launch(np.array([-2, 1]), weight, -2)
    assert result.tolist() == [[0, 0], [1, 1]]


@given(
    st.sampled_from([*FLOATS, DataType.INT32, DataType.INT64, DataType.COMPLEX64]),
    st.sampled_from(
        [
            ((3, 4), (4, 5)),
            ((4,), (4,)),
            ((4,), (4, 2)),
            ((3, 4), (4,)),
            ((2, 1, 3, 4), (5, 4, 2)),
            ((3, 0), (0, 2)),
            ((0, 3), (3, 2)),
        ]
    ),
    st.tuples(st.booleans(), st.booleans()),
)
@quick
def test_matmul_of_any_shapes(dtype, shapes, transposed):
    x, y = (random(dtype, shape) for shape in shapes)
    operands = [
        np.ascontiguousarray(t.swapaxes(-1, -2)) if turn and t.ndim > 1 else t
        for t, turn in zip((x, y), transposed, strict=True)
    ]
    assert_agrees(built("Matmul", dtype), *operands, *transposed)


def test_matrices_that_do_not_fit_are_refused_in_paddles_words():
    with pytest.raises(KernelError, match=r"must be equal to the .* dimension of Input"):
        built("Matmul", DataType.FLOAT32).launch(
            np.ones((2, 3), np.float32), np.ones((2, 3), np.float32), False, False
        )
