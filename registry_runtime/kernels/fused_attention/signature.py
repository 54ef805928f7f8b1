"""What goes into the two kernels and comes out of them: 27 parameters and 20, 45 and 21.

That is too many to hand on one by one. `named` gives all of them by their C++ names, and `sizes_of` the
numbers that decide every shape. Most outputs of the one are inputs of the other. An output that isn't
made, for the attributes or what is absent leave it out, is empty.

Source: `paddle/phi/kernels/fused_attention_kernel.h`, `fused_attention_grad_kernel.h`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

from registry_runtime.kernels.template import Context, OptionalTensor, Out
from registry_runtime.phi.dense_tensor import DenseTensor


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    ln_scale: OptionalTensor,
    ln_bias: OptionalTensor,
    qkv_weight: DenseTensor,
    qkv_bias: OptionalTensor,
    cache_kv: OptionalTensor,
    src_mask: OptionalTensor,
    out_linear_weight: DenseTensor,
    out_linear_bias: OptionalTensor,
    ln_scale_2: OptionalTensor,
    ln_bias_2: OptionalTensor,
    num_heads: int,
    transpose_qkv_wb: bool,
    pre_layer_norm: bool,
    epsilon: float,
    attn_dropout_rate: float,
    is_test: bool,
    attn_dropout_fix_seed: bool,
    attn_dropout_seed: int,
    attn_dropout_implementation: str,
    dropout_rate: float,
    dropout_fix_seed: bool,
    dropout_seed: int,
    dropout_implementation: str,
    ln_epsilon: float,
    add_residual: bool,
    ring_id: int,
    ln_mean: Out,
    ln_var: Out,
    ln_out: Out,
    qkv_out: Out,
    qkv_bias_out: Out,
    transpose_out_2: Out,
    qk_out: Out,
    qktv_out: Out,
    softmax_out: Out,
    attn_dropout_mask_out: Out,
    attn_dropout_out: Out,
    src_mask_out: Out,
    fmha_out: Out,
    out_linear_out: Out,
    dropout_mask_out: Out,
    ln_mean_2: Out,
    ln_var_2: Out,
    bias_dropout_residual_out: Out,
    cache_kv_out: Out,
    out: Out,
) -> None: ...


def grad_signature(
    dev_ctx: Context,
    out_grad: DenseTensor,
    x: DenseTensor,
    qkv_weight: DenseTensor,
    qkv_bias: OptionalTensor,
    qkv_bias_out: OptionalTensor,
    src_mask: OptionalTensor,
    src_mask_out: OptionalTensor,
    out_linear_weight: DenseTensor,
    out_linear_bias: OptionalTensor,
    ln_scale: OptionalTensor,
    ln_bias: OptionalTensor,
    ln_scale_2: OptionalTensor,
    ln_bias_2: OptionalTensor,
    ln_out: OptionalTensor,
    ln_mean: OptionalTensor,
    ln_var: OptionalTensor,
    ln_mean_2: OptionalTensor,
    ln_var_2: OptionalTensor,
    bias_dropout_residual_out: OptionalTensor,
    qkv_out: DenseTensor,
    transpose_out_2: DenseTensor,
    qk_out: DenseTensor,
    qktv_out: DenseTensor,
    softmax_out: DenseTensor,
    attn_dropout_mask_out: DenseTensor,
    attn_dropout_out: DenseTensor,
    fmha_out: DenseTensor,
    out_linear_out: DenseTensor,
    dropout_mask_out: DenseTensor,
    num_heads: int,
    transpose_qkv_wb: bool,
    pre_layer_norm: bool,
    epsilon: float,
    attn_dropout_rate: float,
    is_test: bool,
    attn_dropout_fix_seed: bool,
    attn_dropout_seed: int,
    attn_dropout_implementation: str,
    dropout_rate: float,
    dropout_fix_seed: bool,
    dropout_seed: int,
    dropout_implementation: str,
    ln_epsilon: float,
    add_residual: bool,
    ring_id: int,
    qkv_bias_grad: Out,
    qkv_bias_out_grad: Out,
    src_mask_out_grad: Out,
    out_linear_bias_grad: Out,
    ln_scale_grad: Out,
    ln_bias_grad: Out,
    ln_scale_2_grad: Out,
    ln_bias_2_grad: Out,
    x_grad: Out,
    qkv_weight_grad: Out,
    out_linear_weight_grad: Out,
    ln_out_grad: Out,
    bias_dropout_residual_out_grad: Out,
    qkv_out_grad: Out,
    qktv_out_grad: Out,
    transpose_out_2_grad: Out,
    qk_out_grad: Out,
    softmax_out_grad: Out,
    attn_dropout_out_grad: Out,
    fmha_out_grad: Out,
    out_linear_out_grad: Out,
) -> None: ...


def _names(function: Callable[..., None]) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)[1:]


NAMES, GRAD_NAMES = _names(signature), _names(grad_signature)
INPUTS, OUTPUTS = NAMES[:27], NAMES[27:]
GRAD_INPUTS, GRAD_OUTPUTS = GRAD_NAMES[:45], GRAD_NAMES[45:]
ATTRIBUTES = INPUTS[11:]


def named(names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    """The values as attributes of an object: all parameters, or the first of them."""
    return SimpleNamespace(**dict(zip(names, values, strict=False)))


class Sizes(NamedTuple):
    """`out_length` is how many tokens each one asks: its own sequence's, and the cache's."""

    batch: int
    length: int
    embed: int
    heads: int
    head: int  # the numbers of each
    out_length: int

    @property
    def hidden(self) -> int:
        return self.heads * self.head

    @property
    def scale(self) -> float:
        """What q is multiplied by, so that q · k has a variance of 1 where q and k have."""
        return float(self.head**-0.5) if self.head else 1.0


def sizes_of(a: Any) -> Sizes:
    """Of a kernel's inputs, which InferMeta has let pass; `a` is `named`'s."""
    heads, head = (a.num_heads, 0) if a.transpose_qkv_wb else a.qkv_weight.shape[1:3]
    if a.transpose_qkv_wb:
        head = a.qkv_weight.shape[1] // (3 * heads)
    cache = getattr(a, "cache_kv", None)
    batch, length, embed = a.x.shape
    return Sizes(
        batch, length, embed, heads, head, length + (cache.shape[3] if cache is not None else 0)
    )
