"""Outputs that depend on two tensors."""

from __future__ import annotations

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import InvalidArgument, OutOfRange, PreconditionNotMet
from registry_runtime.phi.meta_tensor import AT_RUN_TIME, MetaConfig, MetaTensor
from registry_runtime.phi.scalar import Scalar


def ElementwiseInferMeta(x: MetaTensor, y: MetaTensor, out: MetaTensor) -> None:
    ElementwiseRawInferMeta(x, y, -1, out)


def ElementwiseRawInferMeta(
    x: MetaTensor, y: MetaTensor, axis: int, out: MetaTensor, config: MetaConfig = AT_RUN_TIME
) -> None:
    """x and y broadcast; x's data type. y's dims start at `axis` of x, -1 for the last that fit."""
    out.set_dims(_broadcast(x.dims, y.dims, axis))
    out.set_dtype(x.dtype)
    out.set_layout(x.layout)
    out.share_lod(x)


def CompareInferMeta(x: MetaTensor, y: MetaTensor, out: MetaTensor) -> None:
    CompareRawInferMeta(x, y, -1, out)


def CompareRawInferMeta(x: MetaTensor, y: MetaTensor, axis: int, out: MetaTensor) -> None:
    """x and y broadcast; bool."""
    out.set_dims(_broadcast(x.dims, y.dims, axis))
    out.set_dtype(DataType.BOOL)
    out.share_lod(x)


def DotInferMeta(x: MetaTensor, y: MetaTensor, out: MetaTensor) -> None:
    """Two vectors to one number; two matrices to one number for each pair of rows."""
    if len(x.dims) not in (1, 2):
        raise PreconditionNotMet(
            f"ShapeError: The dimensions of input tensor X ({list(x.dims)}) should be 1 or 2"
        )
    if len(x.dims) != len(y.dims):
        raise PreconditionNotMet(
            f"ShapeError: The shape of input tensor Y: {list(y.dims)} should match with "
            f"input tensor X: {list(x.dims)}"
        )
    if x.dims != y.dims:
        raise PreconditionNotMet(
            f"ShapeError: The shape of input tensor X: {list(x.dims)} should be exactly the same "
            f"with input tensor Y: {list(y.dims)}"
        )
    out.set_dims(x.dims[:-1])
    out.set_dtype(x.dtype)
    out.set_layout(x.layout)


def MatmulInferMeta(
    x: MetaTensor,
    y: MetaTensor,
    trans_x: bool,
    trans_y: bool,
    out: MetaTensor,
    config: MetaConfig = AT_RUN_TIME,
) -> None:
    """Matrices in the last two dims, the others broadcast. A vector's one dim is summed over."""
    for name, dims in (("X", x.dims), ("Y", y.dims)):
        if not dims:
            # Paddle reads beyond the dims here; what it then says depends on what lies there.
            raise InvalidArgument(f"Input({name}) of matmul must have at least one dim, not 0")
    rows, x_sum = (-1, -2) if trans_x else (-2, -1)
    y_sum, columns = (-1, -2) if trans_y else (-2, -1)
    if len(x.dims) == 1:
        x_sum = -1
    if len(y.dims) == 1:
        y_sum = -1
    if x.dims[x_sum] != y.dims[y_sum]:
        i, j = x_sum % len(x.dims), y_sum % len(y.dims)
        raise InvalidArgument(
            f"In operator matmul, the [{i}] dimension of Input(X) must be equal to the [{j}] "
            f"dimension of Input(Y). But receiving the [{i}]dimension of Input(X) is "
            f"[{x.dims[i]}], and the [{j}] dimension of Input(Y) is [{y.dims[j]}]."
        )
    batch = _matmul_batch(x.dims[:-2], y.dims[:-2])
    out.set_dims(
        (
            *batch,
            *((x.dims[rows],) if len(x.dims) > 1 else ()),
            *((y.dims[columns],) if len(y.dims) > 1 else ()),
        )
    )
    out.set_dtype(x.dtype)
    out.set_layout(x.layout)


def EmbeddingInferMeta(
    x: MetaTensor, weight: MetaTensor, padding_idx: int, out: MetaTensor
) -> None:
    """x's dims, and one more for a row of the table `weight`; the table's data type."""
    if len(weight.dims) != 2:
        raise InvalidArgument(
            "ShapeError: The dimensions of the 'lookup table' must be 2. But received lookup "
            f"table's dimensions = {len(weight.dims)}, lookup table's shape = "
            f"{list(weight.dims)}."
        )
    out.set_dims((*x.dims, weight.dims[1]))
    out.set_dtype(weight.dtype)
    out.share_lod(x)


def GatherInferMeta(x: MetaTensor, index: MetaTensor, axis: Scalar, out: MetaTensor) -> None:
    """x with its dim `axis` as long as `index`, or without it where `index` is 0-d."""
    rank, dims = len(x.dims), index.dims
    if len(dims) == 2 and dims[1] != 1:
        raise InvalidArgument(
            f"The last dim of index should be 0 or 1 when it is 2D, but we get {dims[1]}"
        )
    if len(dims) > 2:
        raise InvalidArgument(
            f"The index should be 0D or 1D, when it is not 2D, but we get {len(dims)}"
        )
    a = int(axis.to(DataType.INT64))
    if not -rank <= a < rank:
        raise OutOfRange(
            "Attr(axis) is out of range, It's expected to be in range of "
            f"[{-rank}, {rank - 1}]. But received Attr(axis) = {a if a >= 0 else a + rank}."
        )
    a %= rank
    out.set_dims((*x.dims[:a], *dims[:1], *x.dims[a + 1 :]))
    out.set_dtype(x.dtype)
    out.share_lod(x)


def SequenceMaskInferMeta(
    x: MetaTensor,
    max_len_tensor: MetaTensor | None,
    maxlen: int,
    out_dtype: DataType,
    y: MetaTensor,
) -> None:
    """x's dims and one more, `maxlen`; -1 where a tensor says it, or x's elements."""
    y.set_dims((*x.dims, maxlen if maxlen > 0 and max_len_tensor is None else -1))
    y.set_dtype(out_dtype)


def StftInferMeta(
    x: MetaTensor,
    window: MetaTensor,
    n_fft: int,
    hop_length: int,
    normalized: bool,
    onesided: bool,
    out: MetaTensor,
) -> None:
    """(batch, frequencies, frames), complex, of parts of x's type."""
    rank = len(x.dims)
    if rank != 2:
        raise InvalidArgument(
            f"Input(X) of StftOp should be a tensor with shape [N, T], but got rank {rank}."
        )
    if hop_length <= 0:
        raise InvalidArgument(
            f"Attribute(hop_length) should be greater than 0, but got {hop_length}."
        )
    if window.dims[:1] != (n_fft,):
        size = window.dims[0] if window.dims else 1
        raise InvalidArgument(
            f"Input(Window) of StftOp should be equal with n_fft {n_fft}, but got {size}."
        )
    length = x.dims[1]
    if n_fft > length:
        raise InvalidArgument(
            "Attribute(frame_length) should be less equal than sequence length, but got "
            f"({n_fft}) > ({length})."
        )
    out.set_dims(
        (x.dims[0], n_fft // 2 + 1 if onesided else n_fft, 1 + (length - n_fft) // hop_length)
    )
    out.set_dtype(DataType.COMPLEX128 if x.dtype is DataType.FLOAT64 else DataType.COMPLEX64)


def Pow2DecayWithLinearWarmupInferMeta(
    lr: MetaTensor, step: MetaTensor, lr_out: MetaTensor, step_out: MetaTensor
) -> None:
    """One number each; their data types are left open.

    Fluid's InferShape of the operator, as a function. PHI got the kernel and never an InferMeta.
    """
    for name, tensor in (("lr", lr), ("step", step)):
        if tensor.numel == 0:
            raise InvalidArgument(f"{name} has dims {list(tensor.dims)}: pass one number, dims [1]")
    lr_out.set_dims((1,))
    step_out.set_dims((1,))


def _broadcast(x: tuple[int, ...], y: tuple[int, ...], axis: int = -1) -> tuple[int, ...]:
    rank, gap = max(len(x), len(y)), abs(len(x) - len(y))
    if x == y:
        return x
    if not -1 <= axis < max(rank, 1):
        raise InvalidArgument(
            f"Axis should be less than or equal to {rank - 1}, but received axis is {axis}."
        )
    if axis < 0:
        axis = gap
    shorter, longer = sorted((x, y), key=len)
    if axis + len(shorter) > rank:
        raise InvalidArgument(
            f"Axis should be less than or equal to {gap}, but received axis is {axis}."
        )
    shorter = (1,) * axis + shorter + (1,) * (rank - axis - len(shorter))
    a, b = (longer, shorter) if len(x) >= len(y) else (shorter, longer)
    for i, (m, n) in enumerate(zip(a, b, strict=True)):
        if m != n and 1 not in (m, n) and -1 not in (m, n):
            raise InvalidArgument(
                "Broadcast dimension mismatch. Operands could not be broadcast together with the "
                f"shape of X = {list(x)} and the shape of Y = {list(y)}. "
                f"Received [{m}] in X is not equal to [{n}] in Y at i:{i}."
            )
    return tuple(
        -1 if -1 in (m, n) and max(m, n) <= 1 else n if m == 1 else m if n == 1 else max(m, n)
        for m, n in zip(a, b, strict=True)
    )


def _matmul_batch(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[int, ...]:
    rank = max(len(x), len(y))
    x, y = (1,) * (rank - len(x)) + x, (1,) * (rank - len(y)) + y
    for i, (m, n) in enumerate(zip(x, y, strict=True)):
        if m != n and m > 1 and n > 1:
            raise InvalidArgument(
                "Input(X) and Input(Y) has error dim. "
                f"X_broadcast's shape[{i}] must be equal to Y_broadcast's shape[{i}], "
                f"or X_broadcast's shape[{i}] <= 1, or Y_broadcast's shape[{i}] <= 1, "
                f"but received X_broadcast's shape[{i}] = [{m}]"
                f"received Y_broadcast's shape[{i}] = [{n}]."
            )
    return tuple(n if m == 1 else m for m, n in zip(x, y, strict=True))
