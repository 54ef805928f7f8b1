"""Which elements of a result are not the reference's, but for the last roundings.

A kernel may add in another order than NumPy does, so the last places may differ. How far is a matter
of what was added: a sum may be near 0 and its addends large. So the bound is a number of units in the
last place of a *magnitude*, which is the result itself where nothing else is given.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def off(
    out: NDArray[Any], reference: NDArray[Any], magnitude: Any, roundings: float
) -> NDArray[np.bool]:
    """Where `out` is off `reference`: an array of bools. NaN agrees with NaN.

    The two have the same shape and dtype. `roundings` is how many units in the last place of
    `magnitude` an element may be off.
    """
    dtype = out.dtype
    if dtype.kind in "biu":
        return np.asarray(out != reference)
    with np.errstate(all="ignore"):
        agree = (out == reference) | (np.isnan(out) & np.isnan(reference))
        if not roundings:
            return np.asarray(~agree)
        import ml_dtypes

        finfo: Any = ml_dtypes.finfo  # knows NumPy's types as well as its own
        unit = finfo(np.empty(0, dtype).real.dtype)
        exact = np.complex128 if dtype.kind == "c" else np.float64
        size = np.abs(np.asarray(magnitude).astype(exact))
        bound = roundings * (float(unit.eps) * size + float(unit.smallest_subnormal))
        return np.asarray(~agree & ~(np.abs(out.astype(exact) - reference.astype(exact)) <= bound))
