"""`add_kernel` of the file that torchgen writes for CUDA.

Its functor keeps `alpha` as `opmath_type<scalar_t>`. Where one input is a number on the CPU, it isn't
copied to the device: the iterator forgets that operand, and the functor keeps it too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.loops.gpu_kernel import gpu_kernel, opmath_type
from registry_runtime.aten.native.ufunc_add import DTYPES
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType

FUNCTOR_ADD = "x0 + c0 * x1"  # CUDAFunctor_add
FUNCTOR_ON_OTHER_ADD = "c0 + c1 * x0"  # CUDAFunctorOnOther_add: self is kept
FUNCTOR_ON_SELF_ADD = "x0 + c1 * c0"  # CUDAFunctorOnSelf_add: other is kept


def add_kernel(iter: Any, alpha: Scalar) -> None:
    """Raises TorchError for a common dtype that has no case, and where there is no device."""
    T = iter.common_dtype
    if T not in DTYPES:
        raise TorchError(f"\"ufunc_add_CUDA\" not implemented for '{T}'")
    captured = [_argument(alpha, T)]
    formula = FUNCTOR_ADD
    for arg, form in ((1, FUNCTOR_ON_OTHER_ADD), (2, FUNCTOR_ON_SELF_ADD)):
        if iter.is_cpu_scalar(arg):
            formula = form
            captured.insert(0, _argument(Scalar(iter.original_scalar_value(arg)), T))
            iter.remove_operand(arg)
            break
    gpu_kernel(iter, formula, captured)


def _argument(value: Scalar, T: ScalarType) -> Any:
    return np.asarray(value.to(opmath_type(T)))[()]
