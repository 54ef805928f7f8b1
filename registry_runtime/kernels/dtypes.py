"""Sets of data types that kernels are written for."""

from __future__ import annotations

from registry_runtime.phi.data_type import DataType

INTEGERS = frozenset(
    {
        DataType.UINT8,
        DataType.INT8,
        DataType.UINT16,
        DataType.INT16,
        DataType.UINT32,
        DataType.INT32,
        DataType.UINT64,
        DataType.INT64,
    }
)
HALF = frozenset({DataType.FLOAT16, DataType.BFLOAT16})
FLOATS = frozenset({DataType.FLOAT32, DataType.FLOAT64}) | HALF
COMPLEX = frozenset({DataType.COMPLEX64, DataType.COMPLEX128})
NUMBERS = INTEGERS | FLOATS | COMPLEX | {DataType.BOOL}
BOOL = frozenset({DataType.BOOL})


def mp_type(T: DataType) -> DataType:
    """What sums and statistics of T are computed and held in: `phi::dtype::MPTypeTrait<T>::Type`."""
    return DataType.FLOAT32 if T in HALF else T
