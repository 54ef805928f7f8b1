"""`ufunc::add`, and `add_kernel` around it: what `add.Tensor` computes.

The same two lines serve thirteen types. `add` gets single elements, `add_vectorized` (the same name
in C++, overloaded for `Vectorized<T>`) gets a register full of them; `alpha` comes as one of them,
captured by the lambda. For Bool there is only the first, because a vector of bools has no `+`.

torchgen writes `add_kernel` from a line of `native_functions.yaml`: `Generic: add (AllAndComplex,
BFloat16, Half, ComplexHalf)`, `ScalarOnly: add (Bool)`. On CUDA the functor computes in
`opmath_type<scalar_t>`, which is float for the two 16-bit types; on the CPU `alpha` is rounded to
`scalar_t` first. Source: `aten/src/ATen/native/ufunc/add.h`, `torchgen/dest/ufunc.py`.
"""

from __future__ import annotations

from typing import Any

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.loops.cpu_kernel_vec import Lambda, cpu_kernel, cpu_kernel_vec
from registry_runtime.aten.loops.vectorized import fmadd
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType


def add(self: Any, other: Any, alpha: Any) -> Any:
    """`ufunc::add<T>(T self, T other, T alpha)`."""
    return self + alpha * other


def add_vectorized(self: Any, other: Any, alpha: Any) -> Any:
    """`ufunc::add<T>(Vectorized<T> self, Vectorized<T> other, Vectorized<T> alpha)`."""
    return fmadd(other, alpha, self)


# In the order of add_kernel's cases.
DTYPES = (
    ScalarType.Bool,
    ScalarType.Byte,
    ScalarType.Char,
    ScalarType.Int,
    ScalarType.Long,
    ScalarType.Short,
    ScalarType.Float,
    ScalarType.Double,
    ScalarType.ComplexFloat,
    ScalarType.ComplexDouble,
    ScalarType.BFloat16,
    ScalarType.Half,
    ScalarType.ComplexHalf,
)


def add_kernel(iter: Any, alpha: Scalar, capability: CPUCapability) -> None:
    """`add_kernel(TensorIteratorBase& iter, const Scalar& alpha)`, compiled for `capability`.

    Raises TorchError for a common dtype that has no case, and where `alpha` doesn't fit it.
    """
    T = iter.common_dtype
    if T not in DTYPES:
        raise TorchError(f"\"add_stub\" not implemented for '{T}'")
    add_case(iter, alpha, capability)


def add_case(iter: Any, alpha: Scalar, capability: CPUCapability) -> None:
    """The body of the lambda in one `AT_DISPATCH_CASE`: `scalar_t` is the common dtype."""
    T = iter.common_dtype
    captured = (alpha.to(T),)  # auto _s_alpha = alpha.to<scalar_t>()
    op = Lambda(add, captured)
    if T is ScalarType.Bool:
        cpu_kernel(iter, op, capability)
    else:
        cpu_kernel_vec(iter, op, Lambda(add_vectorized, captured), capability)
