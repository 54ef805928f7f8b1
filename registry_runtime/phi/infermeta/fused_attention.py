"""Several operators' work in one: what comes out is also whatever a gradient wants to see again.

`FusedAttention` lists twenty outputs, most of which are what the steps hand on to one another. Which of
them are made is for the attributes and the optional inputs to say; the others keep no dims. But for
`out`, all data types are left to the kernel. Paddle has both functions in `infermeta/fusion.h`.
"""

from __future__ import annotations

from typing import NamedTuple

from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.meta_tensor import AT_RUN_TIME, MetaConfig, MetaTensor


class _Heads(NamedTuple):
    number: int
    size: int
    embed: int  # what each token of x must have


def _transposed_heads(dims: tuple[int, ...], num_heads: int, ring_id: int) -> _Heads:
    if len(dims) != 2:
        raise InvalidArgument(
            "The dimensions of qkv_weight must be 2 if enable transpose_qkv_wb: (dim_embed, 3 * "
            f"dim_embed), but received dimensions of Input is [{len(dims)}]"
        )
    if num_heads <= 0:
        raise InvalidArgument(
            "The num_heads must be provided and greater than 0 if enable transpose_qkv_wb, but we "
            f"got {num_heads}."
        )
    if dims[0] % num_heads:
        raise InvalidArgument(
            "First dim of qkv_w must be divisible by num heads if enable transpose_qkv_wb, but "
            f"receive first dim of qkv_w is {dims[0]} and num_heads is {num_heads}."
        )
    if ring_id == -1 and dims[0] * 3 != dims[1]:
        raise InvalidArgument("The dimensions of qkv_weight must be 2(dim_embed, 3 * dim_embed).")
    ranks = 1 if ring_id == -1 else dims[0] * 3 // dims[1]
    return _Heads(num_heads, dims[0] // (num_heads * ranks), dims[0])


def _heads(dims: tuple[int, ...], ring_id: int) -> _Heads:
    if len(dims) != 4:
        raise InvalidArgument(
            "The dimensions of qkv_weight must be 4 if not enable transpose_qkv_wb: (3, num_head, "
            f"dim_head, dim_embed), but received [{len(dims)}]"
        )
    if dims[0] != 3:
        raise InvalidArgument(
            f"First dim of qkv_w must be 3 if disable transpose_qkv_wb, but we got {dims[0]}."
        )
    if ring_id == -1 and dims[1] * dims[2] != dims[3]:
        raise InvalidArgument(
            "The dimensions of qkv_weight must be 4(3, num_head, dim_head, dim_embed),and must "
            "satisfy the limitations: (num_head * dim_head == dim_embed)"
        )
    return _Heads(*dims[1:])


def _check_cache(dims: tuple[int, ...], batch: int, heads: _Heads, config: MetaConfig) -> None:
    if len(dims) != 5:
        raise InvalidArgument(f"The CacheKV must be 5 dims, but got {len(dims)}")
    if dims[0] != 2:
        raise InvalidArgument(f"The first dim of CacheKV must be 2, but got {dims[0]}")
    if dims[1] != batch:
        raise InvalidArgument(
            f"The second dim of CacheKV must be equal with batch size {batch}, but got {dims[1]}"
        )
    if dims[2] != heads.number:
        raise InvalidArgument(
            f"The third dim of CacheKV must be equal with num head {heads.number}, but got {dims[2]}"
        )
    if config.is_runtime and dims[3] < 0:
        raise InvalidArgument(f"The forth dim of CacheKV must be greater than 0, but got {dims[3]}")
    if dims[4] != heads.size:
        raise InvalidArgument(
            f"The fifth dim of CacheKV must be equal with head size {heads.size}, but got {dims[4]}"
        )


def FusedAttentionInferMeta(
    x: MetaTensor,
    ln_scale: MetaTensor | None,
    ln_bias: MetaTensor | None,
    qkv_weight: MetaTensor,
    qkv_bias: MetaTensor | None,
    cache_kv: MetaTensor | None,
    src_mask: MetaTensor | None,
    out_linear_weight: MetaTensor,
    out_linear_bias: MetaTensor | None,
    ln_scale_2: MetaTensor | None,
    ln_bias_2: MetaTensor | None,
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
    ln_mean: MetaTensor,
    ln_var: MetaTensor,
    ln_out: MetaTensor,
    qkv_out: MetaTensor,
    qkv_bias_out: MetaTensor,
    transpose_out_2: MetaTensor,
    qk_out: MetaTensor,
    qktv_out: MetaTensor,
    softmax_out: MetaTensor,
    attn_dropout_mask_out: MetaTensor,
    attn_dropout_out: MetaTensor,
    src_mask_out: MetaTensor,
    fmha_out: MetaTensor,
    out_linear_out: MetaTensor,
    dropout_mask_out: MetaTensor,
    ln_mean_2: MetaTensor,
    ln_var_2: MetaTensor,
    bias_dropout_residual_out: MetaTensor,
    cache_kv_out: MetaTensor,
    out: MetaTensor,
    config: MetaConfig = AT_RUN_TIME,
) -> None:
    """x is (batch, seq_len, dim_embed), and so is out; the scores are
    (batch, num_heads, seq_len, seq_len and what the cache has)."""
    dims = qkv_weight.dims
    heads = (
        _transposed_heads(dims, num_heads, ring_id) if transpose_qkv_wb else _heads(dims, ring_id)
    )
    if len(x.dims) != 3:
        raise InvalidArgument(
            "The dimensions of x must be 3(batch_size, seq_len, dim_embed), but received dimensions "
            f"of Input is [{len(x.dims)}]"
        )
    batch, length, embed = x.dims
    if embed != heads.embed:
        raise InvalidArgument(
            "ShapeError: the dimension of x_dim[2] and y_dim[3] (y_dim[1] if enable "
            "transpose_qkv_w) must be equal. But received: the shape of input x = "
            f"{list(x.dims)}, and the shape of input qkv_weight = {list(dims)}"
        )
    if pre_layer_norm:
        ln_out.set_dims(x.dims)
    else:
        bias_dropout_residual_out.set_dims(x.dims)
    for statistic in (ln_mean, ln_var) if pre_layer_norm else (ln_mean_2, ln_var_2):
        statistic.set_dims((batch * length,))
    each = (3 * heads.number * heads.size,) if transpose_qkv_wb else (3, heads.number, heads.size)
    qkv_out.set_dims((batch, length, *each))
    if qkv_bias is not None:
        qkv_bias_out.set_dims((batch, length, *each))
    transpose_out_2.set_dims((3, batch, heads.number, length, heads.size))
    out_length = length
    if cache_kv is not None:
        _check_cache(cache_kv.dims, batch, heads, config)
        out_length += cache_kv.dims[3]
        cache_kv_out.set_dims((*cache_kv.dims[:3], out_length, heads.size))
    scores = [qk_out, softmax_out, attn_dropout_out]
    scores += [] if src_mask is None else [src_mask_out]
    scores += [] if is_test else [attn_dropout_mask_out]
    for tensor in scores:
        tensor.set_dims((batch, heads.number, length, out_length))
    qktv_out.set_dims((batch, heads.number, length, heads.size))
    fmha_out.set_dims((batch, length, heads.number, heads.size))
    out_linear_out.set_dims(x.dims)
    if not is_test:
        dropout_mask_out.set_dims(x.dims)
    out.set_dims(x.dims)
    out.set_dtype(x.dtype)


def FusedAttentionGradInferMeta(
    out_grad: MetaTensor,
    x: MetaTensor,
    qkv_weight: MetaTensor,
    qkv_bias: MetaTensor | None,
    qkv_bias_out: MetaTensor | None,
    src_mask: MetaTensor | None,
    src_mask_out: MetaTensor | None,
    out_linear_weight: MetaTensor,
    out_linear_bias: MetaTensor | None,
    ln_scale: MetaTensor | None,
    ln_bias: MetaTensor | None,
    ln_scale_2: MetaTensor | None,
    ln_bias_2: MetaTensor | None,
    ln_out: MetaTensor | None,
    ln_mean: MetaTensor | None,
    ln_var: MetaTensor | None,
    ln_mean_2: MetaTensor | None,
    ln_var_2: MetaTensor | None,
    bias_dropout_residual_out: MetaTensor | None,
    qkv_out: MetaTensor,
    transpose_out_2: MetaTensor,
    qk_out: MetaTensor,
    qktv_out: MetaTensor,
    softmax_out: MetaTensor,
    attn_dropout_mask_out: MetaTensor,
    attn_dropout_out: MetaTensor,
    fmha_out: MetaTensor,
    out_linear_out: MetaTensor,
    dropout_mask_out: MetaTensor,
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
    qkv_bias_grad: MetaTensor | None,
    qkv_bias_out_grad: MetaTensor | None,
    src_mask_out_grad: MetaTensor | None,
    out_linear_bias_grad: MetaTensor | None,
    ln_scale_grad: MetaTensor | None,
    ln_bias_grad: MetaTensor | None,
    ln_scale_2_grad: MetaTensor | None,
    ln_bias_2_grad: MetaTensor | None,
    x_grad: MetaTensor | None,
    qkv_weight_grad: MetaTensor | None,
    out_linear_weight_grad: MetaTensor | None,
    ln_out_grad: MetaTensor | None,
    bias_dropout_residual_out_grad: MetaTensor | None,
    qkv_out_grad: MetaTensor | None,
    qktv_out_grad: MetaTensor | None,
    transpose_out_2_grad: MetaTensor | None,
    qk_out_grad: MetaTensor | None,
    softmax_out_grad: MetaTensor | None,
    attn_dropout_out_grad: MetaTensor | None,
    fmha_out_grad: MetaTensor | None,
    out_linear_out_grad: MetaTensor | None,
) -> None:
    """Each gradient has the dims of what it is the gradient of, where that is there."""
    if is_test:
        raise InvalidArgument("GradOp is only callable when is_test is false")
    pairs = [
        (x, x_grad),
        (qkv_weight, qkv_weight_grad),
        (qkv_bias, qkv_bias_grad),
        (qkv_out, qkv_out_grad),
        (qkv_bias_out, qkv_bias_out_grad),
        (transpose_out_2, transpose_out_2_grad),
        (qk_out, qk_out_grad),
        (src_mask_out, src_mask_out_grad),
        (softmax_out, softmax_out_grad),
        (attn_dropout_out, attn_dropout_out_grad),
        (qktv_out, qktv_out_grad),
        (fmha_out, fmha_out_grad),
        (out_linear_weight, out_linear_weight_grad),
        (out_linear_bias, out_linear_bias_grad),
        (out_linear_out, out_linear_out_grad),
    ]
    if pre_layer_norm:
        pairs.append((ln_out, ln_out_grad))
        if ln_scale is not None:  # ln_bias alone has no gradient
            pairs += [(ln_scale, ln_scale_grad), (ln_bias, ln_bias_grad)]
    else:
        pairs += [(ln_scale_2, ln_scale_2_grad), (ln_bias_2, ln_bias_2_grad)]
        pairs.append((bias_dropout_residual_out, bias_dropout_residual_out_grad))
    for tensor, grad in pairs:
        if tensor is not None and grad is not None:
            grad.set_dims(tensor.dims)
