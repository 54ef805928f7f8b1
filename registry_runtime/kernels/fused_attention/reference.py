"""What is right: the operator's steps by NumPy, in double precision, and the gradient's back again.

`steps` takes *nudges*, arrays that are added to what a step makes, by its name. The slope of the output
in a nudge is the gradient of that step's result, whatever lies before it: so finite differences reach
the tensors in between as well, and confirm all that the gradient puts out.

Two things that Paddle 3.3.1 leaves out are here: the gradient of `src_mask_out` where shares aren't
dropped, and the mask in that of `out_linear_bias`, which Paddle sums up ahead of dropout.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from registry_runtime.kernels.fused_attention import dropout
from registry_runtime.kernels.fused_attention.checks import check, check_saved
from registry_runtime.kernels.fused_attention.signature import (
    ATTRIBUTES,
    GRAD_INPUTS,
    GRAD_OUTPUTS,
    INPUTS,
    OUTPUTS,
    Sizes,
    named,
    sizes_of,
)
from registry_runtime.kernels.softmax import shares

Arrays = dict[str, Any]
_NOTHING = np.empty(0)


def widened(names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    """The inputs by name, tensors as float64 arrays."""
    first = names.index(ATTRIBUTES[0])
    tensors = (None if t is None else np.asarray(t, np.float64) for t in values[:first])
    return named(names, (*tensors, *values[first:]))


def normalised(x: Any, scale: Any, bias: Any, epsilon: float) -> tuple[Any, Any, Any]:
    """Layer norm along the last axis, with each row's mean and variance."""
    mean = x.sum(-1, keepdims=True) / x.shape[-1]
    variance = np.square(x - mean).sum(-1, keepdims=True) / x.shape[-1]
    out = (x - mean) / np.sqrt(variance + epsilon)
    out = out if scale is None else out * scale
    return out if bias is None else out + bias, mean.reshape(-1), variance.reshape(-1)


def projection(a: Any, sizes: Sizes) -> Any:
    """The weight of q, k and v as (dim_embed, 3 * num_heads * dim_head)."""
    if a.transpose_qkv_wb:
        return a.qkv_weight
    return a.qkv_weight.reshape(3 * sizes.hidden, sizes.embed).T


def steps(a: Any, nudges: Mapping[str, Any]) -> Arrays:
    """Whatever is made, by name. Raises KernelError."""
    s = sizes_of(a)
    check(a, s)
    made: Arrays = {}

    def keep(name: str, value: Any) -> Any:
        made[name] = value + nudges[name] if name in nudges else value
        return made[name]

    x = a.x
    if a.pre_layer_norm:
        x, made["ln_mean"], made["ln_var"] = normalised(x, a.ln_scale, a.ln_bias, a.epsilon)
        x = keep("ln_out", x)
    each = (3 * s.hidden,) if a.transpose_qkv_wb else (3, s.heads, s.head)
    qkv = keep("qkv_out", (x @ projection(a, s)).reshape(s.batch, s.length, *each))
    if a.qkv_bias is not None:
        qkv = keep("qkv_bias_out", qkv + a.qkv_bias)
    qkv = qkv.reshape(s.batch, s.length, 3, s.heads, s.head).transpose(2, 0, 3, 1, 4)
    q, k, v = keep("transpose_out_2", qkv)
    q = q * s.scale
    made["transpose_out_2"] = np.stack([q, k, v])
    if a.cache_kv is not None:
        k, v = keep("cache_kv_out", np.concatenate([a.cache_kv, [k, v]], axis=3))
    scores = keep("qk_out", q @ k.swapaxes(-1, -2))
    if a.src_mask is not None:
        scores = keep("src_mask_out", scores + a.src_mask)
    weights = keep("softmax_out", shares(np, scores, -1))
    if a.attn_dropout_rate:
        kept = made["attn_dropout_mask_out"] = _mask(dropout.of_shares(a), weights.shape)
        passed = weights * dropout.of_shares(a).factor
        weights = keep("attn_dropout_out", passed * kept if kept.size else passed)
    values = keep("qktv_out", weights @ v)
    values = keep("fmha_out", values.transpose(0, 2, 1, 3))
    out = values.reshape(s.batch, s.length, s.hidden) @ a.out_linear_weight
    out = keep("out_linear_out", out)
    out = out if a.out_linear_bias is None else out + a.out_linear_bias
    if a.dropout_rate:
        kept = made["dropout_mask_out"] = _mask(dropout.of_output(a), out.shape)
        out = out * dropout.of_output(a).factor
        out = out * kept if kept.size else out
    out = out + a.x if a.add_residual else out
    if not a.pre_layer_norm:
        out = keep("bias_dropout_residual_out", out)
        out, mean, variance = normalised(out, a.ln_scale_2, a.ln_bias_2, a.ln_epsilon)
        made["ln_mean_2"], made["ln_var_2"] = mean, variance
    made["out"] = out
    return made


def _mask(of: dropout.Dropout, shape: tuple[int, ...]) -> Any:
    return of.mask(shape) if of.draws else _NOTHING


def reference(*args: Any) -> Any:
    made = steps(widened(INPUTS, args), {})
    return tuple(made.get(name, _NOTHING) for name in OUTPUTS)


def normalised_grad(
    x: Any, scale: Any, mean: Any, variance: Any, epsilon: float, grad: Any
) -> tuple[Any, Any, Any]:
    """Layer norm's gradients: of x, of the scale and of the bias."""
    mean, variance = (t.reshape(*x.shape[:-1], 1) for t in (mean, variance))
    normal = 1 / np.sqrt(variance + epsilon)
    moved = (x - mean) * normal
    of_moved = grad if scale is None else grad * scale
    spread = of_moved.sum(-1, keepdims=True) + moved * (of_moved * moved).sum(-1, keepdims=True)
    tokens = (0, 1)
    return normal * (of_moved - spread / x.shape[-1]), (grad * moved).sum(tokens), grad.sum(tokens)


def grad_steps(a: Any) -> Arrays:
    """The gradients, each by the name of what it is the gradient of. Raises KernelError."""
    s = sizes_of(a)
    check(a, s)
    check_saved(a)
    made: Arrays = {}
    grad, tokens = a.out_grad, (0, 1)
    if not a.pre_layer_norm:
        after = (a.bias_dropout_residual_out, a.ln_scale_2, a.ln_mean_2, a.ln_var_2, a.ln_epsilon)
        grad, made["ln_scale_2"], made["ln_bias_2"] = normalised_grad(*after, grad)
        made["bias_dropout_residual_out"] = grad
    residual = grad if a.add_residual else 0
    if a.dropout_rate:
        grad = grad * a.dropout_mask_out * dropout.of_output(a).factor
    made["out_linear_bias"], made["out_linear_out"] = grad.sum(tokens), grad
    rows = a.fmha_out.reshape(s.batch * s.length, s.hidden)
    made["out_linear_weight"] = rows.T @ grad.reshape(s.batch * s.length, s.embed)
    grad = made["fmha_out"] = (grad @ a.out_linear_weight.T).reshape(a.fmha_out.shape)
    grad = made["qktv_out"] = grad.transpose(0, 2, 1, 3)
    q, k, v = a.transpose_out_2
    weights = a.attn_dropout_out if a.attn_dropout_rate else a.softmax_out
    of_v = weights.swapaxes(-1, -2) @ grad
    grad = grad @ v.swapaxes(-1, -2)
    if a.attn_dropout_rate:
        made["attn_dropout_out"] = grad
        grad = grad * a.attn_dropout_mask_out * dropout.of_shares(a).factor
    made["softmax_out"] = grad
    grad = a.softmax_out * (grad - (grad * a.softmax_out).sum(-1, keepdims=True))
    made["src_mask_out"] = made["qk_out"] = grad
    of_qkv = made["transpose_out_2"] = np.stack(
        [grad @ k * s.scale, grad.swapaxes(-1, -2) @ q, of_v]
    )
    each = (3 * s.hidden,) if a.transpose_qkv_wb else (3, s.heads, s.head)
    grad = of_qkv.transpose(1, 3, 0, 2, 4).reshape(s.batch, s.length, *each)
    made["qkv_out" if a.qkv_bias is None else "qkv_bias_out"] = grad
    made["qkv_bias"] = grad.sum(tokens)
    grad = grad.reshape(s.batch, s.length, 3 * s.hidden)
    given = a.ln_out if a.pre_layer_norm else a.x
    weight = np.einsum("bse,bsh->eh", given, grad)
    made["qkv_weight"] = (weight if a.transpose_qkv_wb else weight.T).reshape(a.qkv_weight.shape)
    grad = grad @ projection(a, s).T
    if a.pre_layer_norm:
        made["ln_out"] = grad
        before = (a.x, a.ln_scale, a.ln_mean, a.ln_var, a.epsilon)
        grad, made["ln_scale"], made["ln_bias"] = normalised_grad(*before, grad)
    made["x"] = grad + residual
    return made


def is_made(a: Any, name: str) -> bool:
    """Whether there may be a gradient of this name: of what is absent, there is none."""
    needs = {
        "qkv_bias_grad": a.qkv_bias,
        "qkv_bias_out_grad": a.qkv_bias,
        "src_mask_out_grad": a.src_mask,
        "out_linear_bias_grad": a.out_linear_bias,
        "ln_scale_grad": a.ln_scale,
        "ln_bias_grad": None if a.ln_scale is None else a.ln_bias,
        "ln_scale_2_grad": a.ln_scale_2,
        "ln_bias_2_grad": a.ln_bias_2,
        "qkv_out_grad": a if a.qkv_bias is None else None,  # the one behind the bias is the same
        "attn_dropout_out_grad": a if a.attn_dropout_rate else None,
    }
    return needs.get(name, a) is not None


def grad_reference(*args: Any) -> Any:
    a = widened(GRAD_INPUTS, args)
    made = {f"{name}_grad": grad for name, grad in grad_steps(a).items()}
    return tuple(
        made.get(name, _NOTHING) if is_made(a, name) else _NOTHING for name in GRAD_OUTPUTS
    )
