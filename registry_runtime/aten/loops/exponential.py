"""e to the power of each lane, as arithmetic that every processor has.

x is taken apart into n·ln 2 + r with a whole n, so that r is at most ln 2 / 2 on either side of 0.
There Taylor's series ends early: what follows its last term here is smaller than half a unit in the
last place. 2**n is then made of bits, in two halves, because n may be larger than an exponent is.
The result is within 1.2 units in the last place. PyTorch calls Sleef for vectors, which goes the same
way and is within 1 (`Sleef_expf8_u10`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial
from typing import Any

from llvmlite import ir

from registry_runtime.aten.loops.narrow_floats import splat

MultiplyAdd = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class _Format:
    """A floating-point format: its fraction's bits, its exponent's bias, ln 2 in two parts of which
    times n the first is exact, and where results are 0 and infinite for sure."""

    word: Any
    fraction: int
    bias: int
    ln2: tuple[float, float]
    terms: int
    lowest: float
    highest: float


_FORMATS = {
    "float": _Format(
        ir.IntType(32), 23, 127, (0.693359375, -2.12194440054690583e-4), 7, -104.0, 89.0
    ),
    "double": _Format(
        ir.IntType(64),
        52,
        1023,
        (6.93147180369123816490e-1, 1.90821492927058770002e-10),
        13,
        -746.0,
        710.0,
    ),
}


def exponential(builder: Any, x: Any, fma: MultiplyAdd | None) -> Any:
    """exp of a vector of floats or doubles; `fma(a, b, c)` where a * b + c is one instruction."""
    of = _FORMATS[str(x.type.element)]
    words = ir.VectorType(of.word, x.type.count)

    def multiply_add(a: Any, b: Any, c: Any) -> Any:
        return fma(a, b, c) if fma is not None else builder.fadd(builder.fmul(a, b), c)

    def number(value: float) -> Any:
        return splat(x.type, value)

    # Not a NaN, for which both comparisons are false.
    for order, bound in (("<", of.lowest), (">", of.highest)):
        x = builder.select(builder.fcmp_ordered(order, x, number(bound)), number(bound), x)
    # Adding so large a number leaves no bits for a fraction: this rounds.
    large = number(1.5 * 2.0**of.fraction)
    shifted = multiply_add(x, number(1.4426950408889634), large)
    n = builder.fsub(shifted, large)
    r = x
    for part in of.ln2:
        r = multiply_add(n, number(-part), r)
    sum = number(1 / factorial(of.terms))
    for k in reversed(range(of.terms)):
        sum = multiply_add(sum, r, number(1 / factorial(k)))
    whole = builder.sub(builder.bitcast(shifted, words), builder.bitcast(large, words))
    half = builder.ashr(whole, splat(words, 1))
    for exponent in (half, builder.sub(whole, half)):
        biased = builder.add(exponent, splat(words, of.bias))
        power = builder.shl(biased, splat(words, of.fraction))
        sum = builder.fmul(sum, builder.bitcast(power, x.type))
    return sum
