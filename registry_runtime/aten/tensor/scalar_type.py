"""PyTorch's data types: what the elements of a tensor are.

A `ScalarType` is named after what it is (`Int`, `Half`); Python names it as a `dtype` (`int32`,
`float16`), and C++ knows the type itself (`int`, `c10::Half`). Its number is written into files and
never changes. NumPy, whose arrays hold the elements on the CPU, has a dtype for most of them.

Sources: `torch/headeronly/core/ScalarType.h`, `c10/core/ScalarType.h` and `.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from registry_runtime.aten.errors import TorchError
from registry_runtime.cpp_enum import CppEnum


class ScalarType(CppEnum):
    """`c10::ScalarType`. `str()` gives what `c10::toString` prints: `Int`, `ComplexHalf`.

    `itemsize` is in bytes, `cpp` the C++ type as the list of types spells it, `torch_name` the name
    of Python's `torch.dtype`.
    """

    cpp: str
    itemsize: int
    torch_name: str

    def __new__(cls, number: int, cpp: str, itemsize: int, torch_name: str) -> ScalarType:
        member = int.__new__(cls, number)
        member._value_ = number
        member.cpp, member.itemsize, member.torch_name = cpp, itemsize, torch_name
        return member

    Byte = 0, "uint8_t", 1, "uint8"
    Char = 1, "int8_t", 1, "int8"
    Short = 2, "int16_t", 2, "int16"
    Int = 3, "int", 4, "int32"
    Long = 4, "int64_t", 8, "int64"
    Half = 5, "c10::Half", 2, "float16"
    Float = 6, "float", 4, "float32"
    Double = 7, "double", 8, "float64"
    ComplexHalf = 8, "c10::complex<c10::Half>", 4, "complex32"
    ComplexFloat = 9, "c10::complex<float>", 8, "complex64"
    ComplexDouble = 10, "c10::complex<double>", 16, "complex128"
    Bool = 11, "bool", 1, "bool"
    QInt8 = 12, "c10::qint8", 1, "qint8"
    QUInt8 = 13, "c10::quint8", 1, "quint8"
    QInt32 = 14, "c10::qint32", 4, "qint32"
    BFloat16 = 15, "c10::BFloat16", 2, "bfloat16"
    QUInt4x2 = 16, "c10::quint4x2", 1, "quint4x2"
    QUInt2x4 = 17, "c10::quint2x4", 1, "quint2x4"
    Bits1x8 = 18, "c10::bits1x8", 1, "bits1x8"
    Bits2x4 = 19, "c10::bits2x4", 1, "bits2x4"
    Bits4x2 = 20, "c10::bits4x2", 1, "bits4x2"
    Bits8 = 21, "c10::bits8", 1, "bits8"
    Bits16 = 22, "c10::bits16", 2, "bits16"
    Float8_e5m2 = 23, "c10::Float8_e5m2", 1, "float8_e5m2"
    Float8_e4m3fn = 24, "c10::Float8_e4m3fn", 1, "float8_e4m3fn"
    Float8_e5m2fnuz = 25, "c10::Float8_e5m2fnuz", 1, "float8_e5m2fnuz"
    Float8_e4m3fnuz = 26, "c10::Float8_e4m3fnuz", 1, "float8_e4m3fnuz"
    UInt16 = 27, "uint16_t", 2, "uint16"
    UInt32 = 28, "uint32_t", 4, "uint32"
    UInt64 = 29, "uint64_t", 8, "uint64"
    UInt1 = 30, "c10::dummy_uint1_7_t<1>", 1, "uint1"
    UInt2 = 31, "c10::dummy_uint1_7_t<2>", 1, "uint2"
    UInt3 = 32, "c10::dummy_uint1_7_t<3>", 1, "uint3"
    UInt4 = 33, "c10::dummy_uint1_7_t<4>", 1, "uint4"
    UInt5 = 34, "c10::dummy_uint1_7_t<5>", 1, "uint5"
    UInt6 = 35, "c10::dummy_uint1_7_t<6>", 1, "uint6"
    UInt7 = 36, "c10::dummy_uint1_7_t<7>", 1, "uint7"
    Int1 = 37, "c10::dummy_int1_7_t<1>", 1, "int1"
    Int2 = 38, "c10::dummy_int1_7_t<2>", 1, "int2"
    Int3 = 39, "c10::dummy_int1_7_t<3>", 1, "int3"
    Int4 = 40, "c10::dummy_int1_7_t<4>", 1, "int4"
    Int5 = 41, "c10::dummy_int1_7_t<5>", 1, "int5"
    Int6 = 42, "c10::dummy_int1_7_t<6>", 1, "int6"
    Int7 = 43, "c10::dummy_int1_7_t<7>", 1, "int7"
    Float8_e8m0fnu = 44, "c10::Float8_e8m0fnu", 1, "float8_e8m0fnu"
    Float4_e2m1fn_x2 = 45, "c10::Float4_e2m1fn_x2", 1, "float4_e2m1fn_x2"
    Undefined = 46, "", 0, ""

    # Enum hashes a member's name, in Python; its number is as good, and tables are asked often.
    __hash__ = int.__hash__

    def __str__(self) -> str:
        return "UNKNOWN_SCALAR" if self is ScalarType.Undefined else self.name

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy dtype with this layout in memory; `ml_dtypes`' for bfloat16 and float8.

        NumPy has no complex number of two halves: ComplexHalf is a record of two of them, `real`
        and `imag`, which NumPy moves about and can't compute with. Raises TypeError for the types
        that are stored packed or quantized, and for Undefined.
        """
        return _numpy_dtype(self)

    @classmethod
    def of(cls, dtype: DTypeLike) -> ScalarType:
        """The type of arrays with NumPy's `dtype`. Raises TypeError where PyTorch has none."""
        exact = np.dtype(dtype)
        kind = _KNOWN.get(exact)
        if kind is None:
            kind = cls.ComplexHalf if exact.fields else names().get(exact.name)
            if kind is None or kind.numpy != exact:
                raise TypeError(f"PyTorch has no dtype for NumPy's {exact}")
            _KNOWN[exact] = kind
        return kind

    @classmethod
    def named(cls, torch_name: str) -> ScalarType:
        """The type that Python calls so: `int32`, `float`. Raises KeyError for any other name."""
        return names()[torch_name]


_INTEGRAL = frozenset(
    {
        ScalarType.Byte,
        ScalarType.Char,
        ScalarType.Short,
        ScalarType.Int,
        ScalarType.Long,
        ScalarType.UInt16,
        ScalarType.UInt32,
        ScalarType.UInt64,
    }
)
FLOAT8 = frozenset(kind for kind in ScalarType if kind.name.startswith("Float8"))
_FLOATING = FLOAT8 | {
    ScalarType.Half,
    ScalarType.Float,
    ScalarType.Double,
    ScalarType.BFloat16,
    ScalarType.Float4_e2m1fn_x2,
}
_REAL_OF_COMPLEX = {
    ScalarType.ComplexHalf: ScalarType.Half,
    ScalarType.ComplexFloat: ScalarType.Float,
    ScalarType.ComplexDouble: ScalarType.Double,
}
_COMPLEX_OF_REAL = {real: whole for whole, real in _REAL_OF_COMPLEX.items()}


def is_integral_type(kind: ScalarType, include_bool: bool) -> bool:
    """`c10::isIntegralType`: the integers of whole bytes, and Bool if it is asked for."""
    return kind in _INTEGRAL or (include_bool and kind is ScalarType.Bool)


def is_floating_type(kind: ScalarType) -> bool:
    """`c10::isFloatingType`: real floating point of any width."""
    return kind in _FLOATING


def is_complex_type(kind: ScalarType) -> bool:
    """`c10::isComplexType`."""
    return kind in _REAL_OF_COMPLEX


def to_real_value_type(kind: ScalarType) -> ScalarType:
    """`c10::toRealValueType`: the type of a complex number's parts; other types are their own."""
    return _REAL_OF_COMPLEX.get(kind, kind)


def to_complex_type(kind: ScalarType) -> ScalarType:
    """`c10::toComplexType`: bfloat16 has the range of float32, and so becomes ComplexFloat.

    Raises TorchError for integers and bool.
    """
    if kind in _REAL_OF_COMPLEX:
        return kind
    if kind is ScalarType.BFloat16:
        return ScalarType.ComplexFloat
    if kind not in _COMPLEX_OF_REAL:
        raise TorchError(f"Unknown Complex ScalarType for {kind}")
    return _COMPLEX_OF_REAL[kind]


_LEGACY_NAMES = (
    ("float", ScalarType.Float),
    ("double", ScalarType.Double),
    ("half", ScalarType.Half),
    ("short", ScalarType.Short),
    ("int", ScalarType.Int),
    ("long", ScalarType.Long),
    ("chalf", ScalarType.ComplexHalf),
    ("cfloat", ScalarType.ComplexFloat),
    ("cdouble", ScalarType.ComplexDouble),
)


@cache
def names() -> dict[str, ScalarType]:
    """All names that Python has for types (`getStringToDtypeMap`)."""
    named = {kind.torch_name: kind for kind in ScalarType if kind is not ScalarType.Undefined}
    return named | dict(_LEGACY_NAMES)


@cache
def _numpy_dtype(kind: ScalarType) -> np.dtype[Any]:
    if kind is ScalarType.ComplexHalf:
        return np.dtype([("real", np.float16), ("imag", np.float16)])
    if kind is ScalarType.BFloat16 or kind in FLOAT8:
        import ml_dtypes  # which most programs never need

        extension: type[Any] = getattr(ml_dtypes, kind.torch_name)
        return np.dtype(extension)
    numbers = is_integral_type(kind, include_bool=True) or is_floating_type(kind)
    if (numbers and kind is not ScalarType.Float4_e2m1fn_x2) or is_complex_type(kind):
        return np.dtype(kind.torch_name)
    raise TypeError(f"PyTorch's data type {kind} has no NumPy dtype")


_KNOWN: dict[np.dtype[Any], ScalarType] = {}
