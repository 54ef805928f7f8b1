"""What `alpha` may be in `self + alpha * other`: a number of a kind that the result can hold.

Otherwise the multiplication would be done in a type that nobody asked for; PyTorch refuses instead.
Source: `aten/src/ATen/native/BinaryOps.h` of PyTorch 2.13.
"""

from __future__ import annotations

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType, is_complex_type, is_floating_type


def alpha_check(dtype: ScalarType, alpha: Scalar) -> None:
    """`at::native::alpha_check` for a result of type `dtype`.

    Raises TorchError, in PyTorch's words: a bool for a result that isn't, a fraction for integers,
    a complex number for real ones.
    """
    if alpha.is_boolean() and dtype is not ScalarType.Bool:
        raise TorchError("Boolean alpha only supported for Boolean results.")
    whole = alpha.is_integral(include_bool=True)
    if not (whole or is_floating_type(dtype) or is_complex_type(dtype)):
        raise TorchError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )
    if alpha.is_complex() and not is_complex_type(dtype):
        raise TorchError(
            "For non-complex input tensors, argument alpha must not be a complex number."
        )
