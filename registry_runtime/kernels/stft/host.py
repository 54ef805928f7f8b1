"""The frames of a signal, transformed on the CPU, and the way back.

A block of frames is gathered, transformed lane by lane (`fourier.py`), and lies then as the output
wants it: frequency by frequency. A real frame's even samples and its odd ones make one complex frame
of half the length; where n_fft is odd, all of it is transformed.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, cast

import numpy as np

from registry_runtime.kernels import cpu
from registry_runtime.kernels.stft.spectrum import check_grad, complex_of
from registry_runtime.phi.data_type import DataType

transform = lanes = width = zero = half = cast(Any, None)  # open names


def spectra(
    begin: int, end: int, x: Any, window: Any, tables: Any, sizes: Any, numbers: Any
) -> None:
    """Blocks of `width` frames of x. `sizes` and `tables` are `_planned`'s; `numbers` is the output,
    of real and imaginary parts."""
    hop, bins, frames, n = sizes[0], sizes[1], sizes[2], window.size
    long, out = tables.size // 2 - n, numbers.reshape(-1)
    cos, sin = tables[:long], tables[long : 2 * long]
    turn_cos, turn_sin = tables[2 * long : 2 * long + n], tables[2 * long + n :]
    size, blocks, parts = long * width, (frames + width - 1) // width, n // long
    work = np.empty(4 * size, x.dtype)
    raw = 2 * size  # where the transform will write first
    by, none = lanes.spread(half), lanes.spread(zero)
    for piece in range(begin, end):
        row, first = piece // blocks, piece % blocks * width
        count, turned = min(width, frames - first), 0
        if count == width:
            turned = n // width * width
            for t in range(0, turned, width):
                lanes.turn(x[row], first * hop + t, hop, work, raw + t * width, width)
        else:
            for t in range(n):
                lanes.store(work, raw + t * width, none)
        for lane in range(count):
            samples = x[row, (first + lane) * hop : (first + lane) * hop + n]
            for t in range(turned, n):
                work[raw + t * width + lane] = samples[t]
        for part in range(parts):
            for i in range(long):
                t = i * parts + part
                sample = lanes.load(work, raw + t * width) * lanes.spread(window[t])
                lanes.store(work, part * size + i * width, sample)
        if parts == 1:
            for t in range(n):
                lanes.store(work, size + t * width, none)
        at = transform(work, sizes[3:], cos, sin)
        for k in range(long // 2 + 1):
            low, high = at + k * width, at + (long - k if k else 0) * width
            re, im = lanes.load(work, low), lanes.load(work, low + size)
            last = k
            if parts == 2:
                yr, yi = lanes.load(work, high), lanes.load(work, high + size)
                # The spectra of the even samples and of the odd ones; these are half a turn on.
                er, ei, dr, di = by * (re + yr), by * (im - yi), by * (im + yi), by * (yr - re)
                c, s = lanes.spread(turn_cos[k]), lanes.spread(turn_sin[k])
                tr, ti = dr * c - di * s, dr * s + di * c
                re, im, last = er + tr, ei + ti, long - k
            to = 2 * ((row * bins + k) * frames + first)
            lanes.store_pairs(out, to, count, re, im)
            if bins == n and k > 0:
                to += 2 * (n - 2 * k) * frames
                lanes.store_pairs(out, to, count, re, none - im)
            if last != k:
                to = 2 * ((row * bins + last) * frames + first)
                lanes.store_pairs(out, to, count, er - tr, ti - ei)
                if bins == n and last < n - last:
                    to = 2 * ((row * bins + n - last) * frames + first)
                    lanes.store_pairs(out, to, count, er - tr, ei - ti)


def frame_gradients(
    begin: int, end: int, numbers: Any, window: Any, tables: Any, sizes: Any, framed: Any
) -> None:
    """The output's gradient, as `numbers` above, to `framed` of (batch, frames, n_fft)."""
    bins, frames, n = sizes[1], sizes[2], window.size
    long, grad, flat = tables.size // 2 - n, numbers.reshape(-1), framed.reshape(-1)
    cos, sin = tables[:long], tables[long : 2 * long]
    turn_cos, turn_sin = tables[2 * long : 2 * long + n], tables[2 * long + n :]
    size, blocks, parts = long * width, (frames + width - 1) // width, n // long
    work = np.empty(4 * size, framed.dtype)
    by, none = lanes.spread(half), lanes.spread(zero)
    for piece in range(begin, end):
        row, first = piece // blocks, piece % blocks * width
        count = min(width, frames - first)
        for k in range(long // 2 + 1):
            last = long - k if parts == 2 else k
            ar, ai, br, bi = none, none, none, none
            for this in (k, last):
                # Half of the number here and of the conjugate of that at the other end.
                other = n - this if this else 0
                near = lanes.load_pairs(grad, 2 * ((row * bins + this) * frames + first), count)
                br, bi = by * near[0], by * near[1]
                if other == this:
                    br, bi = br + br, none
                elif bins == n:
                    far = lanes.load_pairs(grad, 2 * ((row * bins + other) * frames + first), count)
                    br, bi = br + by * far[0], bi - by * far[1]
                if this == k:
                    ar, ai = br, bi
            low, high = k * width, (long - k if k else 0) * width
            if parts == 2:
                er, ei, dr, di = ar + br, ai - bi, ar - br, ai + bi
                c, s = lanes.spread(turn_cos[k]), lanes.spread(turn_sin[k])
                tr, ti = dr * c + di * s, di * c - dr * s
                ar, ai, br, bi = er - ti, ei + tr, er + ti, tr - ei
            else:
                br, bi = ar, none - ai
            # The other way round is the same way with both parts exchanged.
            lanes.store(work, high, bi)
            lanes.store(work, high + size, br)
            lanes.store(work, low, ai)
            lanes.store(work, low + size, ar)
        at = transform(work, sizes[3:], cos, sin)
        raw = 2 * size - at
        for part in range(parts):
            for i in range(long):
                t = i * parts + part
                sample = lanes.load(work, at + (1 - part) * size + i * width)
                lanes.store(work, raw + t * width, sample * lanes.spread(window[t]))
        turned = n // width * width if count == width else 0
        for t in range(0, turned, width):
            lanes.turn(work, raw + t * width, width, flat, (row * frames + first) * n + t, n)
        for lane in range(count):
            target = framed[row, first + lane]
            for t in range(turned, n):
                target[t] = work[raw + t * width + lane]


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
    from registry_runtime.kernels import fourier, lanes

    return {
        "transform": fourier.transform,
        "lanes": lanes,
        "width": fourier.width(T),
        "zero": T.numpy.type(0),
        "half": T.numpy.type(0.5),
        "np": np,
        "min": min,
        "max": max,
    }


@lru_cache(maxsize=64)
def _planned(T: DataType, n_fft: int, hop_length: int, bins: int, frames: int) -> tuple[Any, Any]:
    """In one array cos and sin for the length that is transformed, half of n_fft if that is even,
    and for n_fft; in another hop_length, the numbers of frequencies and of frames, and the length's
    factors."""
    from registry_runtime.kernels import fourier

    factors, *tables = fourier.plan(n_fft if n_fft % 2 else n_fft // 2, T)
    sizes = np.concatenate([[hop_length, bins, frames], factors])
    return np.concatenate([*tables, *fourier.plan(n_fft, T)[1:]]), sizes


def build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import fourier, rows

    block, table = fourier.width(T), [(T, 1), (DataType.INT64, 1)]
    made = rows.rows(spectra, T, [(T, 2), (T, 1), *table, (T, 3)], _names(T))

    def plan(metas: Any, n: int, hop: int, normalized: bool, _: bool) -> Any:
        batch, bins, frames = metas[0].dims
        nbytes, numbers = 2 * metas[0].numel * metas[0].dtype.numpy.itemsize, T.numpy
        transform = made.of(batch * -(-frames // block), nbytes)
        tables, sizes = _planned(T, n, hop, bins, frames)

        def run(x: Any, window: Any, out: Any) -> None:
            if not x.flags.carray:
                x = rows.flat(x, *x.shape)
            if nbytes:
                transform(x, scaled(window, normalized), tables, sizes, out.view(numbers))

        return run

    return cpu.Compiled(plan, made.from_cache, made.code, made.llvm)


def grad_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import fourier, rows

    block, table = fourier.width(T), [(T, 1), (DataType.INT64, 1)]
    made = rows.rows(frame_gradients, T, [(T, 3), (T, 1), *table, (T, 3)], _names(T))
    adding = rows.rows(overlapped, T, [(T, 3), (DataType.INT64, 1), (T, 2)], _names(T))

    def plan(metas: Any, n: int, hop: int, normalized: bool, _: bool) -> Any:
        (_, length), some = metas[0].dims, metas[0].numel > 0
        numbers, wanted, steps = T.numpy, complex_of(T).numpy, np.array([hop, _PIECE])

        @lru_cache(maxsize=16)
        def for_shape(batch: int, bins: int, frames: int) -> tuple[Any, ...]:
            nbytes = batch * frames * n * numbers.itemsize
            transform = made.of(batch * -(-frames // block), 2 * nbytes)
            add = adding.of(batch * -(-length // _PIECE), nbytes)
            return transform, *_planned(T, n, hop, bins, frames), (batch, frames, n), add

        def run(x: Any, window: Any, grad: Any, x_grad: Any) -> None:
            if grad.dtype is not wanted or len(grad) != len(x):
                check_grad(T, x, grad)
            if not some:
                return
            transform, tables, sizes, shape, add = for_shape(*grad.shape)
            if not grad.flags.carray:
                grad = rows.flat(grad, *grad.shape)
            framed = np.empty(shape, numbers)
            transform(grad.view(numbers), scaled(window, normalized), tables, sizes, framed)
            add(framed, steps, x_grad)

        return run

    return cpu.Compiled(plan, made.from_cache, made.code, made.llvm)


def scaled(window: Any, normalized: bool) -> Any:
    """The window, and what `normalized` divides by, in one factor for each sample of a frame."""
    window = window if window.flags.carray else np.array(window, order="C")
    window = window if window.ndim == 1 else window.reshape(-1)
    return window * window.dtype.type(1 / math.sqrt(window.size)) if normalized else window
