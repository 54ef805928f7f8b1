"""`stft` and `stft_grad`: the spectrum of each frame of a signal, and where its gradient goes.

A frame is `n_fft` samples under a window; the next begins `hop_length` later. Real frames have
spectra that are symmetric, so half of one is enough (`onesided`). A block of frames is gathered,
transformed lane by lane (`fourier.py`), and lies then as the output wants it: frequency by
frequency.

The gradient of a frame is the transform the other way, of the spectrum's gradient, of which only
the real part counts; where frames overlap their gradients add up. On the GPU, NVIDIA's cuFFT
transforms.

Source: `paddle/phi/kernels/impl/stft_kernel_impl.h`, `stft_grad_kernel_impl.h`. Paddle 3.3.1 itself
throws where `onesided` is false; what PyTorch does then is done here.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, gpu
from registry_runtime.kernels.template import (
    Context,
    KernelError,
    KernelTemplate,
    Out,
    random_array,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.binary import StftInferMeta
from registry_runtime.phi.infermeta.unary import UnchangedInferMeta


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    window: DenseTensor,
    n_fft: int,
    hop_length: int,
    normalized: bool,
    onesided: bool,
    out: Out,
) -> None: ...


def grad_signature(
    dev_ctx: Context,
    x: DenseTensor,
    window: DenseTensor,
    out_grad: DenseTensor,
    n_fft: int,
    hop_length: int,
    normalized: bool,
    onesided: bool,
    x_grad: Out,
) -> None: ...


transform = lanes = width = zero = half = cast(Any, None)  # open names
put = copied = cast(Any, None)


def put_pairs(out: Any, at: int, count: int, room: Any, ar: Any, ai: Any, br: Any, bi: Any) -> None:
    """The first `count` frames, of two lanes each of both parts, as complex numbers."""
    target, to = (out, at) if count == 2 * width else (room, 0)
    lanes.store_pairs(target, to, ar, ai)
    lanes.store_pairs(target, to + 2 * width, br, bi)
    if count < 2 * width:
        for i in range(2 * count):
            out[at + i] = room[i]


def copied_pairs(array: Any, at: int, count: int, room: Any) -> None:
    """The other way, as far as `room`; what there is none of is 0."""
    for i in range(2 * count):
        room[i] = array[at + i]
    for i in range(2 * count, room.size):
        room[i] = zero


def spectra(
    begin: int, end: int, x: Any, window: Any, cos: Any, sin: Any, sizes: Any, out: Any
) -> None:
    """Blocks of 2 * width frames of x. `sizes` holds hop_length, the numbers of frequencies and of
    frames, and the factors of n_fft; `out` is flat, of real and imaginary parts."""
    hop, bins, frames, n = sizes[0], sizes[1], sizes[2], window.size
    size, blocks = n * width, (frames + 2 * width - 1) // (2 * width)
    work, room = np.empty(4 * size, x.dtype), np.empty(4 * width, x.dtype)
    by, minus = lanes.spread(half), lanes.spread(-half)
    for piece in range(begin, end):
        row, first = piece // blocks, piece % blocks * 2 * width
        count = min(2 * width, frames - first)
        for lane in range(2 * width):
            place = lane if lane < width else size + lane - width
            if lane < count:
                samples = x[row, (first + lane) * hop : (first + lane) * hop + n]
                for t in range(n):
                    work[place + t * width] = samples[t] * window[t]
            else:
                for t in range(n):
                    work[place + t * width] = zero
        at = transform(work, sizes[3:], cos, sin)
        for k in range(n // 2 + 1):
            low, high = at + k * width, at + (n - k) % n * width
            zr, zi = lanes.load(work, low), lanes.load(work, low + size)
            yr, yi = lanes.load(work, high), lanes.load(work, high + size)
            ar, br, a, b = by * (zr + yr), by * (zi + yi), zi - yi, yr - zr
            to = 2 * ((row * bins + k) * frames + first)
            put(out, to, count, room, ar, by * a, br, by * b)
            if bins == n and 0 < k < n - k:
                to = 2 * ((row * bins + n - k) * frames + first)
                put(out, to, count, room, ar, minus * a, br, minus * b)


def frame_gradients(
    begin: int, end: int, grad: Any, window: Any, cos: Any, sin: Any, sizes: Any, framed: Any
) -> None:
    """`grad`, as `out` above, to `framed` of (batch, frames, n_fft)."""
    bins, frames, n = sizes[1], sizes[2], window.size
    size, blocks = n * width, (frames + 2 * width - 1) // (2 * width)
    work, room = np.empty(4 * size, framed.dtype), np.empty(4 * width, framed.dtype)
    by, minus, none = lanes.spread(half), lanes.spread(-half), lanes.spread(zero)
    for piece in range(begin, end):
        row, first = piece // blocks, piece % blocks * 2 * width
        count = min(2 * width, frames - first)
        for k in range(n // 2 + 1):
            # Half of the number at k and of the conjugate of that at n - k; they may be one.
            ar, ai, br, bi = none, none, none, none
            for this in (k, (n - k) % n):
                if this < bins:
                    source, place = grad, 2 * ((row * bins + this) * frames + first)
                    if count < 2 * width:
                        copied(grad, place, count, room)
                        source, place = room, 0
                    a = lanes.load_pairs(source, place)
                    b = lanes.load_pairs(source, place + 2 * width)
                    sign = by if this == k else minus
                    ar, ai = ar + by * a[0], ai + sign * a[1]
                    br, bi = br + by * b[0], bi + sign * b[1]
                if this == k and (n - k) % n == k:
                    ar, ai, br, bi = ar + ar, none, br + br, none
                    break
            # The other way round is the same way with both parts exchanged.
            lanes.store(work, (n - k) % n * width, br - ai)
            lanes.store(work, (n - k) % n * width + size, ar + bi)
            lanes.store(work, k * width, ai + br)
            lanes.store(work, k * width + size, ar - bi)
        at = transform(work, sizes[3:], cos, sin)
        for lane in range(count):
            place = at + (size + lane if lane < width else lane - width)
            target = framed[row, first + lane]
            for t in range(n):
                target[t] = work[place + t * width] * window[t]


def overlapped(begin: int, end: int, framed: Any, sizes: Any, x_grad: Any) -> None:
    """Each row of `x_grad` in pieces of `sizes[1]` samples."""
    hop, long, n, length = sizes[0], sizes[1], framed.shape[2], x_grad.shape[1]
    pieces = (length + long - 1) // long
    for piece in range(begin, end):
        row, low = piece // pieces, piece % pieces * long
        high = min(low + long, length)
        target = x_grad[row, low:high]
        target[:] = zero
        for frame in range(max(0, (low - n) // hop + 1), framed.shape[1]):
            start = frame * hop
            if start >= high:
                break
            at, end_here = max(start, low), min(start + n, high)
            to, source = target[at - low :], framed[row, frame, at - start :]
            for i in range(end_here - at):
                to[i] += source[i]


_PIECE = 4096


def _names(T: DataType) -> dict[str, Any]:
    from registry_runtime.kernels import fourier, lanes, loops, numbers

    names = {
        "transform": fourier.transform,
        "lanes": lanes,
        "width": fourier.width(T),
        "zero": T.numpy.type(0),
        "half": T.numpy.type(0.5),
        "np": np,
        "min": min,
        "max": max,
    }
    for name, function in (("put", put_pairs), ("copied", copied_pairs)):
        names[name] = numbers.njit(loops.bind(function, f"{name}_{T}", names))
    return names


@lru_cache(maxsize=64)
def _planned(T: DataType, n_fft: int, hop_length: int, bins: int, frames: int) -> tuple[Any, ...]:
    from registry_runtime.kernels import fourier

    factors, cos, sin = fourier.plan(n_fft, T)
    return cos, sin, np.concatenate([[hop_length, bins, frames], factors])


def numba_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import fourier, rows

    table, block = [(T, 1), (T, 1), (T, 1), (DataType.INT64, 1)], 2 * fourier.width(T)
    made = rows.rows(spectra, T, [(T, 2), *table, (T, 1)], _names(T))

    def run(x: Any, window: Any, n: int, hop: int, normalized: bool, _: bool, out: Any) -> None:
        if out.size:
            batch, bins, frames = out.shape
            made.run(
                batch * -(-frames // block),
                2 * out.nbytes,
                rows.flat(x, *x.shape),
                scaled(window, normalized),
                *_planned(T, n, hop, bins, frames),
                out.reshape(-1).view(T.numpy),
            )

    return cpu.Compiled(run, made.from_cache, made.code, made.llvm)


def grad_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import fourier, rows

    table, block = [(T, 1), (T, 1), (T, 1), (DataType.INT64, 1)], 2 * fourier.width(T)
    made = rows.rows(frame_gradients, T, [(T, 1), *table, (T, 3)], _names(T))
    adding = rows.rows(overlapped, T, [(T, 3), (DataType.INT64, 1), (T, 2)], _names(T))

    def run(
        x: Any, window: Any, grad: Any, n: int, hop: int, normalized: bool, _: bool, x_grad: Any
    ) -> None:
        check(T, x, grad)
        if not x_grad.size:
            return
        batch, bins, frames = grad.shape
        framed = np.empty((batch, frames, n), T.numpy)
        made.run(
            batch * -(-frames // block),
            2 * framed.nbytes,
            rows.flat(grad, grad.size).view(T.numpy),
            scaled(window, normalized),
            *_planned(T, n, hop, bins, frames),
            framed,
        )
        sizes, pieces = np.array([hop, _PIECE]), batch * -(-x.shape[1] // _PIECE)
        adding.run(pieces, framed.nbytes, framed, sizes, x_grad)

    return cpu.Compiled(run, made.from_cache, made.code, made.llvm)


def scaled(window: Any, normalized: bool) -> Any:
    """The window, and what `normalized` divides by, in one factor for each sample of a frame."""
    window = window.reshape(-1)
    if normalized:
        return window * window.dtype.type(1 / math.sqrt(window.size))
    return window if window.flags.c_contiguous else window.copy()


def check(T: DataType, x: Any, grad: Any) -> None:
    wanted = np.dtype(f"c{2 * T.numpy.itemsize}")
    if grad.dtype != wanted or len(grad) != len(x):
        raise KernelError(
            f"phi::StftGradKernel<{T}>: out_grad is {grad.dtype} of shape {list(grad.shape)}; "
            f"it must be {wanted} of as many rows as x, {len(x)}"
        )


def framed_positions(frames: int, n_fft: int, hop_length: int) -> Any:
    return np.arange(frames)[:, None] * hop_length + np.arange(n_fft)


def windowed(x: Any, window: Any, n_fft: int, hop_length: int) -> Any:
    """Frames under the window, of (batch, frames, n_fft), in float64."""
    frames = 1 + (x.shape[1] - n_fft) // hop_length
    positions = framed_positions(frames, n_fft, hop_length)
    return np.asarray(x, np.float64)[:, positions] * np.asarray(window, np.float64)


def reference(
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


def grad_reference(
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


def grad_magnitude(
    x: Any, window: Any, grad: Any, n: int, hop: int, normalized: bool, onesided: bool
) -> Any:
    sums = np.abs(np.asarray(grad)).sum(1) / (math.sqrt(n) if normalized else 1)
    return spread_out(x, sums[..., None] * np.abs(np.asarray(window, np.float64)), hop)


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


def complex_of(T: DataType) -> DataType:
    return DataType.COMPLEX64 if T is DataType.FLOAT32 else DataType.COMPLEX128


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=T, C=complex_of(T))


def _over_all(size: int) -> tuple[tuple[int], tuple[int]]:
    return (min(-(-size // cuda_source.THREADS), 1 << 16),), (cuda_source.THREADS,)


def cupy_build(cupy: Any, T: DataType) -> Any:
    module, number = gpu.compiled(cupy, cuda_text(T)), T.numpy.type
    windowed, by_frequency = map(module.get_function, ("windowed", "by_frequency"))

    def run(x: Any, window: Any, n: int, hop: int, normalized: bool, _: bool, out: Any) -> None:
        if not out.size:
            return
        (batch, length), (bins, frames) = x.shape, out.shape[1:]
        scale = number(1 / math.sqrt(n) if normalized else 1)
        framed = cupy.empty((batch, frames, n), T.numpy)
        sizes = (framed.size, length, frames, n, hop)
        windowed(*_over_all(framed.size), (x, window, scale, framed, *sizes))
        spectrum = cupy.fft.rfft(framed)
        by_frequency(*_over_all(out.size), (spectrum, out, out.size, bins, frames, n))

    return run


def cupy_grad(cupy: Any, T: DataType) -> Any:
    module, number = gpu.compiled(cupy, cuda_text(T)), T.numpy.type
    by_frame, overlapped = map(module.get_function, ("by_frame", "overlapped"))

    def run(
        x: Any, window: Any, grad: Any, n: int, hop: int, normalized: bool, _: bool, x_grad: Any
    ) -> None:
        check(T, x, grad)
        if not x_grad.size:
            return
        (batch, length), (bins, frames) = x.shape, grad.shape[1:]
        spectrum = cupy.empty((batch, frames, n // 2 + 1), complex_of(T).numpy)
        how = (spectrum.size, bins, frames, n)
        by_frame(*_over_all(spectrum.size), (grad, spectrum, *how))
        framed = cupy.fft.irfft(spectrum, n)  # which divides by n
        scale = number(math.sqrt(n) if normalized else n)
        sizes = (x_grad.size, length, frames, n, hop)
        overlapped(*_over_all(x_grad.size), (framed, window, scale, x_grad, *sizes))

    return run


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    n_fft = max(1, min(512, size))
    hop = max(1, n_fft // 4)
    length = max(n_fft, min(size, 16_384))
    x = random_array(T, (max(1, size // length), length), rng)
    window = np.hanning(n_fft + 2)[1:-1].astype(T.numpy)
    return x, window, n_fft, hop, False, True


def grad_sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    x, window, n_fft, hop, *how = sample(T, size, rng)
    shape = (len(x), n_fft // 2 + 1, 1 + (x.shape[1] - n_fft) // hop)
    return x, window, random_array(complex_of(T), shape, rng), n_fft, hop, *how


StftKernel = KernelTemplate(
    name="phi::StftKernel",
    signature=signature,
    dtypes=frozenset({DataType.FLOAT32, DataType.FLOAT64}),
    infer_meta=StftInferMeta,
    reference=reference,
    builders={"CPU": cpu.function(numba_build), "GPU": gpu.function(cupy_build, cuda_text)},
    sample=sample,
    roundings=8,
    magnitude=magnitude,
)
StftGradKernel = KernelTemplate(
    name="phi::StftGradKernel",
    signature=grad_signature,
    dtypes=frozenset({DataType.FLOAT32, DataType.FLOAT64}),
    infer_meta=UnchangedInferMeta,
    param=("x",),
    reference=grad_reference,
    builders={"CPU": cpu.function(grad_build), "GPU": gpu.function(cupy_grad, cuda_text)},
    sample=grad_sample,
    accepts={"out_grad": frozenset({DataType.COMPLEX64, DataType.COMPLEX128})},
    roundings=8,
    magnitude=grad_magnitude,
)
