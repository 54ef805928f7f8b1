"""The discrete Fourier transform of many rows at once, a row to each SIMD lane.

The length's factors are taken one after the other. Each pass reads what the last one wrote and
leaves it in the order in which the next wants it (Stockham), so that nothing is ever sorted. Since
neighbouring lanes are different rows, every pass is the same arithmetic on whole registers,
whatever the length.

Two real rows are transformed as the parts of one complex row: what is even in the result is the
first one's, what is odd the second's. This module imports Numba.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from registry_runtime.kernels import lanes, numbers
from registry_runtime.phi.data_type import DataType

_load, _store, _spread = lanes.load, lanes.store, lanes.spread


class Plan(NamedTuple):
    """A length's factors, and cos and sin of each n-th part of a turn, backwards."""

    factors: Any
    cos: Any
    sin: Any


@lru_cache(maxsize=64)
def plan(n: int, T: DataType) -> Plan:
    """For length `n`, of float32 or float64. A prime factor p costs p times its share."""
    factors, rest, p = [], n, 4
    while rest > 1:
        while rest % p == 0:
            factors.append(p)
            rest //= p
        p = {4: 2, 2: 3}.get(p, p + 2)
        p = rest if p * p > rest and p > 3 else p
    angles = -2 * np.pi * np.arange(n) / n
    cos, sin = np.cos(angles).astype(T.numpy), np.sin(angles).astype(T.numpy)
    return Plan(np.array(factors, np.int64), cos, sin)


def width(T: DataType) -> int:
    """How many rows are transformed at once."""
    return lanes.BYTES // T.numpy.itemsize


@numbers.fused
def _twice(work: Any, a: int, b: int, apart: int, block: int, size: int, c: Any, s: Any) -> None:
    cos, sin = _spread(c), _spread(s)
    for i in range(0, block, lanes.BYTES // work.itemsize):
        xr, xi = _load(work, a + i), _load(work, a + i + size)
        yr, yi = _load(work, a + i + apart), _load(work, a + i + apart + size)
        _store(work, b + i, xr + yr)
        _store(work, b + i + size, xi + yi)
        dr, di = xr - yr, xi - yi
        _store(work, b + i + block, dr * cos - di * sin)
        _store(work, b + i + block + size, dr * sin + di * cos)


@numbers.fused
def _four_times(
    work: Any, a: int, b: int, apart: int, block: int, size: int, turn: int, cos: Any, sin: Any
) -> None:
    c1, s1 = _spread(cos[turn]), _spread(sin[turn])
    c2, s2 = _spread(cos[2 * turn]), _spread(sin[2 * turn])
    c3, s3 = _spread(cos[3 * turn]), _spread(sin[3 * turn])
    for i in range(0, block, lanes.BYTES // work.itemsize):
        r0, i0 = _load(work, a + i), _load(work, a + i + size)
        r1, i1 = _load(work, a + i + apart), _load(work, a + i + apart + size)
        r2, i2 = _load(work, a + i + 2 * apart), _load(work, a + i + 2 * apart + size)
        r3, i3 = _load(work, a + i + 3 * apart), _load(work, a + i + 3 * apart + size)
        er, ei, fr, fi = r0 + r2, i0 + i2, r0 - r2, i0 - i2
        gr, gi, hr, hi = r1 + r3, i1 + i3, i1 - i3, r3 - r1  # h is turned by a quarter
        _store(work, b + i, er + gr)
        _store(work, b + i + size, ei + gi)
        r1, i1 = fr + hr, fi + hi
        _store(work, b + i + block, r1 * c1 - i1 * s1)
        _store(work, b + i + block + size, r1 * s1 + i1 * c1)
        r2, i2 = er - gr, ei - gi
        _store(work, b + i + 2 * block, r2 * c2 - i2 * s2)
        _store(work, b + i + 2 * block + size, r2 * s2 + i2 * c2)
        r3, i3 = fr - hr, fi - hi
        _store(work, b + i + 3 * block, r3 * c3 - i3 * s3)
        _store(work, b + i + 3 * block + size, r3 * s3 + i3 * c3)


@numbers.fused
def _any_times(
    work: Any,
    p: int,
    a: int,
    b: int,
    apart: int,
    block: int,
    size: int,
    turn: int,
    cos: Any,
    sin: Any,
) -> None:
    n = cos.size
    for u in range(p):
        for i in range(0, block, lanes.BYTES // work.itemsize):
            r, im = _load(work, a + i), _load(work, a + i + size)
            for t in range(1, p):
                at = t * u % p * (n // p)
                c, s = _spread(cos[at]), _spread(sin[at])
                xr = _load(work, a + i + t * apart)
                xi = _load(work, a + i + t * apart + size)
                r, im = r + (xr * c - xi * s), im + (xr * s + xi * c)
            c, s = _spread(cos[turn * u]), _spread(sin[turn * u])
            _store(work, b + i + u * block, r * c - im * s)
            _store(work, b + i + u * block + size, r * s + im * c)


@numbers.fused
def transform(work: Any, factors: Any, cos: Any, sin: Any) -> int:
    """Transforms what lies in the first half of `work`; gives the place where the result begins.

    `work` is flat, of four times length × width elements: real parts, imaginary parts, and as much
    room again. Element t of the row in lane i lies at t * width + i.
    """
    lane_count, n = lanes.BYTES // work.itemsize, cos.size
    size = n * lane_count
    source, target, stride, left = 0, 2 * size, 1, n
    for p in factors:
        left //= p
        block = stride * lane_count
        for q in range(left):
            a, b, apart, turn = source + q * block, target + q * p * block, left * block, q * stride
            if p == 4:
                _four_times(work, a, b, apart, block, size, turn, cos, sin)
            elif p == 2:
                _twice(work, a, b, apart, block, size, cos[turn], sin[turn])
            else:
                _any_times(work, p, a, b, apart, block, size, turn, cos, sin)
        stride *= p
        source, target = target, source
    return source
