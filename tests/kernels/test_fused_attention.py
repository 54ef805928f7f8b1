"""Attention is PyTorch's, and so is its gradient; what lies in between is finite differences'."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from registry_runtime.kernels import find
from registry_runtime.kernels.fused_attention import dropout
from registry_runtime.kernels.fused_attention.gradient import arguments_after
from registry_runtime.kernels.fused_attention.signature import (
    GRAD_INPUTS,
    GRAD_OUTPUTS,
    INPUTS,
    OUTPUTS,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.attention_cases import ATTENTIONS, attention_arguments
from tests.kernels.shapes import random

T = DataType.FLOAT64
TRAINED = [how for how in ATTENTIONS if not how.get("is_test")]
SMALL = [how for how in TRAINED if how.get("sizes", (2, 5))[1] < 70]


def instance(name: str) -> Any:
    template = find(f"phi::fusion::FusedAttention{name}Kernel")
    assert template
    return template.instantiate(T, "GPUContext")


def forward(*args: Any) -> dict[str, Any]:
    return dict(zip(OUTPUTS, instance("").reference(*args), strict=True))


def gradient(*args: Any) -> dict[str, Any]:
    return dict(zip(GRAD_OUTPUTS, instance("Grad").reference(*args), strict=True))


def out_grad(args: tuple[Any, ...]) -> Any:
    return random(T, args[0].shape[::-1]).T.copy()


def as_passed(value: Any) -> Any:
    """A number as a C++ parameter of type float has it."""
    return float(np.float32(value)) if isinstance(value, float) else value


def by_torch(torch: Any, a: Any, masks: tuple[Any, Any]) -> Any:
    """The block in PyTorch's functions; `a` has tensors, and the masks are those to drop by."""
    F = torch.nn.functional
    batch, length, embed = a.x.shape
    x = F.layer_norm(a.x, (embed,), a.ln_scale, a.ln_bias, a.epsilon) if a.pre_layer_norm else a.x
    weight = a.qkv_weight.T if a.transpose_qkv_wb else a.qkv_weight.reshape(-1, embed)
    qkv = F.linear(x, weight, None if a.qkv_bias is None else a.qkv_bias.reshape(-1))
    q, k, v = qkv.reshape(batch, length, 3, a.num_heads, embed // a.num_heads).permute(
        2, 0, 3, 1, 4
    )
    if a.cache_kv is not None:
        k, v = (torch.cat([old, new], 2) for old, new in zip(a.cache_kv, (k, v), strict=True))
    of_shares, of_output = masks
    if a.attn_dropout_rate:
        scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
        scores = scores if a.src_mask is None else scores + a.src_mask
        got = torch.softmax(scores, -1) * of_shares @ v
    else:
        got = F.scaled_dot_product_attention(q, k, v, a.src_mask)
    out = F.linear(got.transpose(1, 2).flatten(2), a.out_linear_weight.T, a.out_linear_bias)
    out = out * of_output
    out = out + a.x if a.add_residual else out
    if not a.pre_layer_norm:
        out = F.layer_norm(out, (embed,), a.ln_scale_2, a.ln_bias_2, a.ln_epsilon)
    return out


@pytest.mark.torch
@pytest.mark.parametrize("how", ATTENTIONS, ids=str)
def test_it_is_pytorchs_attention(how: dict[str, Any]) -> None:
    torch = pytest.importorskip("torch")
    args = attention_arguments(T, **how)
    made = forward(*args)
    a = SimpleNamespace(**dict(zip(INPUTS, map(as_passed, args), strict=True)))
    factors: list[Any] = []
    for name, of in (("attn_dropout", dropout.of_shares(a)), ("dropout", dropout.of_output(a))):
        mask = made[f"{name}_mask_out"]
        assert (mask.size > 0) == (of.draws and args[0].size > 0)
        kept = torch.from_numpy(mask).double()
        factors.append(of.factor * kept if mask.size else of.factor)
    for name, value in vars(a).items():
        if isinstance(value, np.ndarray):
            setattr(a, name, torch.from_numpy(value).requires_grad_())
    theirs = by_torch(torch, a, (factors[0], factors[1]))
    np.testing.assert_allclose(made["out"], theirs.detach(), rtol=1e-9, atol=1e-10)
    if how.get("cache"):
        return
    theirs.backward(torch.from_numpy(out_grad(args)))
    ours = gradient(*arguments_after(T, args, out_grad(args)))
    checked = 0
    for name, value in vars(a).items():
        if getattr(value, "grad", None) is not None and f"{name}_grad" in ours:
            checked += 1
            np.testing.assert_allclose(ours[f"{name}_grad"], value.grad, rtol=1e-8, atol=1e-9)
    assert checked >= 3


@pytest.mark.parametrize("how", [*SMALL, *ATTENTIONS[-2:]], ids=str)
def test_every_result_is_what_one_token_after_the_other_gives(how: dict[str, Any]) -> None:
    args, kernel = attention_arguments(T, **how), instance("").template
    ours = forward(*args)
    others = kernel.second_way.results(*kernel.bind(*args))
    for (name, result), other in zip(ours.items(), others, strict=True):
        np.testing.assert_allclose(result, other, rtol=1e-10, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("how", [h for h in SMALL if "sizes" not in h], ids=str)
def test_every_gradient_is_that_of_finite_differences(how: dict[str, Any]) -> None:
    args, kernel = attention_arguments(T, **how), instance("Grad").template
    given = arguments_after(T, args, out_grad(args))
    differences = kernel.second_way.results(*kernel.bind(*given))
    for (name, ours), other in zip(gradient(*given).items(), differences, strict=True):
        np.testing.assert_allclose(ours, other, rtol=1e-6, atol=1e-7, err_msg=name)


def test_the_numbers_are_philoxs() -> None:
    words = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]  # published for a counter and key of 0
    np.testing.assert_array_equal(
        dropout.uniform(0, 4), np.array(words, np.float32) / 2**32 + np.float32(2**-33)
    )
    many = dropout.uniform(-3, 100_000)
    assert many.min() > 0
    assert many.max() <= 1
    assert abs(many.mean() - 0.5) < 0.005
    assert np.array_equal(many[:9], dropout.uniform(-3, 9))
    assert not np.array_equal(many[:9], dropout.uniform(2**32 - 3, 9))


def test_a_rate_is_the_share_of_what_is_dropped() -> None:
    for rate in (0.0, 0.25, 1.0):
        passed = dropout.Dropout(rate, upscale=True, is_test=False, seed=1).mask((100, 100))
        assert passed.mean() == pytest.approx(1 - rate, abs=0.02)


def test_what_is_not_made_is_empty() -> None:
    made = forward(*attention_arguments(T, mask=(5, 5), bias=False))
    assert {name for name, array in made.items() if array.size == 0} == {
        *("ln_mean", "ln_var", "ln_out", "qkv_bias_out", "cache_kv_out"),
        *("attn_dropout_mask_out", "attn_dropout_out", "dropout_mask_out"),
    }
    given = arguments_after(T, args := attention_arguments(T, pre=True), out_grad(args))
    assert {name for name, array in gradient(*given).items() if array.size == 0} == {
        *("src_mask_out_grad", "ln_scale_2_grad", "ln_bias_2_grad", "qkv_out_grad"),
        *("bias_dropout_residual_out_grad", "attn_dropout_out_grad"),
    }


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"qkv_weight": np.ones((3, 2, 3, 5))}, "The dimensions of qkv_weight must be 4"),
        ({"qkv_weight": np.ones((3, 2, 0, 0)), "x": np.ones((2, 5, 0))}, "nobody attends"),
        ({"out_linear_weight": np.ones((6, 5))}, r"out_linear_weight has dims \[6, 5\]"),
        ({"qkv_bias": np.ones(18)}, r"qkv_bias has dims \[18\]; .* it must have \[3, 2, 3\]"),
        ({"src_mask": np.ones((5, 4))}, r"src_mask has dims \[5, 4\], which don't broadcast"),
        ({"src_mask": np.ones((3, 2, 2, 5, 5))}, "which don't broadcast to the scores'"),
        ({"ring_id": 0}, "ring_id 0 is not in ProcessGroupMap"),
        ({"add_residual": False}, "add_residual is expected to be true when pre_layer_norm"),
        ({"dropout_rate": 1.5}, "'dropout_rate' must be between 0.0 and 1.0."),
        ({"attn_dropout_implementation": "x"}, "attn_dropout_implementation can only be"),
    ],
)
def test_what_does_not_go_together(changed: dict[str, Any], said: str) -> None:
    given = dict(zip(INPUTS, attention_arguments(T), strict=True)) | changed
    with pytest.raises(KernelError, match=said):
        forward(*given.values())


@pytest.mark.parametrize(
    ("how", "changed", "said"),
    [
        ({"pre": True}, {"ln_out": None}, "ln_out is missing: with pre_layer_norm=True"),
        ({}, {"ln_mean_2": None}, "ln_mean_2 is missing: with pre_layer_norm=False"),
        ({}, {"qkv_bias_out": None}, "qkv_bias_out is missing: with a qkv_bias"),
        ({}, {"is_test": True}, "GradOp is only callable when is_test is false"),
        ({}, {"softmax_out": np.ones(3)}, r"softmax_out has dims \[3\]"),
        ({"rates": (0.5, 0.5)}, {"dropout_mask_out": np.ones(0, np.uint8)}, "dropout_mask_out has"),
    ],
)
def test_what_the_gradient_misses(how: Any, changed: dict[str, Any], said: str) -> None:
    args = attention_arguments(T, **how)
    given = dict(zip(GRAD_INPUTS, arguments_after(T, args, out_grad(args)), strict=True)) | changed
    with pytest.raises(KernelError, match=said):
        gradient(*given.values())
