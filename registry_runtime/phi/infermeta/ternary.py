"""Outputs that depend on three tensors."""

from __future__ import annotations

import math

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.meta_tensor import AT_RUN_TIME, MetaConfig, MetaTensor

_HALF = (DataType.FLOAT16, DataType.BFLOAT16)


def LayerNormInferMeta(
    x: MetaTensor,
    scale: MetaTensor | None,
    bias: MetaTensor | None,
    epsilon: float,
    begin_norm_axis: int,
    out: MetaTensor,
    mean: MetaTensor | None,
    variance: MetaTensor | None,
    config: MetaConfig = AT_RUN_TIME,
) -> None:
    """x's dims; the statistics have one number for each row of x flattened at `begin_norm_axis`.

    Half precision keeps its statistics in float32.
    """
    if begin_norm_axis <= 0:
        raise InvalidArgument(
            "'begin_norm_axis' in Op(LayerNorm) should be greater than zero. "
            f"But received [{begin_norm_axis}]."
        )
    if begin_norm_axis >= len(x.dims):
        raise InvalidArgument(
            "'begin_norm_axis' must be less than the dimensions of X,"
            f"But received 'begin_norm_axis' is [{begin_norm_axis}],"
            f"received the dimensions of X is [{len(x.dims)}]."
        )
    left, right = math.prod(x.dims[:begin_norm_axis]), math.prod(x.dims[begin_norm_axis:])
    for name, tensor in (("Scale", scale), ("Bias", bias)):
        if tensor is None:
            continue
        if len(tensor.dims) != 1:
            raise InvalidArgument(
                f"The dimensions of Input({name}) must be 1, but received dimensions of "
                f"Input({name}) is [{len(tensor.dims)}]"
            )
        if config.is_runtime and tensor.dims[0] != right:
            raise InvalidArgument(
                f"The first dimension value of Input({name}) must equal to be the second "
                "dimension value of the flattened 2D matrix of Input(X), But received the first "
                f"dimension value of Input({name}) is [{tensor.dims[0]}], the second dimension "
                f"value of the flattened 2D matrix of  Input(Scale) is [{right}]."
            )
    if not 0.0 <= epsilon <= 0.001:
        raise InvalidArgument(
            "'epsilon' in Op(LayerNorm) should be between0.0 and 0.001, "
            f"But received [{epsilon:g}]."
        )
    out.set_dims(x.dims)
    out.set_dtype(x.dtype)
    out.share_lod(x)
    for statistic in (mean, variance):
        if statistic is not None:
            statistic.set_dims((left,))
            statistic.set_dtype(DataType.FLOAT32 if x.dtype in _HALF else x.dtype)
