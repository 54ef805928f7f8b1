"""What counts as a number where Python calls PyTorch, and the Scalar that it becomes.

PyTorch looks at types, never at values: `THPUtils_checkLong` takes Python's and NumPy's integers,
but no bool; `checkDouble` takes integers too; `checkScalar` takes complex numbers as well. NumPy's
bool is in none of the lists that come first, and so ends up as a double.
"""

from __future__ import annotations

import sys
from typing import Any

from registry_runtime.aten.tensor.scalar import Scalar

_PYTHON = (int, float, complex)


def check_long(value: object) -> bool:
    """`THPUtils_checkLong`: an integer, of Python's or NumPy's."""
    return (isinstance(value, int) and not isinstance(value, bool)) or _is_numpy(value, "integer")


def check_double(value: object) -> bool:
    """`THPUtils_checkDouble`: what can be had as a double; NumPy's complex numbers pass."""
    return isinstance(value, int | float) or _is_numpy_scalar(value)


def check_scalar(value: object) -> bool:
    """`THPUtils_checkScalar`: any number."""
    return isinstance(value, _PYTHON) or _is_numpy_scalar(value)


def _is_numpy_scalar(value: object) -> bool:
    return any(_is_numpy(value, kind) for kind in ("integer", "bool_", "inexact"))


def _is_numpy(value: object, kind: str) -> bool:
    if not type(value).__module__.startswith("numpy"):
        return False
    numpy: Any = sys.modules["numpy"]
    # A datetime64 is a signed integer to NumPy's hierarchy, and no number here.
    return isinstance(value, getattr(numpy, kind)) and not isinstance(value, numpy.timedelta64)


def unpack_scalar(value: Any) -> Scalar:
    """The Scalar of a number that `check_scalar` takes (`PythonArgs::scalar_slow`).

    Raises OverflowError, with CPython's sentence, for an integer that 64 bits don't hold, and
    TypeError for a NumPy integer that int64 doesn't.
    """
    if check_long(value):
        if not isinstance(value, int) and int(value) >= 2**63:
            raise TypeError("an integer is required")
        number = int(value)
        if number < -(2**63):
            raise OverflowError("can't convert negative int to unsigned")
        if number >= 2**64:
            raise OverflowError("int too big to convert")
        return Scalar(number)
    if isinstance(value, bool):
        return Scalar(value)
    if isinstance(value, complex):
        return Scalar(complex(value))
    return Scalar(float(value.real))
