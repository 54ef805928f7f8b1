"""The frames of a signal, transformed on the CPU, and the way back.

A block of frames is gathered, transformed lane by lane (`fourier.py`), and lies then as the output
wants it: frequency by frequency. Two real frames make one complex one, so that one transform does for
both.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu
from registry_runtime.kernels.stft.spectrum import check_grad
from registry_runtime.phi.data_type import DataType

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


def build(loops: Any, T: DataType) -> cpu.Compiled:
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
        check_grad(T, x, grad)
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
