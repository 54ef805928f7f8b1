"""The frames of a signal on the GPU: CUDA gathers and scatters them, and NVIDIA's cuFFT transforms."""

from __future__ import annotations

import math
from typing import Any

from registry_runtime.kernels import cuda_source, gpu
from registry_runtime.kernels.stft.spectrum import check_grad, complex_of
from registry_runtime.phi.data_type import DataType

CUDA = """
#define EACH(i, size)                                                              \\
  for (long long i = blockIdx.x * (long long)THREADS + threadIdx.x; i < (size);    \\
       i += gridDim.x * (long long)THREADS)

// Frames under the window, of (batch, frames, n).
extern "C" __global__ void windowed(
    const T* x, const T* window, T scale, T* framed, long long size, long long length,
    long long frames, long long n, long long hop) {
  EACH(i, size) {
    long long frame = over(i, n), t = i - frame * n, row = over(frame, frames);
    framed[i] = x[row * length + (frame - row * frames) * hop + t] * (window[t] * scale);
  }
}

// Half spectra, of (batch, frames, n / 2 + 1), to whole or half ones of (batch, bins, frames).
extern "C" __global__ void by_frequency(
    const C* half, C* out, long long size, long long bins, long long frames, long long n) {
  EACH(i, size) {
    long long line = over(i, frames), row = over(line, bins), k = line - row * bins;
    long long frame = row * frames + i - line * frames, mine = k > n / 2 ? n - k : k;
    C value = half[frame * (n / 2 + 1) + mine];
    out[i] = C(value.real(), mine == k ? value.imag() : -value.imag());
  }
}

// What of the gradients is as symmetric as a real frame's spectrum: half of it, frame by frame.
extern "C" __global__ void by_frame(
    const C* grad, C* half, long long size, long long bins, long long frames, long long n) {
  EACH(i, size) {
    long long frame = over(i, n / 2 + 1), k = i - frame * (n / 2 + 1), row = over(frame, frames);
    const C* mine = grad + row * bins * frames + frame - row * frames;
    long long other = k ? n - k : 0;
    T real = 0, imag = 0;
    if (k < bins) real += mine[k * frames].real(), imag += mine[k * frames].imag();
    if (other < bins) real += mine[other * frames].real(), imag -= mine[other * frames].imag();
    half[i] = C(real / 2, imag / 2);
  }
}

// A thread adds up what each frame has for its sample.
extern "C" __global__ void overlapped(
    const T* framed, const T* window, T scale, T* x_grad, long long size, long long length,
    long long frames, long long n, long long hop) {
  EACH(i, size) {
    long long row = over(i, length), at = i - row * length, last = over(at, hop);
    T total = 0;
    for (long long frame = last < frames ? last : frames - 1; frame >= 0; --frame) {
      long long t = at - frame * hop;
      if (t >= n) break;
      total += framed[(row * frames + frame) * n + t] * (window[t] * scale);
    }
    x_grad[i] = total;
  }
}
"""


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=T, C=complex_of(T))


def build(cupy: Any, T: DataType) -> Any:
    module, number = gpu.compiled(cupy, cuda_text(T)), T.numpy.type
    windowed, by_frequency = map(module.get_function, ("windowed", "by_frequency"))

    def run(x: Any, window: Any, n: int, hop: int, normalized: bool, _: bool, out: Any) -> None:
        if not out.size:
            return
        (batch, length), (bins, frames) = x.shape, out.shape[1:]
        scale = number(1 / math.sqrt(n) if normalized else 1)
        framed = cupy.empty((batch, frames, n), T.numpy)
        sizes = (framed.size, length, frames, n, hop)
        windowed(*cuda_source.over_all(framed.size), (x, window, scale, framed, *sizes))
        spectrum = cupy.fft.rfft(framed)
        by_frequency(*cuda_source.over_all(out.size), (spectrum, out, out.size, bins, frames, n))

    return run


def grad_build(cupy: Any, T: DataType) -> Any:
    module, number = gpu.compiled(cupy, cuda_text(T)), T.numpy.type
    by_frame, overlapped = map(module.get_function, ("by_frame", "overlapped"))

    def run(
        x: Any, window: Any, grad: Any, n: int, hop: int, normalized: bool, _: bool, x_grad: Any
    ) -> None:
        check_grad(T, x, grad)
        if not x_grad.size:
            return
        (batch, length), (bins, frames) = x.shape, grad.shape[1:]
        spectrum = cupy.empty((batch, frames, n // 2 + 1), complex_of(T).numpy)
        how = (spectrum.size, bins, frames, n)
        by_frame(*cuda_source.over_all(spectrum.size), (grad, spectrum, *how))
        framed = cupy.fft.irfft(spectrum, n)  # which divides by n
        scale = number(math.sqrt(n) if normalized else n)
        sizes = (x_grad.size, length, frames, n, hop)
        overlapped(*cuda_source.over_all(x_grad.size), (framed, window, scale, x_grad, *sizes))

    return run
