"""What NumPy says to a call of an operator: for each that the samples define and kernels compute.

An operator is known by its name alone, so all of its overloads have one reference, which takes the
schema's arguments by their names. It computes in another way than the sample's kernel, where there is
another, and in the arrays' own dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.lab.values import on_host

Array = NDArray[Any]
_BITS = {2: 8, 4: 22, 8: 50}  # of the mantissa that count, by a real number's bytes


def _add(self: Array, other: Array | float, alpha: Any = 1, out: Array | None = None) -> Array:
    if self.dtype == np.asarray(other).dtype == bool:
        return np.asarray(self | (other & bool(alpha)))  # type: ignore[operator]
    return np.asarray(self + _multiple(other, alpha))


def _sub(self: Array, other: Array | float, alpha: Any = 1, out: Array | None = None) -> Array:
    return np.asarray(self - _multiple(other, alpha))


def _rsub(self: Array, other: Array | float, alpha: Any = 1) -> Array:
    return np.asarray(other - _multiple(self, alpha))


def _multiple(other: Array | float, alpha: Any) -> Array | float:
    # A number beside a tensor has no dtype of its own, to NumPy as to PyTorch.
    return other * (
        np.asarray(alpha).astype(other.dtype) if isinstance(other, np.ndarray) else alpha
    )


def _mul(self: Array, other: Array | float, out: Array | None = None) -> Array:
    return np.multiply(self, other)


def _div(self: Array, other: Array | float, out: Array | None = None) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.true_divide(self, other))


def _neg(self: Array, out: Array | None = None) -> Array:
    return np.subtract(np.zeros_like(self), self) if self.dtype.kind in "iu" else np.negative(self)


def _reciprocal(self: Array, out: Array | None = None) -> Array:
    return _div(np.ones_like(self), self)


def _clamp_min(self: Array, min: Any = 0, out: Array | None = None) -> Array:
    return np.asarray(np.maximum(self, min))


def _sum(
    self: Array,
    dim: Any = None,
    keepdim: bool = False,
    dtype: ScalarType | None = None,
    out: Array | None = None,
) -> Array:
    into = dtype or (out is not None and ScalarType.of(out.dtype)) or None
    if into is None and self.dtype.kind in "biu":
        into = ScalarType.Long
    # Floats are summed as doubles, whose last digits are beyond all that is compared.
    wide = np.complex128 if self.dtype.kind == "c" else np.float64
    exact = self if self.dtype.kind in "biu" else self.astype(wide)
    axes = tuple(dim) if dim else None
    return np.asarray(np.sum(exact, axis=axes, keepdims=keepdim, dtype=into and into.numpy))


def _assert_async(self: Array) -> bool:
    return bool(self.item())


def _difference(x: Array, y: Array) -> Array:
    return x | y if x.dtype == bool else x - y  # of two bools, what y is taken -1 times is y


def _lerp_to(x: Array, y: Array, weight: float = 0.5) -> Array:
    return np.asarray((1 - weight) * x + weight * y)


def _twice(**alone: Array) -> Array:
    (x,) = alone.values()  # its schema is read off a function's type, and has no name for it
    return 2 * x


REFERENCES: Mapping[str, Callable[..., Any]] = {
    "aten::add": _add,
    "aten::add_": _add,
    "aten::sub": _sub,
    "aten::sub_": _sub,
    "aten::rsub": _rsub,
    "aten::mul": _mul,
    "aten::mul_": _mul,
    "aten::div": _div,
    "aten::div_": _div,
    "aten::neg": _neg,
    "aten::neg_": _neg,
    "aten::reciprocal": _reciprocal,
    "aten::reciprocal_": _reciprocal,
    "aten::clamp_min": _clamp_min,
    "aten::clamp_min_": _clamp_min,
    "aten::relu": _clamp_min,
    "aten::relu_": _clamp_min,
    "aten::sum": _sum,
    "aten::_assert_async": _assert_async,
    "composites::minus": _difference,
    "composites::clipped": _difference,
    "myops::lerp_to": _lerp_to,
    "myops::twice": _twice,
}


def agrees_with_numpy(
    name: str, before: Mapping[str, Tensor], values: Mapping[str, Any], result: Any
) -> bool | None:
    """Whether NumPy comes to the same from the tensors as they were before the call, and from the
    other values; None where it has nothing to compare with. Of a call that gives nothing back,
    whether NumPy finds true what it asserts."""
    reference = REFERENCES.get(name.partition(".")[0])
    tensors = [*before.values(), *([result] if isinstance(result, Tensor) else [])]
    if reference is None or any(t.dtype.numpy.names is not None for t in tensors):
        return None  # NumPy does not compute with complex numbers of two halves
    arrays = {key: on_host(tensor.numpy_or_cupy()) for key, tensor in before.items()}
    try:
        expected = reference(**{**values, **arrays})
    except (TypeError, ValueError):
        return None  # another overload, with other parameters
    if not isinstance(result, Tensor):
        return bool(expected)
    got = on_host(result.numpy_or_cupy())
    if got.dtype.kind in "biu":
        return bool(np.array_equal(got, expected.astype(got.dtype)))
    large: Any = 1.0
    if reference is _sum:  # digits are lost to what it came to on the way
        sizes = np.abs(arrays["self"].astype(np.complex128)).real
        large = np.maximum(_sum(**{**values, **arrays, "self": sizes, "dtype": None}), 1)
    is_complex = got.dtype.kind == "c"
    wide = np.complex128 if is_complex else np.float64
    rounding = 4 * 2.0 ** -_BITS.get(got.dtype.itemsize // (1 + is_complex), 8)
    return bool(
        np.allclose(
            got.astype(wide), expected.astype(wide), rounding, rounding * large, equal_nan=True
        )
    )
