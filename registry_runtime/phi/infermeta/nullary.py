"""Outputs that depend on no tensor."""

from __future__ import annotations

from collections.abc import Sequence

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.meta_tensor import AT_RUN_TIME, MetaConfig, MetaTensor


def CreateInferMeta(
    shape: Sequence[int], dtype: DataType, out: MetaTensor, config: MetaConfig = AT_RUN_TIME
) -> None:
    """`shape` and `dtype`; before run time a dim may be -1."""
    for i, dim in enumerate(shape):
        if dim < 0 and config.is_runtime:
            raise InvalidArgument(
                "Each value of attribute 'shape' is expected to be no less than 0. "
                f"But received: shape[{i}] = {dim}; shape = {list(shape)}."
            )
    out.set_dims(shape)
    out.set_dtype(dtype)
    out.set_layout(DataLayout.NCHW)
