"""Gradients: each looks like the tensor that it is the gradient of."""

from __future__ import annotations

from registry_runtime.phi.meta_tensor import MetaTensor


def GeneralUnaryGradInferMeta(x: MetaTensor, dx: MetaTensor | None) -> None:
    if dx is not None:
        dx.share_meta(x)


def GeneralTernaryGradInferMeta(
    x: MetaTensor,
    y: MetaTensor,
    z: MetaTensor,
    dx: MetaTensor | None,
    dy: MetaTensor | None,
    dz: MetaTensor | None,
) -> None:
    for tensor, grad in ((x, dx), (y, dy), (z, dz)):
        if grad is not None:
            grad.share_meta(tensor)
