"""Outputs that depend on more than three tensors, or on a list of them."""

from __future__ import annotations

from registry_runtime.phi.data_type import DataType, trans_to_phi_data_type
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.meta_tensor import AT_RUN_TIME, MetaConfig, MetaTensor


def BatchNormInferMeta(
    x: MetaTensor,
    mean: MetaTensor,
    variance: MetaTensor,
    scale: MetaTensor | None,
    bias: MetaTensor | None,
    is_test: bool,
    momentum: float,
    epsilon: float,
    data_layout: str,
    use_global_stats: bool,
    trainable_statistics: bool,
    y: MetaTensor,
    mean_out: MetaTensor | None,
    variance_out: MetaTensor | None,
    saved_mean: MetaTensor | None,
    saved_variance: MetaTensor | None,
    reserve_space: MetaTensor | None,
    config: MetaConfig = AT_RUN_TIME,
) -> None:
    """x's dims; each statistic has one number for each channel. Its data type is left open."""
    dims, rank = list(x.dims), len(x.dims)
    if rank < 2:
        raise InvalidArgument(
            "ShapeError: the dimension of input X must greater than or equal to 2. But received: "
            f"the shape of input X = {dims}, the dimension of input X =[{rank}]"
        )
    if rank > 5:
        raise InvalidArgument(
            "ShapeError: the dimension of input X must smaller than or equal to 5. But received: "
            f"the shape of input X = {dims}, the dimension of input X = [{rank}]"
        )
    channels = dims[1] if data_layout in ("NCHW", "AnyLayout") else dims[-1]
    for name, tensor in (("scale", scale), ("bias", bias)):
        if tensor is not None and len(tensor.dims) != 1:
            gap = " " if name == "scale" else ""
            raise InvalidArgument(
                f"ShapeError: the dimension of {name} must equal to 1.But received: the shape of "
                f"{name} is {list(tensor.dims)},{gap}the dimension of {name} is "
                f"[{len(tensor.dims)}]"
            )
    for name, tensor in (("scale", scale), ("bias", bias)):
        if tensor is not None and config.is_runtime and tensor.dims[0] != channels:
            raise InvalidArgument(
                f"ShapeError: the shape of {name} must equal to [{channels}]But received: "
                f"the shape of {name} is [{tensor.dims[0]}]"
            )
    y.set_dims(dims)
    y.share_lod(x)
    y.set_dtype(x.dtype)
    y.set_layout(x.layout)
    for statistic in (mean_out, variance_out, saved_mean, saved_variance):
        if statistic is not None:
            statistic.set_dims((channels,))
    if reserve_space is not None:
        reserve_space.set_dims((-1,))


def BatchNormInferInferMeta(
    x: MetaTensor,
    mean: MetaTensor,
    variance: MetaTensor,
    scale: MetaTensor,
    bias: MetaTensor,
    momentum: float,
    epsilon: float,
    data_layout: str,
    y: MetaTensor,
    mean_out: MetaTensor | None,
    variance_out: MetaTensor | None,
    config: MetaConfig = AT_RUN_TIME,
) -> None:
    test, use_global, trainable = True, False, False
    BatchNormInferMeta(
        x,
        mean,
        variance,
        scale,
        bias,
        test,
        momentum,
        epsilon,
        data_layout,
        use_global,
        trainable,
        y,
        mean_out,
        variance_out,
        saved_mean=None,
        saved_variance=None,
        reserve_space=None,
        config=config,
    )


def CudnnLSTMInferMeta(
    x: MetaTensor,
    init_h: MetaTensor,
    init_c: MetaTensor,
    w: MetaTensor | None,
    weight_list: list[MetaTensor] | None,
    sequence_length: MetaTensor | None,
    dropout_prob: float,
    is_bidirec: bool,
    hidden_size: int,
    num_layers: int,
    is_test: bool,
    seed: int,
    out: MetaTensor,
    last_h: MetaTensor,
    last_c: MetaTensor,
    reserve: MetaTensor,
    state_out: MetaTensor,
) -> None:
    """(steps, batch, units) of x's type, the states like the first ones; two buffers of bytes, of
    which only cuDNN knows how long they are."""
    for name, tensor in (("Input", x), ("InitH", init_h)):
        if len(tensor.dims) != 3:
            raise InvalidArgument(
                f"The rank of {name} in CudnnLSTM  must be 3. But received {name}'s rank is "
                f"{len(tensor.dims)}."
            )
    batch = x.dims[1]
    if sequence_length is not None and sequence_length.dims[:1] != (batch,):
        size = sequence_length.dims[0] if sequence_length.dims else 1
        raise InvalidArgument(
            "The size of SequenceLength has to equal the batch_size. But received batch_size is "
            f"{batch} and the size of SequenceLength is {size}."
        )
    if init_h.dims[1] != batch:
        raise InvalidArgument(
            "The in_dims[1] (Input dims) and init_h_dims[1] (InitH dims) should be equal. But "
            f"received in_dims[1] is {batch} and init_h_dims[1] is {init_h.dims[1]}."
        )
    if init_c.dims != init_h.dims:
        raise InvalidArgument(
            "The InitC dims and InitH dims should be equal. But received init_c_dims is "
            f"{list(init_c.dims)} and init_h_dims is {list(init_h.dims)}."
        )
    out.set_dims((*x.dims[:2], 2 * hidden_size if is_bidirec else hidden_size))
    for tensor in (last_h, last_c):
        tensor.set_dims(init_h.dims)
    for tensor in (out, last_h, last_c):
        tensor.set_dtype(x.dtype)
    for buffer in (reserve, state_out):
        buffer.set_dtype(DataType.UINT8)


def FusedBatchNormActInferMeta(
    x: MetaTensor,
    scale: MetaTensor,
    bias: MetaTensor,
    mean: MetaTensor,
    variance: MetaTensor,
    y: MetaTensor,
    mean_out: MetaTensor,
    variance_out: MetaTensor,
    saved_mean: MetaTensor,
    saved_variance: MetaTensor,
    reserve_space: MetaTensor,
) -> None:
    """What batch norm makes of x where its channels come last."""
    test, use_global, trainable = False, False, False
    BatchNormInferMeta(
        x,
        mean,
        variance,
        scale,
        bias,
        test,
        0.0,
        0.0,
        "NHWC",
        use_global,
        trainable,
        y,
        mean_out,
        variance_out,
        saved_mean,
        saved_variance,
        reserve_space,
    )


def FusionGroupInferMeta(
    ins: list[MetaTensor],
    outs_dtype: list[int],
    inputs_dtype: list[int],
    func_name: str,
    type: int,
    outs: list[MetaTensor],
) -> None:
    """All inputs have the same dims, and so has every output; `outs_dtype` says what it holds.

    The LoD is the first input's. Any other type than the three of floating point stays open.
    """
    for what, tensors in (("inputs", ins), ("outputs", outs)):
        if not tensors:
            raise InvalidArgument(f"Expected the number of {what} >= 1. Received 0.")
    if type != 0:
        raise InvalidArgument("Only support fusion of elementwise operations.")
    first = ins[0]
    for i, tensor in enumerate(ins):
        if tensor.dims != first.dims:
            raise InvalidArgument(
                "All the inputs' dims is expected to be the same. But received "
                f"{list(first.dims)} (name: ins[0]) vs {list(tensor.dims)} (name: ins[{i}])."
            )
    for out, number in zip(outs, outs_dtype, strict=True):
        out.set_dims(first.dims)
        out.share_lod(first)
        dtype = trans_to_phi_data_type(number)
        if dtype in (DataType.FLOAT16, DataType.FLOAT32, DataType.FLOAT64):
            out.set_dtype(dtype)


def WhereInferMeta(condition: MetaTensor, x: MetaTensor, y: MetaTensor, out: MetaTensor) -> None:
    """All three have the same dims: `where` doesn't broadcast, what calls it does."""
    pairs = (("Condition", condition, "X", x), ("X", x, "Y", y))
    for a, first, b, second in pairs:
        if len(first.dims) != len(second.dims):
            raise InvalidArgument(
                f"The dims of Inputs({a}) and Inputs({b}) should be same. But received "
                f"{a}'s rank is [{len(first.dims)}], {b}'s rank is [{len(second.dims)}]"
            )
    for i in range(len(x.dims)):
        for a, first, b, second in pairs:
            if first.dims[i] != second.dims[i]:
                raise InvalidArgument(
                    f"The [{i}] th of Inputs({a}) and Inputs({b}) should be same. But received "
                    f"{a}'s shape is [{first.dims[i]}], {b}'s shape is [{second.dims[i]}]"
                )
    out.share_meta(x)
