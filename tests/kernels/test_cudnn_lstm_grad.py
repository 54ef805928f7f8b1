"""The LSTM's gradient is the one that PyTorch's autograd finds, and that finite differences measure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registry_runtime.kernels import find
from registry_runtime.kernels.finite_differences import slopes
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.gpu_cases import LAYERS, lstm_arguments
from tests.kernels.shapes import random

T, UNITS, STEPS, BATCH = DataType.FLOAT64, 4, 5, 3


def reference(name: str, *args: Any) -> Any:
    template = find(f"phi::CudnnLSTM{name}Kernel")
    assert template
    return template.instantiate(T, "GPUContext").reference(*args)


def arguments(layers: int, is_bidirec: bool, lengths: Any = None, dropout: float = 0.0) -> Any:
    """The forward pass's arguments, and the gradient's, with random gradients of what comes out."""
    x = random(T, (STEPS, BATCH, 2))
    args = lstm_arguments(T, x, UNITS, layers, 1 + is_bidirec)
    args += [lengths, dropout, is_bidirec, UNITS, layers, False, 3]
    outs = reference("", *args)
    grads = [random(T, out.shape[::-1]).T.copy() for out in outs[:3]]
    return args, [*args[:3], args[4], lengths, outs[0], *outs[3:], *grads, *args[6:]]


@pytest.mark.torch
@pytest.mark.parametrize("lengths", [None, [5, 1, 3]], ids=str)
@pytest.mark.parametrize(("layers", "is_bidirec"), LAYERS)
def test_it_is_pytorchs(layers: int, is_bidirec: bool, lengths: list[int] | None) -> None:
    torch = pytest.importorskip("torch")
    given = None if lengths is None else np.array(lengths, np.int32)
    (x, h, c, _, weights, *_), args = arguments(layers, is_bidirec, given)
    lstm = torch.nn.LSTM(2, UNITS, layers, bidirectional=is_bidirec, dtype=torch.float64)
    half, theirs = len(weights) // 2, [None] * len(weights)
    for i, names in enumerate(lstm.all_weights):  # for each layer and direction: w, r, b, b
        places = [2 * i, 2 * i + 1, half + 2 * i, half + 2 * i + 1]
        for parameter, place in zip(names, places, strict=True):
            parameter.data = torch.from_numpy(weights[place])
            theirs[place] = parameter
    inputs = [torch.from_numpy(array).requires_grad_() for array in (x, h, c)]
    rnn, packed = torch.nn.utils.rnn, inputs[0]
    if lengths is not None:
        packed = rnn.pack_padded_sequence(packed, lengths, enforce_sorted=False)
    out, last = lstm(packed, tuple(inputs[1:]))
    if lengths is not None:
        out, _ = rnn.pad_packed_sequence(out, total_length=STEPS)
    torch.autograd.backward([out, *last], [torch.from_numpy(grad) for grad in args[8:11]])
    for ours, tensor in zip(reference("Grad", *args), [*inputs, *theirs], strict=True):
        np.testing.assert_allclose(ours, tensor.grad, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("lengths", [None, np.array([5, 1, 3], np.int32)], ids=str)
@pytest.mark.parametrize(("layers", "is_bidirec", "dropout"), [(1, False, 0), (2, True, 0.5)])
def test_it_is_that_of_finite_differences(
    layers: int, is_bidirec: bool, dropout: float, lengths: Any
) -> None:
    forward, args = arguments(layers, is_bidirec, lengths, dropout)
    results = reference("Grad", *args)
    weights = len(forward[4])
    for i in (0, 1, 2, 3, 4, 2 + weights // 2, 2 + weights):  # of weights, the first and the last

        def loss(tensor: Any, i: int = i) -> float:
            given = [*forward[:3], *forward[4]]
            given[i] = tensor
            outs = reference("", *given[:3], None, given[3:], *forward[5:])
            pairs = zip(outs[:3], args[8:11], strict=True)
            return float(sum((out * grad).sum() for out, grad in pairs))

        at = [*forward[:3], *forward[4]][i]
        np.testing.assert_allclose(results[i], slopes(loss, at), rtol=1e-6, atol=1e-8)


def test_a_gradient_for_each_tensor_of_the_list_whatever_its_dims() -> None:
    _, args = arguments(2, True)
    apart = reference("Grad", *args)
    args[3] = [np.concatenate([weight.ravel() for weight in args[3]])]
    x_grad, h_grad, c_grad, flat = reference("Grad", *args)
    for ours, other in zip((x_grad, h_grad, c_grad), apart, strict=False):
        assert np.array_equal(ours, other)
    assert np.array_equal(flat, np.concatenate([grad.ravel() for grad in apart[3:]]))


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (0, np.ones((5, 3)), "x and init_h have 3 dims, not 2 and 3"),
        (2, np.ones((2, 3, 9)), r"init_c has dims \[2, 3, 9\]; .* must have \[2, 3, 4\]"),
        (3, None, "weight_list is missing"),
        (3, [np.ones(7)], "there are 7 weights; these layers have"),
        (4, np.ones(2, np.int32), r"sequence_length has dims \[2\]; .* must have \[3\]"),
        (8, np.ones((5, 3, 9)), r"out_grad has dims \[5, 3, 9\]; .* must have \[5, 3, 4\]"),
        (10, np.ones((1, 3, 4)), r"last_c_grad has dims \[1, 3, 4\]; .* must have \[2, 3, 4\]"),
        (14, 3, r"init_h has dims \[2, 3, 4\]; 3 layers of 1 directions and 4 units have"),
    ],
)
def test_what_does_not_go_together(place: int, value: Any, said: str) -> None:
    _, args = arguments(2, False)
    args[place] = value
    with pytest.raises(KernelError, match=said):
        reference("Grad", *args)
