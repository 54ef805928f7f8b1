"""`fused_attention`, launched step by step; every step's result is one of the outputs.

q is scaled before it meets k, so that half precision doesn't overflow, and stays so in
`transpose_out_2`. Paddle does dropout and the layer norm behind it in one kernel; here they are two.

Source: `paddle/phi/kernels/fusion/gpu/fused_attention_kernel.cu`, `fmha_ref.h`, `attn_gemm.h`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from registry_runtime.kernels import dtypes, gpu
from registry_runtime.kernels.fused_attention import cuda, dropout
from registry_runtime.kernels.fused_attention.checks import check
from registry_runtime.kernels.fused_attention.reference import reference
from registry_runtime.kernels.fused_attention.second_way import by_floats
from registry_runtime.kernels.fused_attention.signature import (
    INPUTS,
    NAMES,
    OUTPUTS,
    named,
    signature,
    sizes_of,
)
from registry_runtime.kernels.matmul import cupy_matmul
from registry_runtime.kernels.template import KernelTemplate, SecondWay, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.infermeta.fused_attention import FusedAttentionInferMeta
from registry_runtime.phi.meta_tensor import MetaTensor


def cupy_build(cupy: Any, T: DataType) -> Any:
    on = cuda.Launches(cupy, T, cuda.text)
    cublas = cupy_matmul(cupy, T)
    number, of_statistic = T.numpy.type, dtypes.mp_type(T).numpy

    def run(*args: Any) -> None:
        a = named(NAMES, args)
        s = sizes_of(a)
        check(named(INPUTS, args), s, of_statistic)
        x = a.x
        if a.pre_layer_norm:
            on.layer_norm(x, a.ln_scale, a.ln_bias, a.epsilon, a.ln_out, a.ln_mean, a.ln_var)
            x = a.ln_out
        rows = (s.batch * s.length, s.embed)
        weight = a.qkv_weight.reshape(-1, a.qkv_weight.shape[-1])
        qkv = a.qkv_out.reshape(rows[0], 3 * s.hidden)
        cublas(x.reshape(rows), weight, False, not a.transpose_qkv_wb, qkv)
        if a.qkv_bias is not None:
            cupy.add(a.qkv_out, a.qkv_bias, out=a.qkv_bias_out)
            qkv = a.qkv_bias_out
        each = (s.batch, s.length, 3, s.heads, s.head)
        a.transpose_out_2[...] = qkv.reshape(each).transpose(2, 0, 3, 1, 4)
        q, k, v = a.transpose_out_2
        cupy.multiply(q, number(s.scale), out=q)
        if a.cache_kv is not None:
            a.cache_kv_out[...] = cupy.concatenate((a.cache_kv, a.transpose_out_2[1:]), axis=3)
            k, v = a.cache_kv_out
        cublas(q, k, False, True, a.qk_out)
        scores = a.qk_out
        if a.src_mask is not None:
            scores = cupy.add(scores, a.src_mask, out=a.src_mask_out)
        on.softmax(scores, a.softmax_out)
        weights = a.softmax_out
        if a.attn_dropout_rate:
            weights = a.attn_dropout_out
            on.dropout(a.softmax_out, dropout.of_shares(a), weights, a.attn_dropout_mask_out)
        cublas(weights, v, False, False, a.qktv_out)
        a.fmha_out[...] = a.qktv_out.transpose(0, 2, 1, 3)
        values = a.fmha_out.reshape(rows[0], s.hidden)
        cublas(values, a.out_linear_weight, False, False, a.out_linear_out.reshape(rows))
        on.dropout(
            a.out_linear_out,
            dropout.of_output(a),
            a.out if a.pre_layer_norm else a.bias_dropout_residual_out,
            a.dropout_mask_out,
            a.out_linear_bias,
            a.x if a.add_residual else None,
        )
        if not a.pre_layer_norm:
            made = (a.out, a.ln_mean_2, a.ln_var_2)
            given = (a.bias_dropout_residual_out, a.ln_scale_2, a.ln_bias_2, a.ln_epsilon)
            on.layer_norm(*given, *made)

    return run


def resize(*arguments: Any) -> tuple[MetaTensor, ...]:
    """What isn't made has no dims, or InferMeta's, and no memory: it is empty here."""
    a = named(INPUTS, arguments)
    outs = arguments[len(INPUTS) :]
    dropped = {
        "attn_dropout_mask_out": a.attn_dropout_rate,
        "attn_dropout_out": a.attn_dropout_rate,
        "dropout_mask_out": a.dropout_rate,
    }
    for name, meta in zip(OUTPUTS, outs, strict=True):
        if meta.dims == () or not dropped.get(name, True):
            meta.set_dims((0,))
    return outs


MASKS = ("attn_dropout_mask_out", "dropout_mask_out")
STATISTICS = ("ln_mean", "ln_var", "ln_mean_2", "ln_var_2")


def open_dtype(name: str, T: DataType) -> DataType:
    if name in MASKS:
        return DataType.UINT8
    of_statistic = name in STATISTICS or name.startswith(("ln_scale", "ln_bias"))
    return dtypes.mp_type(T) if of_statistic else T


def sized(made: tuple[Any, ...], names: tuple[str, ...], x: Any) -> tuple[Any, ...]:
    """What roundings are of. Elements are made of others, so a small one is only as exact as its
    neighbours are; and what is held in float32 is no more exact than the float16s it is made of."""
    T, of_statistic = x.dtype, dtypes.mp_type(x.dtype)
    coarser = float(np.finfo(T.numpy).eps / np.finfo(of_statistic.numpy).eps)
    return tuple(
        (np.abs(array) + np.abs(array).sum() / max(array.size, 1))
        * (coarser if open_dtype(name, T) is of_statistic else 1)
        for name, array in zip(names, made, strict=True)
    )


def magnitude(*arguments: Any) -> Any:
    return sized(reference(*arguments), OUTPUTS, arguments[0])


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    """Layer norm behind, a mask, and both dropouts."""
    heads, head = 2, 2 if size < 100 else 4 if size < 10_000 else 32
    embed = heads * head
    tokens = max(1, size // embed)
    length = max(3, min(128, math.isqrt(tokens)))
    batch = max(1, tokens // length)
    small = T.numpy.type(embed**-0.5)
    x = random_array(T, (batch, length, embed), rng)
    qkv_weight = random_array(T, (3, heads, head, embed), rng) * small
    qkv_bias = random_array(T, (3, heads, head), rng)
    src_mask = random_array(T, (batch, 1, length, length), rng)
    out_weight = random_array(T, (embed, embed), rng) * small
    out_bias = random_array(T, (embed,), rng)
    scale, bias = (random_array(dtypes.mp_type(T), (embed,), rng) for _ in range(2))
    tensors = (
        x,
        None,
        None,
        qkv_weight,
        qkv_bias,
        None,
        src_mask,
        out_weight,
        out_bias,
        scale,
        bias,
    )
    drop = (True, 1, dropout.UPSCALE)
    attributes = (heads, False, False, 1e-5, 0.25, False, *drop, 0.25, *drop, 1e-5, True, -1)
    return *tensors, *attributes


TYPES = frozenset({DataType.FLOAT16, DataType.FLOAT64, DataType.FLOAT32})
OF_STATISTICS = frozenset({DataType.FLOAT32, DataType.FLOAT64})
FusedAttentionKernel = KernelTemplate(
    name="phi::fusion::FusedAttentionKernel",
    signature=signature,
    dtypes=TYPES,
    infer_meta=FusedAttentionInferMeta,
    reference=reference,
    second_way=SecondWay("Python's floats, one token and one head at a time", by_floats),
    builders={"GPU": gpu.function(cupy_build, cuda.text)},
    sample=sample,
    accepts=dict.fromkeys(("ln_scale", "ln_bias", "ln_scale_2", "ln_bias_2"), OF_STATISTICS),
    open_dtype=open_dtype,
    resize=resize,
    roundings=64,
    magnitude=magnitude,
)
