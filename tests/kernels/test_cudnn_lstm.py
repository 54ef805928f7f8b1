"""The LSTM is PyTorch's, with sequences of one length and of many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registry_runtime.kernels import find
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.gpu_cases import LAYERS, lstm_arguments
from tests.kernels.shapes import random

T, UNITS = DataType.FLOAT64, 4


def reference(*args: Any) -> Any:
    template = find("phi::CudnnLSTMKernel")
    assert template
    return template.instantiate(T, "GPUContext").reference(*args)


@pytest.mark.torch
@pytest.mark.parametrize("lengths", [None, [5, 1, 3]], ids=str)
@pytest.mark.parametrize(("layers", "is_bidirec"), LAYERS)
def test_it_is_pytorchs(layers: int, is_bidirec: bool, lengths: list[int] | None) -> None:
    torch = pytest.importorskip("torch")
    args = lstm_arguments(T, random(T, (5, 3, 2)), UNITS, layers, 1 + is_bidirec)
    x, h, c, _, weights = args
    theirs = torch.nn.LSTM(2, UNITS, layers, bidirectional=is_bidirec, dtype=torch.float64)
    half = len(weights) // 2
    for i, names in enumerate(theirs.all_weights):  # for each layer and direction: w, r, b, b
        ours = [*weights[2 * i : 2 * i + 2], *weights[half + 2 * i : half + 2 * i + 2]]
        for parameter, weight in zip(names, ours, strict=True):
            parameter.data = torch.from_numpy(weight)
    given, states = torch.from_numpy(x), (torch.from_numpy(h), torch.from_numpy(c))
    rnn = torch.nn.utils.rnn
    if lengths is not None:
        given = rnn.pack_padded_sequence(given, lengths, enforce_sorted=False)
    with torch.no_grad():
        wanted, (last_h, last_c) = theirs(given, states)
    if lengths is not None:
        wanted, _ = rnn.pad_packed_sequence(wanted, total_length=5)
        lengths = np.array(lengths, np.int32)
    results = reference(*args, lengths, 0.0, is_bidirec, UNITS, layers, False, 0)
    for result, other in zip(results, (wanted, last_h, last_c), strict=False):
        np.testing.assert_allclose(result, other, rtol=1e-12, atol=1e-13)
    assert [result.dtype for result in results[3:]] == [np.uint8, np.uint8]


def test_the_seed_drops_what_goes_between_layers_in_training() -> None:
    args = lstm_arguments(T, random(T, (5, 3, 2)), UNITS, 2, 1)

    def out(dropout: float, is_test: bool, seed: int) -> Any:
        return reference(*args, None, dropout, False, UNITS, 2, is_test, seed)[0]

    whole = out(0.0, False, 1)
    assert np.array_equal(out(0.5, True, 1), whole)
    assert not np.array_equal(out(0.5, False, 1), whole)
    assert np.array_equal(out(0.5, False, 1), out(0.5, False, 1))
    assert not np.array_equal(out(0.5, False, 1), out(0.5, False, 2))


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (0, np.ones((5, 3)), "The rank of Input in CudnnLSTM  must be 3"),
        (1, np.ones((2, 2, UNITS)), r"in_dims\[1\] is 3 and init_h_dims\[1\] is 2"),
        (2, np.ones((1, 3, UNITS)), "The InitC dims and InitH dims should be equal"),
        (4, None, "weight_list is missing"),
        (4, [np.ones(7)], "there are 7 weights; these layers have"),
        (5, np.ones(2, np.int32), "The size of SequenceLength has to equal the batch_size"),
        (8, 9, r"init_h has dims \[2, 3, 4\]; 2 layers of 1 directions and 9 units have"),
    ],
)
def test_what_does_not_go_together(place: int, value: Any, said: str) -> None:
    args = lstm_arguments(T, random(T, (5, 3, 2)), UNITS, 2, 1)
    args += [None, 0.0, False, UNITS, 2, False, 0]
    args[place] = value
    with pytest.raises(KernelError, match=said):
        reference(*args)
