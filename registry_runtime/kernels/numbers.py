"""Numbers that Numba has no words for: half precision, a float's bits, and an exp that vectorises.

LLVM converts between `half` and `float` with one instruction for eight of them. bfloat16 is the
upper half of a float32. `exp` is reduced to a polynomial around 0 (Cody and Waite), without a call
or a branch, so that LLVM can compute it for a whole register at a time; it is within 1 unit in the
last place of the result, 2 below the smallest normal number. This module imports Numba.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir

from registry_runtime.kernels.own_numba import numba
from registry_runtime.phi.data_type import DataType

_types = numba.types


def _intrinsic(function: Callable[..., Any]) -> Any:
    return numba.extending.intrinsic(function)


def njit(function: Callable[..., Any]) -> Any:
    """`numba.njit`, in silence where a number is divided by zero.

    Its arithmetic stays in the order in which it is written, whoever calls it: by default a function
    takes over its caller's `fastmath`, which would simplify the tricks with roundings below away.
    """
    return numba.njit(function, error_model="numpy", fastmath=False)


def fused(function: Callable[..., Any]) -> Any:
    """The same, but a product may be added to without being rounded before."""
    return numba.njit(function, error_model="numpy", fastmath={"contract"})


def _unary(result: Any, code: Any) -> Any:
    """An intrinsic that turns one value into one of another Numba type by `code(builder, value)`."""

    @_intrinsic
    def convert(typing_context: Any, x: Any) -> Any:
        return result(x), lambda context, builder, signature, values: code(builder, values[0])

    return convert


_I16, _I32, _I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
_HALF, _F32, _F64 = ir.HalfType(), ir.FloatType(), ir.DoubleType()

bits32 = _unary(_types.int32, lambda b, x: b.bitcast(x, _I32))
bits64 = _unary(_types.int64, lambda b, x: b.bitcast(x, _I64))
float_of_bits32 = _unary(
    _types.float32, lambda b, x: b.bitcast(b.trunc(x, _I32) if x.type.width > 32 else x, _F32)
)
float_of_bits64 = _unary(_types.float64, lambda b, x: b.bitcast(x, _F64))
load_half = _unary(_types.float32, lambda b, x: b.fpext(b.bitcast(x, _HALF), _F32))
_store_half32 = _unary(_types.uint16, lambda b, x: b.bitcast(b.fptrunc(x, _HALF), _I16))


@njit
def store_half(x: Any) -> Any:
    return _store_half32(np.float32(x))


@njit
def load_bfloat16(x: Any) -> Any:
    return float_of_bits32(np.int32(x) << np.int32(16))


@njit
def store_bfloat16(x: Any) -> Any:
    bits = bits32(np.float32(x))
    if x != x:
        return np.uint16(((bits >> 16) & 0x8000) | 0x7FC0)
    # To the nearest; of two equally near ones, to the even.
    return np.uint16((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16)


CARRIER = {DataType.FLOAT16: DataType.UINT16, DataType.BFLOAT16: DataType.UINT16}
LOAD = {DataType.FLOAT16: load_half, DataType.BFLOAT16: load_bfloat16}
STORE = {DataType.FLOAT16: store_half, DataType.BFLOAT16: store_bfloat16}


@_intrinsic
def call_inner_loop(typing_context: Any, address: Any, args: Any, dims: Any, steps: Any) -> Any:
    """Calls the ufunc loop at `address`; all four are addresses, as integers."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        loop = ir.FunctionType(ir.VoidType(), [pointer] * 4).as_pointer()
        arguments = [builder.inttoptr(value, pointer) for value in values[1:]]
        builder.call(builder.inttoptr(values[0], loop), [*arguments, pointer(None)])
        return context.get_dummy_value()

    return _types.void(*[_types.intp] * 4), code


_f = np.float32
_LOG2E, _MAGIC = _f(math.log2(math.e)), _f(1.5 * 2**23)
_HIGH, _LOW = _f(0.693359375), _f(-2.12194440e-4)
_C7, _C6, _C5, _C4, _C3, _C2 = (_f(1 / math.factorial(k)) for k in (7, 6, 5, 4, 3, 2))
_ONE, _TOP, _BOTTOM = _f(1), _f(89), _f(-104)


def mantissa32(x: Any) -> Any:
    """`p, k` with exp of a float32 = p * 2**k, for x not so far from 0 that k needs 23 bits."""
    shifted = x * _LOG2E + _MAGIC  # the low bits are now the nearest integer
    n = shifted - _MAGIC
    r = (x - n * _HIGH) - n * _LOW
    p = _C7
    p = p * r + _C6
    p = p * r + _C5
    p = p * r + _C4
    p = p * r + _C3
    p = p * r + _C2
    return p * (r * r) + r + _ONE, bits32(shifted) - np.int32(0x4B400000)


_MAGIC64, _HIGH64, _LOW64 = 1.5 * 2.0**52, 6.93145751953125e-1, 1.42860682030941723212e-6
_LOG2E64 = math.log2(math.e)
_D = tuple(1 / math.factorial(k) for k in range(14))


def mantissa64(x: Any) -> Any:
    """The same of a float64."""
    shifted = x * _LOG2E64 + _MAGIC64
    n = shifted - _MAGIC64
    r = (x - n * _HIGH64) - n * _LOW64
    p = _D[13]
    p = p * r + _D[12]
    p = p * r + _D[11]
    p = p * r + _D[10]
    p = p * r + _D[9]
    p = p * r + _D[8]
    p = p * r + _D[7]
    p = p * r + _D[6]
    p = p * r + _D[5]
    p = p * r + _D[4]
    p = p * r + _D[3]
    p = p * r + _D[2]
    return p * (r * r) + r + 1.0, bits64(shifted) - 0x4338000000000000


_exact32, _exact64 = njit(mantissa32), njit(mantissa64)
_fused32, _fused64 = fused(mantissa32), fused(mantissa64)


def exp32(x: Any) -> Any:
    """exp of a float32."""
    x = np.float32(x)
    x = _TOP if x > _TOP else x
    x = _BOTTOM if x < _BOTTOM else x
    p, k = _exact32(x)
    half = k >> np.int32(1)  # in two steps, as 2**k alone may be out of range
    rest = np.int32(k - half)
    p = p * float_of_bits32(np.int32((np.int32(half) + np.int32(127)) << np.int32(23)))
    return p * float_of_bits32(np.int32((rest + np.int32(127)) << np.int32(23)))


def exp64(x: Any) -> Any:
    """exp of a float64."""
    x = 710.0 if x > 710.0 else x
    x = -746.0 if x < -746.0 else x
    p, k = _exact64(x)
    half = k >> 1
    p = p * float_of_bits64((half + 1023) << 52)
    return p * float_of_bits64((k - half + 1023) << 52)


_SMALLEST, _SMALLEST64 = _f(-87), -708.0


def share32(x: Any) -> Any:
    """exp of a float32 that is not above 0; 0 where that is a subnormal number.

    Nothing can overflow, so that one step gets to 2**k.
    """
    p, k = _fused32(_SMALLEST if x < _SMALLEST else x)
    p = p * float_of_bits32(np.int32((np.int32(k) + np.int32(127)) << np.int32(23)))
    return np.float32(0) if x < _SMALLEST else p


def share64(x: Any) -> Any:
    """The same of a float64."""
    p, k = _fused64(_SMALLEST64 if x < _SMALLEST64 else x)
    p = p * float_of_bits64((k + 1023) << 52)
    return 0.0 if x < _SMALLEST64 else p
