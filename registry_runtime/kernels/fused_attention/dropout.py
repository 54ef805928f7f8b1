"""Dropout: which elements pass, and by how much those that do grow.

A GPU's threads can't take turns at one generator. Philox is made for that: the n-th block of four
numbers is a function of n and the seed alone, ten rounds of multiplying and mixing, so whoever is in
charge of an element can draw for it. cuRAND has it, and Paddle's kernels draw from it, but which number
is for which element there depends on how a launch is split up; here the n-th is for the n-th element.
Unless it is told to keep the seed, Paddle asks its device's generator for another one each time; here
the seed is the attribute's.

Source: `paddle/phi/kernels/funcs/dropout_impl.cu.h`; J. K. Salmon et al., Parallel Random Numbers: As
Easy as 1, 2, 3.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_ROUNDS = 10
_LOW = np.uint64(0xFFFFFFFF)


def _words(first: NDArray[np.uint64], key: tuple[int, int]) -> list[NDArray[np.uint64]]:
    """Four words of 32 bits for each block, by its number; Philox 4x32-10."""
    shift, zero = np.uint64(32), np.zeros_like(first)
    words = [first & _LOW, first >> shift, zero, zero]
    low, high = key
    for _ in range(_ROUNDS):
        a, b = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        left = b >> shift ^ words[1] ^ np.uint64(low)
        right = a >> shift ^ words[3] ^ np.uint64(high)
        words = [left, b & _LOW, right, a & _LOW]
        low, high = (low + 0x9E3779B9) % 2**32, (high + 0xBB67AE85) % 2**32
    return words


def uniform(seed: int, count: int) -> NDArray[np.float32]:
    """`count` numbers above 0 and up to 1, as cuRAND makes them of words."""
    blocks = np.arange(-(-count // 4), dtype=np.uint64)
    words = np.stack(_words(blocks, (seed % 2**32, (seed >> 32) % 2**32)), axis=1).reshape(-1)
    return words[:count].astype(np.float32) * np.float32(2**-32) + np.float32(2**-33)


class Dropout(NamedTuple):
    """`rate` of the elements become 0 in training. `upscale` makes up for it there, or else what
    comes later in a test is scaled down."""

    rate: float
    upscale: bool
    is_test: bool
    seed: int

    @property
    def draws(self) -> bool:
        return self.rate != 0 and not self.is_test

    @property
    def factor(self) -> float:
        """What an element that passes is multiplied by."""
        if self.is_test:
            return 1.0 if self.upscale else 1 - self.rate
        if not self.upscale:
            return 1.0
        return 1 / (1 - self.rate) if self.rate < 1 else 0.0

    def mask(self, shape: tuple[int, ...]) -> NDArray[np.uint8]:
        """1 for each element that passes, where `draws`."""
        numbers = uniform(self.seed, math.prod(shape)).reshape(shape)
        return (numbers >= np.float32(self.rate)).astype(np.uint8)


UPSCALE = "upscale_in_train"
IMPLEMENTATIONS = ("downgrade_in_infer", UPSCALE)


def of_shares(a: Any) -> Dropout:
    """The first dropout, of attention's shares."""
    upscale = a.attn_dropout_implementation == UPSCALE
    return Dropout(a.attn_dropout_rate, upscale, a.is_test, a.attn_dropout_seed)


def of_output(a: Any) -> Dropout:
    """The second one, of what the last linear layer puts out."""
    upscale = a.dropout_implementation == UPSCALE
    return Dropout(a.dropout_rate, upscale, a.is_test, a.dropout_seed)
