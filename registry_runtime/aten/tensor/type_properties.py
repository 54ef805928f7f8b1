"""The type of a result: tensors outrank tensors without dimensions, and these outrank numbers.

Within a rank, types are promoted as ever. Across ranks the lower one counts only if it is of a
higher *kind*: `int32 tensor + 1` stays int32, whatever int64 a Python number is, but
`int32 tensor + 1.5` becomes the default floating-point type. A number that Python passed is a
0-dimensional tensor with the mark "wrapped".

Source: `aten/src/ATen/native/TypeProperties.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from typing import NamedTuple

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.promotion import promote_types
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import (
    ScalarType,
    is_complex_type,
    is_floating_type,
    to_complex_type,
)
from registry_runtime.aten.tensor.tensor import Tensor, wrapped_scalar_tensor

DEFAULT_DTYPE = ScalarType.Float  # torch.get_default_dtype(), which this runtime doesn't change


class ResultTypeState(NamedTuple):
    """`at::native::ResultTypeState`: what each rank has been promoted to so far."""

    dim_result: ScalarType = ScalarType.Undefined
    zero_result: ScalarType = ScalarType.Undefined
    wrapped_result: ScalarType = ScalarType.Undefined


def update_result_type_state(tensor: Tensor | None, state: ResultTypeState) -> ResultTypeState:
    """The state with one more operand; an undefined tensor (None) changes nothing."""
    if tensor is None:
        return state
    current = tensor.dtype
    if tensor.is_wrapped_number:
        if is_complex_type(current):
            current = to_complex_type(DEFAULT_DTYPE)
        elif is_floating_type(current):
            current = DEFAULT_DTYPE
    dim, zero, wrapped = state
    if tensor.dim() > 0:
        return ResultTypeState(_promote_skip_undefined(dim, current), zero, wrapped)
    if tensor.is_wrapped_number:
        return ResultTypeState(dim, zero, _promote_skip_undefined(wrapped, current))
    return ResultTypeState(dim, _promote_skip_undefined(zero, current), wrapped)


def result_type_of(state: ResultTypeState) -> ScalarType:
    """The type that the three ranks give together."""
    return _combine_categories(
        state.dim_result, _combine_categories(state.zero_result, state.wrapped_result)
    )


def result_type(*operands: Tensor | Scalar | None) -> ScalarType:
    """`torch.result_type` for any number of operands.

    Raises TorchError for a pair of types that isn't promoted.
    """
    state = ResultTypeState()
    for operand in operands:
        if isinstance(operand, Scalar):
            operand = wrapped_scalar_tensor(operand)
        state = update_result_type_state(operand, state)
    return result_type_of(state)


def promote_types_checked(a: ScalarType, b: ScalarType) -> ScalarType:
    """`torch.promote_types`. Raises TorchError where there is no such type."""
    promoted = promote_types(a, b)
    if promoted is ScalarType.Undefined:
        raise TorchError(f"Promotion from {a} and {b} is unsupported.")
    return promoted


def _promote_skip_undefined(a: ScalarType, b: ScalarType) -> ScalarType:
    if a is ScalarType.Undefined:
        return b
    return a if b is ScalarType.Undefined else promote_types(a, b)


def _combine_categories(higher: ScalarType, lower: ScalarType) -> ScalarType:
    if is_complex_type(higher):
        return higher
    if is_floating_type(higher):
        # A complex number lends its kind, not its width: half + 1j is ComplexHalf.
        return to_complex_type(higher) if is_complex_type(lower) else higher
    if higher is ScalarType.Bool or is_floating_type(lower) or is_complex_type(lower):
        return _promote_skip_undefined(higher, lower)
    return lower if higher is ScalarType.Undefined else higher
