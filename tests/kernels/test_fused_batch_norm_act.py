"""Batch norm with relu, held to PyTorch's batch norm, and its gradient to finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registry_runtime.kernels import find
from registry_runtime.kernels.finite_differences import slopes
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.shapes import random

SHAPES = [(6, 5), (3, 4, 2, 5), (2, 3, 1), (2, 2, 2, 2, 3)]
T = DataType.FLOAT64


def reference(name: str, *args: Any) -> Any:
    template = find(f"phi::fusion::FusedBatchNormAct{name}Kernel")
    assert template
    return template.instantiate(T, "GPUContext").reference(*args)


def arguments(shape: tuple[int, ...]) -> tuple[Any, ...]:
    scale, bias, mean, variance = (random(T, shape[-1:]) * n for n in (1, 2, 3, 4))
    return random(T, shape), scale, bias, mean, np.square(variance), 0.75, 1e-4, "relu"


def gradient(args: tuple[Any, ...], y_grad: Any) -> Any:
    y, _, _, mean, normal, reserve_space = reference("", *args)
    return reference("Grad", *args[:3], y, mean, normal, reserve_space, y_grad, *args[5:])


@pytest.mark.torch
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_it_is_batch_norm_and_relu_of_pytorchs(shape: tuple[int, ...]) -> None:
    torch = pytest.importorskip("torch")
    x, scale, bias, mean, variance, momentum, epsilon, _ = arguments(shape)
    inputs = [torch.from_numpy(t).requires_grad_() for t in (x, scale, bias)]
    running = [torch.from_numpy(t.copy()) for t in (mean, variance)]
    flat = inputs[0].reshape(-1, shape[-1])
    # What PyTorch calls momentum is the share of the new batch.
    normal = torch.nn.functional.batch_norm(
        flat, *running, *inputs[1:], training=True, momentum=1 - momentum, eps=np.float32(epsilon)
    )
    y_grad = random(T, shape[::-1]).T
    theirs = torch.relu(normal).reshape(shape)
    theirs.backward(torch.from_numpy(y_grad.copy()))
    y, mean_out, variance_out, *_ = reference("", *arguments(shape))
    for ours, other in zip((y, mean_out, variance_out), (theirs.detach(), *running), strict=True):
        np.testing.assert_allclose(ours, other, rtol=1e-10, atol=1e-12)
    for ours, tensor in zip(gradient(arguments(shape), y_grad), inputs, strict=True):
        np.testing.assert_allclose(ours, tensor.grad, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("shape", [*SHAPES, (1, 4)], ids=str)
def test_the_gradient_is_that_of_finite_differences(shape: tuple[int, ...]) -> None:
    args, y_grad = arguments(shape), random(T, shape[::-1]).T
    for i, ours in enumerate(gradient(args, y_grad)):

        def loss(tensor: Any, i: int = i) -> float:
            y, *_ = reference("", *args[:i], tensor, *args[i + 1 :])
            return float((y * y_grad).sum())

        np.testing.assert_allclose(ours, slopes(loss, args[i]), rtol=1e-6, atol=1e-7)


def test_one_element_a_channel_passes_through_relu_alone() -> None:
    x, scale, bias, mean, variance, *rest = arguments((1, 4))
    y, mean_out, variance_out, *_ = reference("", x, scale, bias, mean, variance, *rest)
    assert np.array_equal(y, np.maximum(x, 0))
    assert np.array_equal(mean_out, mean)
    assert np.array_equal(variance_out, variance)


def test_what_is_refused() -> None:
    args = arguments((6, 5))
    with pytest.raises(KernelError, match="Unsupported activation type: act_type is 'tanh'"):
        reference("", *args[:-1], "tanh")
    with pytest.raises(KernelError, match=r"the shape of scale must equal to \[5\]"):
        reference("", args[0], np.ones(4), *args[2:])
