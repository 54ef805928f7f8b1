"""Slopes measured: how much a number changes when one element of a tensor does.

A gradient that was derived on paper is held to these. The step goes both ways, so that what is left of
the error falls with its square; in double precision it is far below what a wrong term would make.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_STEP = 1e-5


def slopes(loss: Callable[[NDArray[Any]], float], at: Any) -> NDArray[Any]:
    """What `loss` of a float64 array gains for each element of `at`: an array of its shape."""
    here = np.array(at, np.float64)
    found = np.empty_like(here)
    for place in np.ndindex(here.shape):
        middle = here[place]
        here[place] = middle + _STEP
        above = loss(here)
        here[place] = middle - _STEP
        found[place] = (above - loss(here)) / (2 * _STEP)
        here[place] = middle
    return found
