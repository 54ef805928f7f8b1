"""InferMeta finds what Paddle 3.3.1 finds, and refuses what it refuses, in its words."""

from __future__ import annotations

from typing import Any

import pytest

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import EnforceNotMet, InvalidArgument, OutOfRange
from registry_runtime.phi.infermeta import binary, multiary, nullary, ternary, unary
from registry_runtime.phi.meta_tensor import MetaConfig, MetaTensor
from registry_runtime.phi.scalar import Scalar


def t(*dims: int, dtype: DataType = DataType.FLOAT32) -> MetaTensor:
    return MetaTensor(dims, dtype)


def infer(function: Any, *args: Any, outs: int = 1) -> Any:
    metas = [MetaTensor() for _ in range(outs)]
    function(*args, *metas)
    found = [(meta.dims, meta.dtype) for meta in metas]
    return found[0] if outs == 1 else found


F32, I64 = DataType.FLOAT32, DataType.INT64


@pytest.mark.parametrize(
    ("function", "args", "expected"),
    [
        (unary.SumInferMeta, (t(2, 3), [0], DataType.UNDEFINED, True), ((1, 3), F32)),
        (
            unary.SumInferMeta,
            (t(2, 3, dtype=DataType.INT32), [], DataType.UNDEFINED, False),
            ((), I64),
        ),
        (unary.SumInferMeta, (t(), [0], DataType.UNDEFINED, True), ((), F32)),
        (unary.ReduceIntArrayAxisInferMeta, (t(2, 3), [-1], False), ((2,), F32)),
        (unary.TraceInferMeta, (t(2, 3, 4), 0, 0, 1), ((4,), F32)),
        (unary.TraceInferMeta, (t(2, 3), 9, 0, 1), ((), F32)),
        (unary.TransposeInferMeta, (t(2, 3), [-1, 0]), ((3, 2), F32)),
        (unary.TransposeInferMeta, (t(2, 3), [0]), ((2, 3), F32)),
        (unary.CumScalarAxisInferMeta, (t(2, 3), Scalar(0), True, False, False), ((6,), F32)),
        (unary.CumScalarAxisInferMeta, (t(), Scalar(0), True, False, False), ((1,), F32)),
        (unary.CreateLikeInferMeta, (t(2, 3), I64), ((2, 3), I64)),
        (unary.CreateLikeInferMeta, (t(2, 3), DataType.UNDEFINED), ((2, 3), F32)),
        (unary.SoftmaxInferMeta, (t(), 0), ((), F32)),
        (nullary.CreateInferMeta, ([], F32), ((), F32)),
        (binary.ElementwiseInferMeta, (t(2, 1), t(3)), ((2, 3), F32)),
        (binary.ElementwiseInferMeta, (t(0, 1), t(3)), ((0, 3), F32)),
        (binary.CompareInferMeta, (t(2, 1), t(3)), ((2, 3), DataType.BOOL)),
        (binary.MatmulInferMeta, (t(4, 1, 2, 3), t(5, 3, 6), False, False), ((4, 5, 2, 6), F32)),
        (binary.MatmulInferMeta, (t(3), t(3), True, True), ((), F32)),
        (binary.MatmulInferMeta, (t(3), t(2, 3, 4), False, False), ((2, 4), F32)),
        (binary.MatmulInferMeta, (t(2, 4, 3), t(3), False, False), ((2, 4), F32)),
        (binary.MatmulInferMeta, (t(3, 2), t(3, 5), True, False), ((2, 5), F32)),
        (binary.MatmulInferMeta, (t(2, 0), t(0, 3), False, False), ((2, 3), F32)),
        (binary.DotInferMeta, (t(2, 3), t(2, 3)), ((2,), F32)),
        (binary.EmbeddingInferMeta, (t(2, 3, dtype=I64), t(4, 5), -1), ((2, 3, 5), F32)),
        (binary.GatherInferMeta, (t(2, 3), t(dtype=I64), Scalar(0)), ((3,), F32)),
        (unary.UnchangedExceptDtypeInferMeta, (t(2, 3),), ((2, 3), DataType.UNDEFINED)),
        (binary.SequenceMaskInferMeta, (t(2, 3), None, 5, I64), ((2, 3, 5), I64)),
        (binary.SequenceMaskInferMeta, (t(2, 3), None, 0, I64), ((2, 3, -1), I64)),
        (binary.SequenceMaskInferMeta, (t(2, 3), t(1), 5, I64), ((2, 3, -1), I64)),
        (unary.SequenceMaskScalarInferMeta, (t(), Scalar(5), I64), ((5,), I64)),
        (unary.SequenceMaskScalarInferMeta, (t(2), Scalar(-1), I64), ((2, -1), I64)),
        (
            binary.StftInferMeta,
            (t(2, 16), t(7), 7, 3, False, True),
            ((2, 4, 4), DataType.COMPLEX64),
        ),
        (
            binary.StftInferMeta,
            (t(0, 16, dtype=DataType.FLOAT64), t(8), 8, 20, True, False),
            ((0, 8, 1), DataType.COMPLEX128),
        ),
        (binary.GatherInferMeta, (t(2, 3), t(4, dtype=I64), Scalar(1)), ((2, 4), F32)),
        (binary.GatherInferMeta, (t(2, 3), t(4, 1, dtype=I64), Scalar(0)), ((4, 3), F32)),
    ],
)
def test_what_is_found(function: Any, args: Any, expected: Any) -> None:
    assert infer(function, *args) == expected


@pytest.mark.parametrize(
    ("function", "args", "error", "message"),
    [
        (
            binary.ElementwiseInferMeta,
            (t(2, 3), t(3, 2, 3, 2)),
            InvalidArgument,
            "the shape of X = [2, 3] and the shape of Y = [3, 2, 3, 2]. "
            "Received [2] in X is not equal to [3] in Y at i:2.",
        ),
        (unary.SoftmaxInferMeta, (t(2, 3), 2), InvalidArgument, "should be in range [-R, R-1]"),
        (
            unary.TraceInferMeta,
            (t(3), 0, 0, 1),
            OutOfRange,
            "Input(x)'s dim is out of range (expected at least 2, but got 1).",
        ),
        (
            unary.TraceInferMeta,
            (t(2, 3, 4), 0, 0, -5),
            OutOfRange,
            "axis2 is out of range (expected to be in range of [-3, 2], but got -5).",
        ),
        (
            unary.TransposeInferMeta,
            (t(2, 3), [0, 0]),
            InvalidArgument,
            "Each element of axis should be unique. but axis[1] is 0 appear not only once",
        ),
        (
            unary.CumInferMeta,
            (t(2, 3), 5, False, False, False),
            OutOfRange,
            "axis is out of range (expected to be in range of [-2, 2), but got 5).",
        ),
        (
            nullary.CreateInferMeta,
            ([2, -1], F32),
            InvalidArgument,
            "But received: shape[1] = -1; shape = [2, -1].",
        ),
        (
            binary.MatmulInferMeta,
            (t(2, 3), t(4, 5), False, False),
            InvalidArgument,
            "But receiving the [1]dimension of Input(X) is [3], "
            "and the [0] dimension of Input(Y) is [4].",
        ),
        (
            binary.DotInferMeta,
            (t(3), t(4)),
            EnforceNotMet,
            "X: [3] should be exactly the same with input tensor Y: [4]",
        ),
        (
            binary.GatherInferMeta,
            (t(2, 3), t(2, 2, dtype=I64), Scalar(0)),
            InvalidArgument,
            "The last dim of index should be 0 or 1 when it is 2D, but we get 2",
        ),
        (
            multiary.WhereInferMeta,
            (t(3, dtype=DataType.BOOL), t(2, 3), t(3)),
            InvalidArgument,
            "But received Condition's rank is [1], X's rank is [2]",
        ),
        (
            multiary.WhereInferMeta,
            (t(2, 3, dtype=DataType.BOOL), t(2, 3), t(3, 2)),
            InvalidArgument,
            "The [0] th of Inputs(X) and Inputs(Y) should be same. "
            "But received X's shape is [2], Y's shape is [3]",
        ),
    ],
)
def test_what_is_refused(function: Any, args: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        infer(function, *args)
    assert message in str(caught.value)


def test_several_outputs() -> None:
    half = DataType.FLOAT16
    found = infer(ternary.LayerNormInferMeta, t(2, 3, 4, dtype=half), None, None, 1e-5, 1, outs=3)
    assert found == [((2, 3, 4), half), ((2,), F32), ((2,), F32)]
    with pytest.raises(InvalidArgument, match="should be between0"):
        infer(ternary.LayerNormInferMeta, t(2, 3), None, None, 0.1, 1, outs=3)


def test_a_data_type_is_left_to_the_registration() -> None:
    c = t(3)
    args = (t(2, 3, 4, dtype=DataType.FLOAT16), c, c, c, c, 0.9, 1e-5, "NCHW")
    y, mean, variance = infer(multiary.BatchNormInferInferMeta, *args, outs=3)
    assert y == ((2, 3, 4), DataType.FLOAT16)
    assert mean == variance == ((3,), DataType.UNDEFINED)


def test_before_run_time_a_dim_may_be_unknown() -> None:
    out = MetaTensor()
    nullary.CreateInferMeta([2, -1], F32, out, MetaConfig(is_runtime=False))
    assert out.dims == (2, -1)


def test_facts_are_shared() -> None:
    x, out = MetaTensor((2, 3), I64, lod=((0, 2),)), MetaTensor()
    unary.UnchangedInferMeta(x, out)
    assert out == x


@pytest.mark.parametrize(("pooltype", "index"), [("MAX", (5, 3)), ("SUM", ())])
def test_a_pooled_sequence_has_xs_rows_until_the_kernel_resizes_it(
    pooltype: str, index: tuple[int, ...]
) -> None:
    x = MetaTensor((5, 3), F32, lod=((0, 2, 5),))
    out, max_index = MetaTensor(), MetaTensor()
    unary.SequencePoolInferMeta(x, False, pooltype, 0.0, out, max_index)
    assert (out.dims, out.lod, max_index.dims) == ((5, 3), (), index)
    assert out.dtype is max_index.dtype is DataType.UNDEFINED
