"""What InferMeta lets pass and the kernels can't take: they would read beyond a tensor's end.

Paddle's own checks are few. It broadcasts biases as they come, and leaves the rest to cuBLAS.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels.fused_attention import dropout
from registry_runtime.kernels.fused_attention.signature import Sizes
from registry_runtime.phi.kernel_template import KernelError

_STATISTICS = (
    *("ln_scale", "ln_bias", "ln_scale_2", "ln_bias_2"),
    *("ln_mean", "ln_var", "ln_mean_2", "ln_var_2"),
)
_OF_BEFORE, _OF_AFTER = (
    ("ln_out", "ln_mean", "ln_var"),
    ("bias_dropout_residual_out", "ln_mean_2", "ln_var_2"),
)


def check(a: Any, sizes: Sizes, statistic: Any = None) -> None:
    """Raises KernelError; `a` is the kernel's inputs by name, and `statistic` the type of a mean."""
    _check_attributes(a)
    if not sizes.embed or not sizes.hidden:
        raise KernelError(
            f"qkv_weight has dims {list(a.qkv_weight.shape)}: with no numbers to multiply by, nobody "
            "attends to anything"
        )
    for name, dims in _dims(a, sizes).items():
        tensor = getattr(a, name, None)
        if tensor is not None and tensor.shape != dims:
            raise KernelError(
                f"{name} has dims {list(tensor.shape)}; for x of {list(a.x.shape)} and qkv_weight of "
                f"{list(a.qkv_weight.shape)} it must have {list(dims)}"
            )
    _check_mask(a, sizes)
    for name in _STATISTICS if statistic is not None else ():
        tensor = getattr(a, name, None)
        if tensor is not None and tensor.dtype != statistic:
            raise KernelError(
                f"{name} is {tensor.dtype}; for x of {a.x.dtype} it must be {statistic}"
            )


def check_saved(a: Any) -> None:
    """That the gradient has what the forward pass saved for it."""
    why = dict.fromkeys(
        _OF_BEFORE if a.pre_layer_norm else _OF_AFTER, f"pre_layer_norm={a.pre_layer_norm}"
    )
    if a.qkv_bias is not None:
        why["qkv_bias_out"] = "a qkv_bias"
    if a.src_mask is not None:
        why["src_mask_out"] = "a src_mask"
    for name, given in why.items():
        if getattr(a, name) is None:
            raise KernelError(f"{name} is missing: with {given} the gradient needs it")


def _check_attributes(a: Any) -> None:
    for name in ("attn_dropout", "dropout"):
        if not 0 <= getattr(a, f"{name}_rate") <= 1:
            raise KernelError(f"'{name}_rate' must be between 0.0 and 1.0.")
        if getattr(a, f"{name}_implementation") not in dropout.IMPLEMENTATIONS:
            raise KernelError(
                f"{name}_implementation can only be downgrade_in_infer or upscale_in_train"
            )
    if not a.pre_layer_norm and not a.add_residual:
        raise KernelError(
            "Attribute add_residual is expected to be true when pre_layer_norm is false."
        )
    if a.ring_id != -1:
        raise KernelError(
            f"ring_id {a.ring_id} is not in ProcessGroupMap, please check related configurations and "
            "retry. There is one process here: ring_id=-1"
        )


def _dims(a: Any, s: Sizes) -> dict[str, tuple[int, ...]]:
    tokens, scores = (s.batch, s.length, s.embed), (s.batch, s.heads, s.length, s.out_length)
    dims: dict[str, tuple[int, ...]] = {
        "qkv_bias": (3 * s.hidden,) if a.transpose_qkv_wb else (3, s.heads, s.head),
        "out_linear_weight": (s.hidden, s.embed),
        "out_grad": tokens,
        "transpose_out_2": (3, s.batch, s.heads, s.length, s.head),
        "softmax_out": scores,
        "fmha_out": (s.batch, s.length, s.heads, s.head),
        "ln_out" if a.pre_layer_norm else "bias_dropout_residual_out": tokens,
    }
    if a.qkv_bias is not None:
        dims["qkv_bias_out"] = (s.batch, s.length, *dims["qkv_bias"])
    if a.src_mask is not None:
        dims["src_mask_out"] = scores
    if a.attn_dropout_rate:
        dims |= dict.fromkeys(("attn_dropout_mask_out", "attn_dropout_out"), scores)
    if a.dropout_rate:
        dims["dropout_mask_out"] = tokens
    by_column = ("out_linear_bias", "ln_scale", "ln_bias", "ln_scale_2", "ln_bias_2")
    by_token = ("ln_mean", "ln_var") if a.pre_layer_norm else ("ln_mean_2", "ln_var_2")
    dims |= dict.fromkeys(by_column, (s.embed,))
    return dims | dict.fromkeys(by_token, (s.batch * s.length,))


def _check_mask(a: Any, s: Sizes) -> None:
    scores = (s.batch, s.heads, s.length, s.out_length)
    if a.src_mask is None or hasattr(a, "out_grad"):  # the gradient doesn't read it
        return
    try:
        fits = np.broadcast_shapes(a.src_mask.shape, scores) == scores
    except ValueError:
        fits = False
    if not fits:
        raise KernelError(
            f"src_mask has dims {list(a.src_mask.shape)}, which don't broadcast to the scores' "
            f"{list(scores)}: batch, num_heads, seq_len, seq_len and the cache's"
        )
