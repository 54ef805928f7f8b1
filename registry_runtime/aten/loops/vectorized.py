"""`Vectorized<T>`: as many elements of one type as a vector register holds.

PyTorch's vector is 32 bytes long, and 64 where a file is compiled for AVX-512. The compiler of a
DEFAULT build has no 32-byte registers, so it makes two halves of each vector, and nothing in the
source changes. On ARM the vector is 16 bytes long, unless the build is for SVE256.

The arithmetic is an operation on all elements at once: `+`, `*` and `fmadd`. That is all that
`ufunc::add` needs. Source: `ATen/cpu/vec/vec_base.h`.
"""

from __future__ import annotations

from typing import Any

from registry_runtime.aten.stub.cpu_capability import CPUCapability, family
from registry_runtime.aten.tensor.scalar_type import ScalarType


def vector_width(capability: CPUCapability) -> int:
    """`VECTOR_WIDTH`: the bytes of a vector in a file compiled for `capability`."""
    if capability is CPUCapability.AVX512:
        return 64
    if family() == "aarch64" and capability is not CPUCapability.SVE256:
        return 16
    return 32


def vector_size(T: ScalarType, capability: CPUCapability) -> int:
    """`Vectorized<T>::size()`: the elements of a vector."""
    return vector_width(capability) // T.itemsize


def exp(x: Any) -> Any:
    """e to the power of each element.

    Of a vector of Float in float; of single elements in double, as kernels ask for with casts. Of
    BFloat16 and Half in float, and rounded once.
    """
    raise NotImplementedError("compiled by Numba: see vector_types")


def fmadd(a: Any, b: Any, c: Any) -> Any:
    """`a * b + c`, in one instruction and with one rounding where the processor can.

    Of BFloat16 and Half it is computed in float; for AVX2 and AVX-512 the product isn't rounded to
    the narrow type before the sum, although `*` and `+` one after the other would be.
    """
    return a * b + c
