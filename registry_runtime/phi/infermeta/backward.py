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


def CudnnLSTMGradInferMeta(
    x: MetaTensor,
    init_h: MetaTensor,
    init_c: MetaTensor,
    weight_list: list[MetaTensor] | None,
    x_grad: MetaTensor | None,
    init_h_grad: MetaTensor | None,
    init_c_grad: MetaTensor | None,
    weight_list_grad: list[MetaTensor],
) -> None:
    GeneralTernaryGradInferMeta(x, init_h, init_c, x_grad, init_h_grad, init_c_grad)
    for weight, grad in zip(weight_list or (), weight_list_grad, strict=True):
        grad.share_meta(weight)
