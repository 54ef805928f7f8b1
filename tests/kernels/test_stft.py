"""stft and its gradient: all kinds of lengths, and the gradient against finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.shapes import assert_agrees, built, random

FLOATS = [DataType.FLOAT32, DataType.FLOAT64]
COMPLEX = {DataType.FLOAT32: DataType.COMPLEX64, DataType.FLOAT64: DataType.COMPLEX128}


def shape_of(batch, length, n_fft, hop, onesided):
    return batch, n_fft // 2 + 1 if onesided else n_fft, 1 + (length - n_fft) // hop


@given(
    st.sampled_from(FLOATS),
    st.integers(0, 3),
    st.integers(1, 70),
    st.integers(1, 40),
    st.integers(0, 300),
    st.booleans(),
    st.booleans(),
)
@example(DataType.FLOAT32, 1, 512, 128, 16_384, False, True)
@example(DataType.FLOAT64, 2, 400, 160, 3_000, True, False)
@example(DataType.FLOAT32, 1, 211, 1, 40, False, False)
@example(DataType.FLOAT64, 1, 3, 1, 10, False, False)  # once a small frame took a large one's error
@settings(max_examples=40)
def test_spectra_and_their_gradients(dtype, batch, n_fft, hop, more, normalized, onesided):
    x, window = random(dtype, (batch, n_fft + more)), random(dtype, (n_fft,))
    how = (n_fft, hop, normalized, onesided)
    assert_agrees(built("Stft", dtype), x, window, *how)
    grad = random(COMPLEX[dtype], shape_of(*x.shape, n_fft, hop, onesided))
    assert_agrees(built("StftGrad", dtype), x, window, grad, *how)


@pytest.mark.parametrize("onesided", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("n_fft", [5, 8])
def test_the_gradient_is_that_of_finite_differences(n_fft, normalized, onesided):
    T, how = DataType.FLOAT64, (n_fft, 3, normalized, onesided)
    x, window = random(T, (2, 17)), random(T, (n_fft,))
    weight = random(DataType.COMPLEX128, shape_of(2, 17, n_fft, 3, onesided))
    forward = built("Stft", T).launch

    def loss(signal):
        out = forward(signal, window, *how)
        return float((out.real * weight.real + out.imag * weight.imag).sum())

    result = built("StftGrad", T).launch(x, window, weight, *how)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-3
        slope = (loss(x + step) - loss(x - step)) / 2e-3
        assert result[place] == pytest.approx(slope, abs=1e-8)


@pytest.mark.parametrize("n_fft", [7, 16, 32])
def test_a_frame_that_holds_no_number_spoils_no_other(n_fft):
    x = random(DataType.FLOAT32, (1, 40 * n_fft))
    x[0, 5 * n_fft] = np.nan
    window = np.ones(n_fft, np.float32)
    spectra = built("Stft", DataType.FLOAT32).launch(x, window, n_fft, n_fft, False, True)
    assert np.flatnonzero(np.isnan(spectra[0, 1])).tolist() == [5]
    grad = spectra.copy()
    result = built("StftGrad", DataType.FLOAT32).launch(x, window, grad, n_fft, n_fft, False, True)
    assert set(np.flatnonzero(np.isnan(result[0])) // n_fft) == {5}


def test_a_tone_is_at_its_frequency():
    x = np.cos(2 * np.pi * 5 * np.arange(256, dtype=np.float32) / 64)[None]
    spectra = built("Stft", DataType.FLOAT32).launch(
        x, np.ones(64, np.float32), 64, 16, False, True
    )
    assert spectra.shape == (1, 33, 13)
    np.testing.assert_allclose(np.abs(spectra[0, 5]), 32, rtol=1e-5)
    assert np.abs(np.delete(spectra[0], 5, 0)).max() < 1e-3


def test_a_large_signal_on_all_cores_is_transformed_alike():
    T = DataType.FLOAT32
    x, window = random(T, (3, 200_000)), random(T, (256,))
    kernel = built("Stft", T)
    result = kernel.launch(x, window, 256, 64, False, True)
    assert kernel.agrees((x, window, 256, 64, False, True), result)
    grad = built("StftGrad", T)
    arguments = (x, window, result, 256, 64, False, True)
    assert grad.agrees(arguments, grad.launch(*arguments))


@pytest.mark.parametrize(
    ("x", "window", "n_fft", "hop", "said"),
    [
        ((16,), (8,), 8, 4, r"should be a tensor with shape \[N, T\], but got rank 1"),
        ((2, 16), (6,), 8, 4, "should be equal with n_fft 8, but got 6"),
        ((2, 16), (8,), 8, 0, r"Attribute\(hop_length\) should be greater than 0, but got 0"),
        ((2, 7), (8,), 8, 4, r"less equal than sequence length, but got \(8\) > \(7\)"),
    ],
)
def test_what_is_refused(x, window, n_fft, hop, said):
    T = DataType.FLOAT32
    with pytest.raises(KernelError, match=said):
        built("Stft", T).launch(random(T, x), random(T, window), n_fft, hop, False, True)


def test_a_gradient_of_another_type_is_refused():
    T = DataType.FLOAT32
    x, window = random(T, (1, 16)), random(T, (8,))
    with pytest.raises(KernelError, match=r"out_grad is complex128 of shape .* must be complex64"):
        built("StftGrad", T).launch(x, window, np.ones((1, 5, 3), np.complex128), 8, 4, False, True)
