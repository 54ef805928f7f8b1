"""BFloat16 and Half as LLVM vectors of 16-bit integers: to float and back.

Both lie in memory as bits. BFloat16 is the upper half of a float. Half has an exponent of its own,
and processors have instructions to convert it from AVX2's generation on (F16C); before, it takes the
arithmetic below, which is exact one way and rounds to the nearest the other. ComplexHalf is twice as
many halves.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from registry_runtime.aten.tensor.scalar_type import ScalarType

I16, I32, F32 = ir.IntType(16), ir.IntType(32), ir.FloatType()


def splat(type_: Any, number: float) -> Any:
    return ir.Constant(type_, [number] * type_.count)


def widened(T: ScalarType, builder: Any, a: Any, has_f16c: bool) -> Any:
    """BFloat16 or Half as float; exact."""
    n = a.type.count
    floats, words = ir.VectorType(F32, n), ir.VectorType(I32, n)
    if T is ScalarType.BFloat16:
        bits = builder.shl(builder.zext(a, words), splat(words, 16))
        return builder.bitcast(bits, floats)
    if has_f16c:
        return builder.fpext(builder.bitcast(a, ir.VectorType(ir.HalfType(), n)), floats)
    # Without the instruction: the exponent is made right by a product with 2**112, which is exact
    # for subnormal numbers too; infinities and NaNs get the largest exponent.
    word = builder.zext(a, words)
    magnitude = builder.and_(word, splat(words, 0x7FFF))
    shifted = builder.bitcast(builder.shl(magnitude, splat(words, 13)), floats)
    scaled = builder.bitcast(builder.fmul(shifted, splat(floats, 2.0**112)), words)
    special = builder.icmp_unsigned(">=", magnitude, splat(words, 0x7C00))
    top = builder.select(special, splat(words, 0x7F800000), splat(words, 0))
    sign = builder.shl(builder.and_(word, splat(words, 0x8000)), splat(words, 16))
    return builder.bitcast(builder.or_(builder.or_(scaled, top), sign), floats)


def narrowed(T: ScalarType, builder: Any, a: Any, has_f16c: bool) -> Any:
    """float as BFloat16 or Half: to the nearest, of two equally near ones to the even."""
    n = a.type.count
    words, halves = ir.VectorType(I32, n), ir.VectorType(I16, n)
    bits = builder.bitcast(a, words)
    if T is ScalarType.BFloat16:
        odd = builder.and_(builder.lshr(bits, splat(words, 16)), splat(words, 1))
        rounded = builder.add(bits, builder.add(odd, splat(words, 0x7FFF)))
        nan = builder.fcmp_unordered("uno", a, a)
        shifted = builder.lshr(
            builder.select(nan, splat(words, 0x7FC00000), rounded), splat(words, 16)
        )
        return builder.trunc(shifted, halves)
    if has_f16c:
        return builder.bitcast(builder.fptrunc(a, ir.VectorType(ir.HalfType(), n)), halves)
    sign = builder.lshr(builder.and_(bits, splat(words, 0x80000000)), splat(words, 16))
    magnitude = builder.and_(bits, splat(words, 0x7FFFFFFF))
    # Normal numbers: drop 13 bits and rebase the exponent, rounding as the sum carries.
    odd = builder.and_(builder.lshr(magnitude, splat(words, 13)), splat(words, 1))
    biased = builder.add(builder.add(magnitude, splat(words, 0xFFF)), odd)
    normal = builder.lshr(builder.sub(biased, splat(words, 112 << 23)), splat(words, 13))
    # Subnormal ones: adding 0.5 leaves them, rounded, in the low bits.
    floats = ir.VectorType(F32, n)
    summed = builder.fadd(builder.bitcast(magnitude, floats), splat(floats, 0.5))
    small = builder.sub(builder.bitcast(summed, words), splat(words, 0x3F000000))
    result = builder.select(
        builder.icmp_unsigned("<", magnitude, splat(words, 113 << 23)), small, normal
    )
    too_large = builder.icmp_unsigned(">=", magnitude, splat(words, 143 << 23))
    result = builder.select(too_large, splat(words, 0x7C00), result)
    nan = builder.icmp_unsigned(">", magnitude, splat(words, 0x7F800000))
    result = builder.select(nan, splat(words, 0x7E00), result)
    return builder.trunc(builder.or_(result, sign), halves)
