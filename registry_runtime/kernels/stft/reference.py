"""What NumPy makes of the frames, in float64, and how large the sums are that it rounds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def framed_positions(frames: int, n_fft: int, hop_length: int) -> Any:
    return np.arange(frames)[:, None] * hop_length + np.arange(n_fft)


def windowed(x: Any, window: Any, n_fft: int, hop_length: int) -> Any:
    """Frames under the window, of (batch, frames, n_fft), in float64."""
    frames = 1 + (x.shape[1] - n_fft) // hop_length
    positions = framed_positions(frames, n_fft, hop_length)
    return np.asarray(x, np.float64)[:, positions] * np.asarray(window, np.float64)


def spectra(
    x: Any, window: Any, n_fft: int, hop_length: int, normalized: bool, onesided: bool
) -> Any:
    frames = windowed(np.asarray(x), window, n_fft, hop_length)
    fft = np.fft.rfft if onesided else np.fft.fft
    return fft(frames, norm="ortho" if normalized else None).swapaxes(1, 2)


def magnitude(
    x: Any, window: Any, n_fft: int, hop_length: int, normalized: bool, onesided: bool
) -> Any:
    sums = np.abs(windowed(np.asarray(x), window, n_fft, hop_length)).sum(-1)
    return (sums / math.sqrt(n_fft) if normalized else sums)[:, None, :]


def gradient(
    x: Any, window: Any, grad: Any, n: int, hop: int, normalized: bool, onesided: bool
) -> Any:
    spectrum = np.asarray(grad).astype(np.complex128).swapaxes(1, 2)
    frames = np.fft.ifft(spectrum, n).real * (math.sqrt(n) if normalized else n)
    return spread_out(x, frames * np.asarray(window), hop)


def spread_out(x: Any, frames: Any, hop_length: int) -> Any:
    """Frames added up where they lie in the signal."""
    out = np.zeros(x.dims)
    positions = framed_positions(frames.shape[1], frames.shape[2], hop_length)
    for row, framed in zip(out, frames, strict=True):
        np.add.at(row, positions, framed)
    return out


def gradient_magnitude(
    x: Any, window: Any, grad: Any, n: int, hop: int, normalized: bool, onesided: bool
) -> Any:
    sums = np.abs(np.asarray(grad)).sum(1) / (math.sqrt(n) if normalized else 1)
    return spread_out(x, sums[..., None] * np.abs(np.asarray(window, np.float64)), hop)
