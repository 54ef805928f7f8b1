"""`fused_attention_grad`: back through the steps, with what each of them saved.

There is a gradient for every step's result. One is what the next is made of, so all are written, wanted
or not. With a cache there is none: that is for inference.

Source: `paddle/phi/kernels/fusion/gpu/fused_attention_grad_kernel.cu`, `fmha_ref.h`, `attn_gemm.h`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import dtypes, gpu
from registry_runtime.kernels.fused_attention import cuda, dropout, forward
from registry_runtime.kernels.fused_attention.checks import check, check_saved
from registry_runtime.kernels.fused_attention.reference import grad_reference, is_made
from registry_runtime.kernels.fused_attention.second_way import by_differences
from registry_runtime.kernels.fused_attention.signature import (
    GRAD_INPUTS,
    GRAD_NAMES,
    GRAD_OUTPUTS,
    INPUTS,
    OUTPUTS,
    Sizes,
    grad_signature,
    named,
    sizes_of,
)
from registry_runtime.kernels.matmul import cupy_matmul
from registry_runtime.kernels.reduce import cupy_adder
from registry_runtime.kernels.template import KernelTemplate, SecondWay, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.infermeta.fused_attention import FusedAttentionGradInferMeta
from registry_runtime.phi.meta_tensor import MetaTensor


def cupy_build(cupy: Any, T: DataType) -> Any:
    on = cuda.Launches(cupy, T, cuda.grad_text)
    cublas, add = cupy_matmul(cupy, T), cupy_adder(cupy, T, T)
    number, of_statistic = T.numpy.type, dtypes.mp_type(T).numpy

    def behind(a: Any, s: Sizes) -> Any:
        """Back to the last linear layer's output. Gives what goes past all layers to x, if it does."""
        grad = a.out_grad
        if not a.pre_layer_norm:
            grad = a.bias_dropout_residual_out_grad
            given = (a.bias_dropout_residual_out, a.ln_scale_2, a.ln_mean_2, a.ln_var_2)
            made = (grad, a.ln_scale_2_grad, a.ln_bias_2_grad)
            on.layer_norm_grad(*given, a.ln_epsilon, a.out_grad, made)
        if a.dropout_rate:
            made = a.out_linear_out_grad
            on.dropout_grad(grad, dropout.of_output(a), a.dropout_mask_out, made)
        else:
            a.out_linear_out_grad[...] = grad
        if a.out_linear_bias is not None:
            split = (1, s.batch * s.length, s.embed)
            add(split, a.out_linear_out_grad, a.out_linear_bias_grad)
        return grad if a.add_residual else None

    def attention(a: Any, s: Sizes) -> None:
        """From what attention put out to q, k and v."""
        (q, k, v), (q_grad, k_grad, v_grad) = a.transpose_out_2, a.transpose_out_2_grad
        a.qktv_out_grad[...] = a.fmha_out_grad.transpose(0, 2, 1, 3)
        if a.attn_dropout_rate:
            cublas(a.attn_dropout_out, a.qktv_out_grad, True, False, v_grad)
            grad = a.attn_dropout_out_grad
            cublas(a.qktv_out_grad, v, False, True, grad)
            kept = (dropout.of_shares(a), a.attn_dropout_mask_out)
            on.dropout_grad(grad, *kept, a.softmax_out_grad)
        else:
            cublas(a.softmax_out, a.qktv_out_grad, True, False, v_grad)
            cublas(a.qktv_out_grad, v, False, True, a.softmax_out_grad)
        on.softmax_grad(a.softmax_out, a.softmax_out_grad, a.qk_out_grad)
        if a.src_mask is not None:
            a.src_mask_out_grad[...] = a.qk_out_grad
        cublas(a.qk_out_grad, q, True, False, k_grad)
        cublas(a.qk_out_grad, k, False, False, q_grad)
        cupy.multiply(q_grad, number(s.scale), out=q_grad)

    def run(*args: Any) -> None:
        a = named(GRAD_NAMES, args)
        s = sizes_of(a)
        check(named(GRAD_INPUTS, args), s, of_statistic)
        check_saved(a)
        tokens = s.batch * s.length
        residual = behind(a, s)
        grad, values = a.out_linear_out_grad.reshape(tokens, s.embed), (tokens, s.hidden)
        cublas(a.fmha_out.reshape(values), grad, True, False, a.out_linear_weight_grad)
        cublas(grad, a.out_linear_weight, False, True, a.fmha_out_grad.reshape(values))
        attention(a, s)
        qkv_grad = a.qkv_out_grad if a.qkv_bias is None else a.qkv_bias_out_grad
        each = (s.batch, s.length, 3, s.heads, s.head)
        qkv_grad.reshape(each)[...] = a.transpose_out_2_grad.transpose(1, 3, 0, 2, 4)
        grad = qkv_grad.reshape(tokens, 3 * s.hidden)
        if a.qkv_bias is not None:
            add((1, *grad.shape), grad, a.qkv_bias_grad)
        given = (a.ln_out if a.pre_layer_norm else a.x).reshape(tokens, s.embed)
        weight, made = (t.reshape(-1, t.shape[-1]) for t in (a.qkv_weight, a.qkv_weight_grad))
        first, second = (given, grad) if a.transpose_qkv_wb else (grad, given)
        cublas(first, second, True, False, made)
        to = a.ln_out_grad if a.pre_layer_norm else a.x_grad
        cublas(grad, weight, False, a.transpose_qkv_wb, to.reshape(tokens, s.embed))
        if a.pre_layer_norm:
            saved = (a.x, a.ln_scale, a.ln_mean, a.ln_var, a.epsilon)
            grads = (a.x_grad, a.ln_scale_grad, a.ln_bias_grad)
            on.layer_norm_grad(*saved, a.ln_out_grad, grads, residual)
        else:
            cupy.add(a.x_grad, residual, out=a.x_grad)

    return run


def resize(*arguments: Any) -> tuple[MetaTensor, ...]:
    """What isn't made is empty."""
    a = named(GRAD_INPUTS, arguments)
    outs = arguments[len(GRAD_INPUTS) :]
    for name, meta in zip(GRAD_OUTPUTS, outs, strict=True):
        if meta.dims == () or not is_made(a, name):
            meta.set_dims((0,))
    return outs


def magnitude(*arguments: Any) -> Any:
    return forward.sized(grad_reference(*arguments), GRAD_OUTPUTS, arguments[1])


def arguments_after(T: DataType, given: tuple[Any, ...], out_grad: Any) -> tuple[Any, ...]:
    """The gradient's arguments after a forward pass with those given, rounded as it saved them."""
    template = forward.FusedAttentionKernel
    made = dict(zip(OUTPUTS, template.reference(*template.bind(*given)), strict=True))
    known = {name: made[name].astype(forward.open_dtype(name, T).numpy) for name in OUTPUTS}
    known |= dict(zip(INPUTS, given, strict=True)) | {"out_grad": out_grad}
    return tuple(known[name] for name in GRAD_INPUTS)


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    given = forward.sample(T, size, rng)
    return arguments_after(T, given, random_array(T, given[0].shape, rng))


FusedAttentionGradKernel = KernelTemplate(
    name="phi::fusion::FusedAttentionGradKernel",
    signature=grad_signature,
    dtypes=forward.TYPES,
    infer_meta=FusedAttentionGradInferMeta,
    reference=grad_reference,
    second_way=SecondWay("finite differences of the forward pass", by_differences),
    builders={"GPU": gpu.function(cupy_build, cuda.grad_text)},
    sample=sample,
    accepts={
        **dict.fromkeys(("ln_scale", "ln_bias", "ln_scale_2", "ln_bias_2"), forward.OF_STATISTICS),
        **dict.fromkeys(forward.STATISTICS, forward.OF_STATISTICS),
        **dict.fromkeys(forward.MASKS, frozenset({DataType.UINT8})),
    },
    open_dtype=forward.open_dtype,
    resize=resize,
    roundings=256,  # shares of nearly 1 or 0 leave of a slope what little doesn't cancel
    magnitude=magnitude,
)
