"""sequence_pool: rows of one sequence to one row, and the gradient against finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.shapes import built, random
from visualizer.workbench.linking import load
from visualizer.workbench.samples import samples_folder

KINDS = ["AVERAGE", "SUM", "SQRT", "MAX", "LAST", "FIRST"]


def ragged(dtype, offsets, columns, upper=()):
    return DenseTensor(random(dtype, (offsets[-1], *columns)), lod=(*upper, tuple(offsets)))


@given(
    st.sampled_from([DataType.FLOAT32, DataType.FLOAT64]),
    st.sampled_from(KINDS),
    st.lists(st.integers(0, 5), min_size=1, max_size=6).map(lambda n: np.cumsum([0, *n]).tolist()),
    st.sampled_from([(1,), (3,), (2, 70), (0,)]),
    st.booleans(),
)
@settings(max_examples=60)
def test_each_sequence_becomes_a_row(dtype, kind, offsets, columns, is_test):
    if offsets[-1] < len(offsets) - 1:
        offsets = [*offsets[:-1], offsets[-1] + len(offsets)]
    x, pool = ragged(dtype, offsets, columns), built("SequencePool", dtype)
    arguments = (x, is_test, kind, 9.5)
    out, index = pool.launch(*arguments)
    assert pool.agrees(arguments, (out, index))
    assert out.shape == (len(offsets) - 1, *columns)
    assert bool(len(index)) == (kind == "MAX" and not is_test)
    grad = random(dtype, out.shape)
    back = (x, index if len(index) else None, grad, is_test, kind, 9.5)
    if kind != "MAX" or not is_test:
        gradient = built("SequencePoolGrad", dtype)
        assert gradient.agrees(back, gradient.launch(*back))


@pytest.mark.parametrize("kind", KINDS)
def test_the_gradient_is_that_of_finite_differences(kind):
    T = DataType.FLOAT64
    x = ragged(T, [0, 2, 2, 5, 6], (3,))
    forward = built("SequencePool", T).launch
    out, index = forward(x, False, kind, 0.0)
    weight = random(T, out.shape)
    result = built("SequencePoolGrad", T).launch(
        x, index if kind == "MAX" else None, weight, False, kind, 0.0
    )
    for place in np.ndindex(x.dims):
        step = np.zeros_like(x.data)
        step[place] = 1e-5
        up, down = (DenseTensor(x.data + s, lod=x.lod) for s in (step, -step))
        slope = sum(
            sign * (forward(moved, False, kind, 0.0)[0] * weight).sum() / 2e-5
            for moved, sign in ((up, 1), (down, -1))
        )
        assert result[place] == pytest.approx(slope, abs=1e-8)


def test_rows_in_no_sequence_have_no_gradient():
    x = DenseTensor(np.ones((6, 2), np.float32), lod=((1, 3, 4),))
    result = built("SequencePoolGrad", DataType.FLOAT32).launch(
        x, None, np.ones((2, 2), np.float32), False, "SUM", 0.0
    )
    assert result[:, 0].tolist() == [0, 1, 1, 1, 0, 0]


def test_the_registry_calls_it_and_the_kernel_decides_what_it_allocates():
    runtime = load([samples_folder() / "phi" / "sequence_pool_kernel.cc"]).phi
    x = DenseTensor(np.array([[1, 5], [3, 4], [0, 9]], np.float32), lod=((0, 2, 3),))
    out, index = runtime.call("sequence_pool", x, False, "MAX", 0.0)
    assert out.tolist() == [[3, 5], [0, 9]]
    assert index.tolist() == [[1, 0], [2, 2]]
    assert index.dtype == np.int32
    told = [
        step.sentence for step in runtime.explain_call("sequence_pool", x, False, "MAX", 0.0).steps
    ]
    assert "max_index will have dims [2, 2], and be int32 by the kernel itself" in told
    back = runtime.call(
        "sequence_pool_grad", x, index, np.ones((2, 2), np.float32), False, "MAX", 0.0
    )
    assert back.tolist() == [[0, 1], [1, 0], [1, 1]]


X = np.ones((5, 2), np.float32)


@pytest.mark.parametrize(
    ("x", "kind", "said"),
    [
        (X, "SUM", "does not contain LoD information"),
        (DenseTensor(X, lod=((0, 5), (0, 5), (0, 5))), "SUM", "shall be no more than 2"),
        (DenseTensor(X, lod=((0, 1, 1, 1, 1, 1, 5),)), "SUM", "is 5, while batch size is 6"),
        (DenseTensor(X, lod=((0, 1), (0, 2, 5))), "SUM", "lod information is illegal"),
        (DenseTensor(X, lod=((0, 3, 2),)), "SUM", r"offsets \[0, 3, 2\] must rise"),
        (DenseTensor(X, lod=((0, 2, 9),)), "SUM", "to x's number of rows, 5"),
        (DenseTensor(X, lod=((0, 2, 5),)), "MIN", "unsupported pooling pooltype: MIN"),
        (DenseTensor(X[:, 0], lod=((0, 2, 5),)), "MAX", "rank of input shall be greater than 1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_refused(x, kind, said):
    with pytest.raises(KernelError, match=said):
        built("SequencePool", DataType.FLOAT32).launch(x, False, kind, 0.0)


@pytest.mark.parametrize(
    ("kind", "grad", "said"),
    [
        ("MAX", np.ones((2, 2), np.float32), r"max_index of dims \[2, 2\] is needed"),
        ("SUM", np.ones((3, 2), np.float32), r"out_grad has dims \[3, 2\]; it must have \[2, 2\]"),
        ("MIN", np.ones((2, 2), np.float32), "unsupported pooling pooltype: MIN"),
    ],
    ids=["no index", "another shape", "no such pooltype"],
)
def test_a_gradient_that_is_refused(kind, grad, said):
    x = DenseTensor(X, lod=((0, 2, 5),))
    with pytest.raises(KernelError, match=said):
        built("SequencePoolGrad", DataType.FLOAT32).launch(x, None, grad, False, kind, 0.0)
