"""`phi::Scalar`: an attribute whose type the kernel chooses, not the caller.

A Scalar remembers the type that it was made from and converts when the kernel asks for its own `T`
(`paddle/phi/common/scalar.h`). Converting is C++'s `static_cast`: a fraction is cut off, an integer
wraps around, a complex number loses its imaginary part. Where the cast is undefined in C++, as from
infinity to an integer, this one raises.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from registry_runtime.phi.data_type import DataType


@dataclass(frozen=True, slots=True)
class Scalar:
    """One number. Python's `int` is int64, `float` is float64; NumPy's numbers keep their type."""

    value: bool | int | float | complex | np.generic

    @classmethod
    def of(cls, value: Any) -> Scalar:
        """`value` itself if it is a Scalar, a Scalar of it otherwise.

        Raises TypeError for what is no number of a type that PHI has.
        """
        if isinstance(value, Scalar):
            return value
        if np.ndim(value) != 0:
            raise TypeError("one number is wanted")
        DataType.of(np.asarray(value).dtype)
        return cls(value)

    @property
    def dtype(self) -> DataType:
        """The type that it was made from. Raises TypeError where PHI has none (a 70-bit `int`)."""
        return DataType.of(np.asarray(self.value).dtype)

    def to(self, dtype: DataType) -> np.generic:
        """The value as `dtype`. Raises OverflowError for a float beyond the integers of `dtype`."""
        value, target = np.asarray(self.value, self.dtype.numpy), dtype.numpy
        if value.dtype.kind == "c" and target.kind != "c":
            value = value.real
        if target.kind in "iu" and value.dtype.kind not in "biu":
            whole, limits = float(value), np.iinfo(target)
            if not (np.isfinite(whole) and limits.min <= int(whole) <= limits.max):
                raise OverflowError(f"{whole} has no value as {dtype}")
            value = np.asarray(int(whole), target)
        with np.errstate(over="ignore"):  # float64 to float32: infinity, as in C++
            number: np.generic = value.astype(target).flat[0]
        return number

    def __str__(self) -> str:
        return f"Scalar({self.dtype}({self.value}))"
