"""Outputs that depend on more than three tensors, or on a list of them."""

from __future__ import annotations

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
