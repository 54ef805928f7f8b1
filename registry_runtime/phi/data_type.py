"""PHI's data types: the third member of a kernel's key, and what `T` becomes inside a kernel.

A registration names C++ types (`int64_t`, `::phi::bfloat16`); the registry holds `DataType`s;
the arrays that the kernels run on carry NumPy dtypes. This module is the one place where the three
spellings meet. The values are those of Paddle 3.3.1 (`paddle/phi/common/data_type.h`), which also
writes them into files, so they never change.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from registry_runtime.cpp_enum import CppEnum
from registry_runtime.near import did_you_mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike


class DataType(CppEnum):
    """`phi::DataType`. `str()` gives what Paddle's `operator<<` prints: `int32`, `Undefined`."""

    UNDEFINED = 0
    BOOL = 1
    UINT8 = 2
    INT8 = 3
    UINT16 = 4
    INT16 = 5
    UINT32 = 6
    INT32 = 7
    UINT64 = 8
    INT64 = 9
    FLOAT32 = 10
    FLOAT64 = 11
    COMPLEX64 = 12
    COMPLEX128 = 13
    PSTRING = 14
    FLOAT16 = 15
    BFLOAT16 = 16
    FLOAT8_E4M3FN = 17
    FLOAT8_E5M2 = 18
    NUM_DATA_TYPES = 19

    ALL_DTYPE = 0  # an alias, as in C++: in a key, `UNDEFINED` means every data type

    def __str__(self) -> str:
        return "Undefined" if self is DataType.UNDEFINED else self.name.lower()

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy dtype with this layout in memory; `ml_dtypes`' for bfloat16 and float8.

        Raises TypeError for `UNDEFINED`, `PSTRING` and `NUM_DATA_TYPES`, which have none.
        """
        try:
            return _numpy_dtypes()[self]
        except KeyError:
            raise TypeError(f"PHI's data type {self} has no NumPy dtype") from None

    @classmethod
    def of(cls, dtype: DTypeLike) -> DataType:
        """The data type of arrays with NumPy's `dtype`. Raises TypeError where PHI has none."""
        import numpy as np

        try:
            return _data_types()[np.dtype(dtype)]
        except KeyError:
            raise TypeError(f"PHI has no data type for NumPy's {np.dtype(dtype)}") from None


# Fluid's proto::VarType::Type, as far as PHI translates it: the unsigned types from 16 bits on have
# numbers there (36 to 38), and no case.
_PROTO_DATA_TYPES = MappingProxyType(
    {
        0: DataType.BOOL,
        1: DataType.INT16,
        2: DataType.INT32,
        3: DataType.INT64,
        4: DataType.FLOAT16,
        5: DataType.FLOAT32,
        6: DataType.FLOAT64,
        17: DataType.ALL_DTYPE,
        20: DataType.UINT8,
        21: DataType.INT8,
        22: DataType.BFLOAT16,
        23: DataType.COMPLEX64,
        24: DataType.COMPLEX128,
        29: DataType.PSTRING,
        32: DataType.FLOAT8_E4M3FN,
        33: DataType.FLOAT8_E5M2,
    }
)


def trans_to_phi_data_type(dtype: int) -> DataType:
    """`phi::TransToPhiDataType`: the data type that Fluid's programs store as this number.

    UNDEFINED for a number that means nothing. Source: `paddle/phi/core/utils/data_type.h`.
    """
    return _PROTO_DATA_TYPES.get(dtype, DataType.UNDEFINED)


def trans_to_proto_var_type(dtype: DataType) -> int:
    """`phi::TransToProtoVarType`: the other way. Raises KeyError for a type without a number."""
    return {known: number for number, known in _PROTO_DATA_TYPES.items()}[dtype]


def cpp_type_to_data_type(spelling: str) -> DataType:
    """`CppTypeToDataType<T>::Type()` for the C++ type spelt so.

    White space and the leading namespace are free: `::phi::dtype::complex<float>`,
    `phi::complex64` and `complex64` are one type. `int` is `int32_t`; `long` is `int64_t`, as on
    64-bit Linux, where `long long` is a type of its own that PHI has no data type for.
    Raises KeyError where PHI specialises none.
    """
    # A space counts only between two words: `unsigned char`, but `complex < float >`.
    plain = re.sub(r"\s*([<>]|::)\s*", r"\1", " ".join(spelling.split()))
    scope, name = re.fullmatch(r"((?:::)?(?:\w+::)*)(.*)", plain).groups()  # type: ignore[union-attr]
    for scopes, names in _CPP_TYPES:
        if scope.removeprefix("::") in scopes and name in names:
            return names[name]
    raise KeyError(spelling)


def is_of_phi(name: str) -> bool:
    """Whether PHI declares the C++ type of this name, which outside of its namespaces nobody finds."""
    with suppress(KeyError):
        cpp_type_to_data_type(f"phi::dtype::{name}")
        return True
    return False


def data_type_named(word: str) -> DataType:
    """`float32` as PHI prints it, in whatever case, or `float` as C++ spells it. Raises ValueError,
    with the one that is meant, or else all that there are."""
    names = {str(d): d for d in DataType if d is not DataType.NUM_DATA_TYPES}
    found = next((d for name, d in names.items() if name.lower() == word.lower()), None)
    if found is not None:
        return found
    try:
        return cpp_type_to_data_type(word)
    except KeyError:
        hint = did_you_mean(word, names, f"it has {', '.join(names)}", 0.6)
        raise ValueError(f"PHI has no data type '{word[:_LONGEST]}'; {hint}") from None


_LONGEST = 40  # characters of a word that a message repeats

# Names are listed with the scopes that they may be spelt in: `std::int8_t`, but not `phi::int`.
_CPP_TYPES = (
    (
        {""},
        {
            "bool": DataType.BOOL,
            "signed char": DataType.INT8,
            "unsigned char": DataType.UINT8,
            "short": DataType.INT16,
            "unsigned short": DataType.UINT16,
            "int": DataType.INT32,
            "unsigned": DataType.UINT32,
            "unsigned int": DataType.UINT32,
            "long": DataType.INT64,
            "unsigned long": DataType.UINT64,
            "float": DataType.FLOAT32,
            "double": DataType.FLOAT64,
        },
    ),
    (
        {"", "std::"},
        {
            "int8_t": DataType.INT8,
            "uint8_t": DataType.UINT8,
            "int16_t": DataType.INT16,
            "uint16_t": DataType.UINT16,
            "int32_t": DataType.INT32,
            "uint32_t": DataType.UINT32,
            "int64_t": DataType.INT64,
            "uint64_t": DataType.UINT64,
            "size_t": DataType.UINT64,
        },
    ),
    (
        {"", "phi::", "paddle::", "dtype::", "phi::dtype::"},
        {
            "float16": DataType.FLOAT16,
            "bfloat16": DataType.BFLOAT16,
            "float8_e4m3fn": DataType.FLOAT8_E4M3FN,
            "float8_e5m2": DataType.FLOAT8_E5M2,
            "complex64": DataType.COMPLEX64,
            "complex128": DataType.COMPLEX128,
            "pstring": DataType.PSTRING,
        },
    ),
    (
        {"", "dtype::", "phi::dtype::"},
        {
            "complex<float>": DataType.COMPLEX64,
            "complex<double>": DataType.COMPLEX128,
        },
    ),
)


@cache
def _numpy_dtypes() -> dict[DataType, np.dtype[Any]]:
    # Imported here: the registry needs data types long before it needs an array.
    import ml_dtypes
    import numpy as np

    return {
        data_type: np.dtype(getattr(np, str(data_type), None) or getattr(ml_dtypes, str(data_type)))
        for data_type in DataType
        if data_type not in (DataType.UNDEFINED, DataType.PSTRING, DataType.NUM_DATA_TYPES)
    }


@cache
def _data_types() -> dict[np.dtype[Any], DataType]:
    return {dtype: data_type for data_type, dtype in _numpy_dtypes().items()}
