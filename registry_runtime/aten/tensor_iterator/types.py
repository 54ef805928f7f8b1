"""The type that the kernel computes in, and the copies that bring every operand to it.

A kernel is compiled for one type at a time, so operands of other types are converted before the loop:
inputs into copies in the common type, an output of another type into a temporary, from which
`cast_outputs` copies back when the loop is done. Only the CPU needs that; a GPU kernel converts each
element as it loads it.

Source: `TensorIteratorBase::compute_types` in `TensorIterator.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.contiguity import contiguous_strides
from registry_runtime.aten.tensor.copy import to
from registry_runtime.aten.tensor.device import CPU, Device, DeviceType
from registry_runtime.aten.tensor.promotion import can_cast
from registry_runtime.aten.tensor.scalar_type import ScalarType, is_integral_type
from registry_runtime.aten.tensor.tensor import empty_strided
from registry_runtime.aten.tensor.type_properties import (
    DEFAULT_DTYPE,
    ResultTypeState,
    result_type_of,
    update_result_type_state,
)
from registry_runtime.aten.tensor_iterator.operand import OperandInfo

if TYPE_CHECKING:
    from registry_runtime.aten.tensor_iterator.build import TensorIteratorBase
    from registry_runtime.aten.tensor_iterator.config import TensorIteratorConfig

_UNDEFINED = ScalarType.Undefined


def compute_types(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Set `common_dtype`, `common_device` and every operand's type and device; exchange operands of
    other types for temporaries.

    Raises TorchError, in PyTorch's words, for operands of types or on devices that don't go
    together, and for an output that the result can't be cast to.
    """
    undefined_outputs = _set_declared(iterator, config)
    iterator.common_device = _first_device(iterator)
    input_dtypes = _dtypes(iterator.operands[iterator.num_outputs :])
    iterator.common_dtype = input_dtypes[0] if input_dtypes else _UNDEFINED
    different = len(input_dtypes) > 1
    _check_computable(config, undefined_outputs, different, not input_dtypes)
    if config.check_all_same_dtype:
        _check_same_dtype(iterator)
    if not (
        undefined_outputs
        or config.check_all_same_device
        or config.promote_inputs_to_common_dtype
        or config.cast_common_dtype_to_outputs
        or config.enforce_safe_casting_to_output
    ):
        if different:
            iterator.common_dtype = _UNDEFINED
        return
    if config.promote_inputs_to_common_dtype and (different or iterator.all_ops_are_scalars):
        iterator.common_dtype = compute_common_dtype(iterator)
    if config.promote_integer_inputs_to_float and is_integral_type(
        iterator.common_dtype, include_bool=True
    ):
        iterator.common_dtype = DEFAULT_DTYPE
    cpu_scalars = 0
    for operand in iterator.operands:
        if not operand.is_type_defined():
            operand.target_dtype = iterator.common_dtype
        if operand.device is None:
            operand.device = iterator.common_device
        if operand.tensor is None:
            continue
        if config.check_all_same_device:
            cpu_scalars += _check_device(operand, iterator.common_device, config)
            if cpu_scalars > 1:
                raise TorchError("Trying to pass too many CPU scalars to non-CPU kernel!")
        if operand.current_dtype is not iterator.common_dtype:
            _cast(operand, iterator, config)


def compute_common_dtype(iterator: TensorIteratorBase) -> ScalarType:
    """What the inputs promote to; the outputs have no say."""
    state = ResultTypeState()
    for operand in iterator.operands:
        if not operand.is_output:
            state = update_result_type_state(operand.tensor, state)
    return result_type_of(state)


def _set_declared(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> bool:
    """Give undefined outputs the declared type and device; whether one is left without a type."""
    left = False
    for operand in iterator.operands:
        if operand.is_type_defined():
            continue
        if config.static_dtype is not None:
            operand.target_dtype = config.static_dtype
        else:
            left = True
        if config.static_device is not None:
            operand.device = config.static_device
        elif not config.check_all_same_device:
            raise TorchError(
                "INTERNAL ASSERT FAILED: nobody says which device an undefined output is made on",
                hint="declare_static_device, or set check_all_same_device",
            )
    return left


def _first_device(iterator: TensorIteratorBase) -> Device:
    """That of the first operand that isn't on the CPU."""
    for operand in iterator.operands:
        if operand.tensor is not None and operand.tensor.device.type is not DeviceType.CPU:
            return operand.tensor.device
    return CPU


def _dtypes(operands: list[OperandInfo]) -> list[ScalarType]:
    """The different types of the operands that have one, in their order."""
    found: list[ScalarType] = []
    for operand in operands:
        if operand.tensor is not None and operand.target_dtype not in found:
            found.append(operand.target_dtype)
    return found


def _check_computable(
    config: TensorIteratorConfig, undefined_outputs: bool, different: bool, no_inputs: bool
) -> None:
    """Refuse flags that need a common type where there will be none; PyTorch asserts that."""
    casts = config.cast_common_dtype_to_outputs
    needed = undefined_outputs or config.enforce_safe_casting_to_output or casts
    if different and needed and not config.promote_inputs_to_common_dtype:
        raise TorchError(
            "INTERNAL ASSERT FAILED: the inputs have different dtypes, and no common one",
            hint="set promote_inputs_to_common_dtype",
        )
    if no_inputs and casts:
        raise TorchError("INTERNAL ASSERT FAILED: there is no input to take a common dtype from")


def _check_same_dtype(iterator: TensorIteratorBase) -> None:
    for operand in iterator.operands:
        if operand.tensor is not None and operand.target_dtype is not iterator.common_dtype:
            raise TorchError(
                f"Found dtype {operand.target_dtype} but expected {iterator.common_dtype}"
            )


def _check_device(operand: OperandInfo, common_device: Device, config: TensorIteratorConfig) -> int:
    """1 for a number on the CPU that a kernel elsewhere takes as an argument, else 0."""
    tensor = operand.tensor
    assert tensor is not None
    if (
        config.allow_cpu_scalars
        and common_device.type is not DeviceType.CPU
        and not operand.is_output
        and tensor.device.type is DeviceType.CPU
        and tensor.dim() == 0
    ):
        return 1
    if operand.device is not common_device and operand.device != common_device:
        raise TorchError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{common_device} and {operand.device}!"
        )
    return 0


def _cast(operand: OperandInfo, iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    common, tensor = iterator.common_dtype, operand.tensor
    assert tensor is not None
    checked = operand.is_output and config.enforce_safe_casting_to_output
    if checked and not can_cast(common, operand.current_dtype):
        raise TorchError(
            f"result type {common} can't be cast to the desired output type {operand.current_dtype}"
        )
    if iterator.common_device.type is not DeviceType.CPU:
        return
    if operand.is_output:
        if config.cast_common_dtype_to_outputs:
            sizes = tensor.sizes
            operand.exchange_tensor(
                empty_strided(sizes, contiguous_strides(sizes), common, tensor.device)
            )
    elif config.promote_inputs_to_common_dtype:
        operand.exchange_tensor(to(tensor, common))
