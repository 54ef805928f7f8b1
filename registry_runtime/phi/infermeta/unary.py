"""Outputs that depend on one tensor."""

from __future__ import annotations

from collections.abc import Sequence

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import InvalidArgument, OutOfRange
from registry_runtime.phi.meta_tensor import AT_RUN_TIME, MetaConfig, MetaTensor
from registry_runtime.phi.scalar import Scalar


def UnchangedInferMeta(x: MetaTensor, out: MetaTensor) -> None:
    out.share_meta(x)


def UnchangedExceptDtypeInferMeta(x: MetaTensor, out: MetaTensor) -> None:
    """x's dims, layout and LoD; the data type is left open."""
    out.set_dims(x.dims)
    out.set_layout(x.layout)
    out.share_lod(x)


def SequenceMaskScalarInferMeta(
    x: MetaTensor, max_len: Scalar, out_dtype: DataType, y: MetaTensor
) -> None:
    """x's dims and one more, `max_len`; -1 where x's elements say it."""
    maxlen = int(max_len.to(DataType.INT32))
    y.set_dims((*x.dims, maxlen if maxlen > 0 else -1))
    y.set_dtype(out_dtype)


def SequencePoolInferMeta(
    x: MetaTensor,
    is_test: bool,
    pooltype: str,
    pad_value: float,
    out: MetaTensor,
    max_index: MetaTensor | None,
    config: MetaConfig = AT_RUN_TIME,
) -> None:
    """x's dims for both, though the kernel will have fewer rows. The data types are left open."""
    out.share_dims(x)
    if max_index is not None and pooltype == "MAX":
        max_index.share_dims(x)


def IsfiniteInferMeta(x: MetaTensor, out: MetaTensor) -> None:
    out.set_dims(x.dims)
    out.set_dtype(DataType.BOOL)


def CastInferMeta(x: MetaTensor, out_dtype: DataType, out: MetaTensor) -> None:
    out.set_dims(x.dims)
    out.set_dtype(out_dtype)
    out.set_layout(x.layout)


def CreateLikeInferMeta(x: MetaTensor, dtype: DataType, out: MetaTensor) -> None:
    """x's dims; x's data type where `dtype` is UNDEFINED."""
    out.set_dims(x.dims)
    out.set_dtype(x.dtype if dtype is DataType.UNDEFINED else dtype)
    out.set_layout(x.layout)
    out.share_lod(x)


def FullBatchSizeLikeInferMeta(
    x: MetaTensor,
    shape: Sequence[int],
    val: Scalar,
    dtype: DataType,
    x_batch_size_dim: int,
    out_batch_size_dim: int,
    out: MetaTensor,
) -> None:
    """`shape` with x's size along `x_batch_size_dim` at `out_batch_size_dim`.

    Paddle doesn't look at the two dims, and dies of one that is out of range.
    """
    for name, dim, of, rank in (
        ("x_batch_size_dim", x_batch_size_dim, f"x of shape {list(x.dims)}", len(x.dims)),
        ("out_batch_size_dim", out_batch_size_dim, f"shape {list(shape)}", len(shape)),
    ):
        if not 0 <= dim < rank:
            raise InvalidArgument(
                f"{name} is {dim}, but {of} has {rank} dims: pass one of 0 … {rank - 1}"
            )
    dims = list(shape)
    dims[out_batch_size_dim] = x.dims[x_batch_size_dim]
    out.set_dims(dims)
    out.set_dtype(dtype)
    out.set_layout(x.layout)


def SoftmaxInferMeta(x: MetaTensor, axis: int, out: MetaTensor) -> None:
    rank = len(x.dims)
    if rank == 0 and axis not in (-1, 0):
        raise InvalidArgument(
            "Attr(axis) value should be in range [-1, 0] when input is 0D Tensor "
        )
    if rank and not -rank <= axis < rank:
        raise InvalidArgument(
            "Attr(axis) value should be in range [-R, R-1], R is the rank of Input(X). "
            f"R is {rank} here, and axis {axis} is not in [{-rank}, {rank})."
        )
    out.share_meta(x)


def SumInferMeta(
    x: MetaTensor,
    axis: Sequence[int],
    dtype: DataType,
    keep_dim: bool,
    out: MetaTensor,
    config: MetaConfig = AT_RUN_TIME,
) -> None:
    SumRawInferMeta(x, axis, keep_dim, len(axis) == 0, dtype, out, config)


def SumRawInferMeta(
    x: MetaTensor,
    axis: Sequence[int],
    keep_dim: bool,
    reduce_all: bool,
    dtype: DataType,
    out: MetaTensor,
    config: MetaConfig = AT_RUN_TIME,
) -> None:
    """x without the dims of `axis`; bools and int32s add up to int64 if no `dtype` is asked for."""
    out.set_dims(_reduced(x.dims, axis, keep_dim, reduce_all))
    if dtype is not DataType.UNDEFINED:
        out.set_dtype(dtype)
    elif x.dtype in (DataType.BOOL, DataType.INT32):
        out.set_dtype(DataType.INT64)
    else:
        out.set_dtype(x.dtype)
    out.set_layout(x.layout)


def ReduceInferMetaBase(
    x: MetaTensor, axis: Sequence[int], keep_dim: bool, reduce_all: bool, out: MetaTensor
) -> None:
    """x without the dims of `axis`, or with 1 in their places; x's data type."""
    out.set_dims(_reduced(x.dims, axis, keep_dim, reduce_all))
    out.set_dtype(x.dtype)
    out.set_layout(x.layout)


def ReduceIntArrayAxisInferMeta(
    x: MetaTensor,
    axis: Sequence[int],
    keep_dim: bool,
    out: MetaTensor,
    config: MetaConfig = AT_RUN_TIME,
) -> None:
    ReduceIntArrayAxisInferMetaBase(x, axis, keep_dim, len(axis) == 0, out, config)


def ReduceIntArrayAxisInferMetaBase(
    x: MetaTensor,
    axis: Sequence[int],
    keep_dim: bool,
    reduce_all: bool,
    out: MetaTensor,
    config: MetaConfig = AT_RUN_TIME,
) -> None:
    ReduceInferMetaBase(x, axis, keep_dim, reduce_all, out)


def TraceInferMeta(x: MetaTensor, offset: int, axis1: int, axis2: int, out: MetaTensor) -> None:
    """x without `axis1` and `axis2`: 0-d for a matrix."""
    rank = len(x.dims)
    if rank < 2:
        raise OutOfRange(f"Input(x)'s dim is out of range (expected at least 2, but got {rank}).")
    for name, axis in (("axis1", axis1), ("axis2", axis2)):
        if not -rank <= axis < rank:
            raise OutOfRange(
                f"{name} is out of range (expected to be in range of "
                f"[{-rank}, {rank - 1}], but got {axis})."
            )
    if axis1 % rank == axis2 % rank:
        raise InvalidArgument(f"The dimensions should not be identical {axis1} vs {axis2}.")
    out.set_dims(n for i, n in enumerate(x.dims) if i not in (axis1 % rank, axis2 % rank))
    out.set_dtype(x.dtype)


def TransposeInferMeta(x: MetaTensor, axis: Sequence[int], out: MetaTensor) -> None:
    """Dim i of the output is dim `axis[i]` of x. Fewer axes than dims leave x's dims as they are."""
    rank = len(x.dims)
    if rank < len(axis):
        raise InvalidArgument(
            "The input tensor's dimension should be equal to or greater than the axis's size. "
            f"But received input tensor's dimension is {rank}, axis's size is {len(axis)}"
        )
    for i, a in enumerate(axis):
        _check_reduce_dim(i, a, rank)
        if a % rank in [b % rank for b in axis[:i]]:
            raise InvalidArgument(
                f"Each element of axis should be unique. but axis[{i}] is {a} appear not only once"
            )
    dims = list(x.dims)
    for i, a in enumerate(axis):
        dims[i] = x.dims[a]
    out.set_dims(dims)
    out.set_dtype(x.dtype)


def CumInferMeta(
    x: MetaTensor, axis: int, flatten: bool, exclusive: bool, reverse: bool, out: MetaTensor
) -> None:
    """x's dims, or its number of elements if it is to be flattened."""
    rank = len(x.dims)
    if flatten:
        out.set_dims((x.numel,))
    elif rank == 0 and axis not in (-1, 0):
        raise InvalidArgument(
            f"The axis must be -1 or 0 in 0D Tensor, but the value given is {axis}."
        )
    elif rank and not -rank <= axis < rank:
        raise OutOfRange(
            f"axis is out of range (expected to be in range of [{-rank}, {rank}), but got {axis})."
        )
    else:
        out.set_dims(x.dims)
        out.share_lod(x)
    out.set_dtype(x.dtype)


def CumScalarAxisInferMeta(
    x: MetaTensor, axis: Scalar, flatten: bool, exclusive: bool, reverse: bool, out: MetaTensor
) -> None:
    CumInferMeta(x, int(axis.to(DataType.INT64)), flatten, exclusive, reverse, out)


def _reduced(
    dims: tuple[int, ...], axis: Sequence[int], keep_dim: bool, reduce_all: bool
) -> tuple[int, ...]:
    rank, gone = len(dims), set[int]()
    for i, a in enumerate(axis):
        if rank == 0:
            if a not in (0, -1):
                raise InvalidArgument(
                    "When input 0D Tensor, the axis can only be -1, 0, None or []"
                )
            continue
        _check_reduce_dim(i, a, rank)
        if a % rank in gone:
            raise InvalidArgument(
                "Axis contains duplicate dimensions. "
                f"Dimension {a % rank} appears more than once in axis."
            )
        gone.add(a % rank)
    if reduce_all or not gone:
        gone = set(range(rank))
    if keep_dim:
        return tuple(1 if i in gone else n for i, n in enumerate(dims))
    return tuple(n for i, n in enumerate(dims) if i not in gone)


def _check_reduce_dim(index: int, axis: int, rank: int) -> None:
    if not -rank <= axis < rank:
        raise InvalidArgument(
            f"The reduce dim index {index} should be in the range "
            f"[ -dimension(X), dimension(X) ) which dimension = {rank}. "
            f"But received dim index = {axis}."
        )
