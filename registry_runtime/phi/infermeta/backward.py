"""Gradients: each looks like the tensor that it is the gradient of."""

from __future__ import annotations

from registry_runtime.phi.meta_tensor import MetaTensor


def GeneralUnaryGradInferMeta(x: MetaTensor, dx: MetaTensor | None) -> None:
    if dx is not None:
        dx.share_meta(x)
