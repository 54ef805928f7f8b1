"""`sum`: a reduction over any dimensions of any layout, judged by NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from registry_runtime.aten.errors import IndexTorchError, TorchError
from registry_runtime.aten.tensor.device import META
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor, empty
from tests.aten.own_operators import own_operators

SUM = "aten::sum.dim_IntList"
WHOLE = np.random.default_rng(5).integers(-99, 99, (6, 5, 8, 7))
LAYOUTS = {
    "contiguous": WHOLE,
    "transposed": WHOLE.transpose(2, 0, 3, 1),
    "strided": WHOLE[::2, 1:, ::3, ::-1].copy()[:, ::2],
    "broadcast": np.broadcast_to(WHOLE[:, :1], (6, 4, 8, 7)).copy()[..., :1],
    "a row": WHOLE[0, 0, 0],
    "a number": np.array(3),
    "nothing": WHOLE[:0],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_dimensions_of_any_layout(layout: str) -> None:
    call, x = own_operators().call, LAYOUTS[layout]
    for count in range(1, x.ndim + 1):
        for dims in itertools.combinations(range(x.ndim), count):
            for keep in (False, True):
                made = call(SUM, x, list(dims), keep)
                np.testing.assert_array_equal(made, x.sum(axis=dims, keepdims=keep))
    for none in (None, []):
        np.testing.assert_array_equal(call(SUM, x, none), x.sum())
    np.testing.assert_array_equal(call("aten::sum", x), x.sum())


def test_small_numbers_are_not_lost_beside_a_large_sum() -> None:
    """Added one after the other to a float, these would come to 16777216."""
    call, ones = own_operators().call, np.ones(1 << 25, np.float32)
    assert call("aten::sum", ones) == 1 << 25
    tenths = np.full((3, 1 << 20), 0.1, np.float32)
    exact = tenths.astype(np.float64).sum(1)
    np.testing.assert_allclose(call(SUM, tenths, [1]), exact, 1.3e-6)
    np.testing.assert_allclose(call(SUM, tenths.T.copy(), [0]), exact, 1.3e-6)
    assert call("aten::sum", np.ones(4097, np.float16)) == 4096  # 4097 is no half, 4098 the next


def test_integers_are_summed_as_int64_and_what_is_asked_for_is_given() -> None:
    call, x = own_operators().call, np.full(300, 200, np.uint8)
    made = call("aten::sum", x)
    assert (made, made.dtype) == (60000, np.int64)
    made = call("aten::sum", x, dtype=ScalarType.Float)
    assert (made, made.dtype) == (60000, np.float32)
    assert call("aten::sum", x, dtype=ScalarType.Byte) == 60000 % 256
    out = np.zeros(2, np.float64)
    assert call("aten::sum.IntList_out", np.ones((3, 2), np.int32), [0], out=out) is out
    np.testing.assert_array_equal(out, [3, 3])


def test_meta_has_the_shape() -> None:
    x = empty((4, 3, 2), ScalarType.Int, META)
    made = own_operators().call(SUM, x, [1], True)
    assert isinstance(made, Tensor)
    assert (made.sizes, made.dtype, made.device) == ((4, 1, 2), ScalarType.Long, META)


def test_refused() -> None:
    call = own_operators().call
    with pytest.raises(IndexTorchError, match=r"expected to be in range of \[-2, 1\], but got 2"):
        call(SUM, np.ones((2, 2)), [2])
    with pytest.raises(TorchError, match="dim 1 appears multiple times in the list of dims"):
        call(SUM, np.ones((2, 2)), [1, -1])
    halves = np.zeros(3, ScalarType.ComplexHalf.numpy)
    with pytest.raises(TorchError, match="\"sum_cpu\" not implemented for 'ComplexHalf'"):
        call("aten::sum", halves)
