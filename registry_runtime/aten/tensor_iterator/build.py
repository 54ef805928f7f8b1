"""`TensorIterator.build`: from the operands that an operator names to a loop that a kernel can run.

The steps stand here in the order in which PyTorch takes them, one function each. Seven find out what
is to be computed; then either `fast_set_up` finds the operands laid out alike and is done, or four
more steps find the best order to walk in. At the end every operand has an address and strides in
bytes, and `shape` has as few dimensions as could be.

Put a list into `story` before building, and it is told each step: what changed, from what to what.
Source: `aten/src/ATen/TensorIterator.h` and `TensorIterator.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.copy import copy_
from registry_runtime.aten.tensor.device import CPU, Device, DeviceType
from registry_runtime.aten.tensor.resize import resize_, resize_output
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Sizes, Tensor
from registry_runtime.aten.tensor.tensor_meta import MetaBase, TensorOptions, restride
from registry_runtime.aten.tensor_iterator.allocate import allocate_or_resize_outputs
from registry_runtime.aten.tensor_iterator.config import (
    BINARY_FLOAT_OP_CONFIG,
    BINARY_OP_CONFIG,
    UNARY_FLOAT_OP_CONFIG,
    UNARY_OP_CONFIG,
    TensorIteratorConfig,
)
from registry_runtime.aten.tensor_iterator.fast_set_up import FastSetupType, fast_set_up
from registry_runtime.aten.tensor_iterator.operand import OperandInfo
from registry_runtime.aten.tensor_iterator.overlap import compute_mem_overlaps
from registry_runtime.aten.tensor_iterator.shape import compute_shape, mark_resize_outputs
from registry_runtime.aten.tensor_iterator.story import BuildStep, told
from registry_runtime.aten.tensor_iterator.strides import (
    coalesce_dimensions,
    compute_strides,
    reorder_dimensions,
)
from registry_runtime.aten.tensor_iterator.types import compute_types


class TensorIteratorBase(MetaBase):
    """`at::TensorIteratorBase`. A structured kernel derives from it and overrides
    `maybe_get_output` and `set_output_raw_strided`.

    `shape` is what the loop runs over, fastest dimension first once the build is done; `operands`
    are the outputs and then the inputs. `common_dtype` is the type to compute in, Undefined if the
    operands have different ones and nobody asked to promote them. `perm` says where the dimensions
    were before they were sorted, which means nothing any more if `has_coalesced_dimensions`.
    """

    # Defaults of the class: an iterator is made in every call.
    shape: Sizes = ()
    perm: Sizes = ()
    num_outputs: int = 0
    has_coalesced_dimensions: bool = False
    enforce_linear_iteration: bool = False
    all_ops_same_shape: bool = False
    all_ops_are_scalars: bool = False
    common_dtype: ScalarType = ScalarType.Undefined
    common_device: Device = CPU
    fast_setup_type: FastSetupType = FastSetupType.NONE
    is_reduction: bool = False
    is_meta: bool = False
    operands: list[OperandInfo]
    story: list[BuildStep] | None = None

    def build(self, config: TensorIteratorConfig) -> None:
        """Build the iterator; once.

        Raises TorchError, in PyTorch's words, for operands that overlap, don't broadcast, are on
        different devices or of types that don't go together.
        """
        self.is_reduction = config.is_reduction
        self.enforce_linear_iteration = config.enforce_linear_iteration
        self.operands = []
        for step in _FIRST_STEPS:
            self._take(step, config)
        if self.fast_setup_type is FastSetupType.NONE:
            for step in _SLOW_STEPS:
                self._take(step, config)
            if not self.is_meta:
                self._take(coalesce_dimensions, config)
        if not self.is_meta:
            self._take(set_data, config)

    def _take(self, step: Step, config: TensorIteratorConfig) -> None:
        if self.story is None:
            step(self, config)
        else:
            self.story.append(told(step, self, config))

    def build_borrowing_binary_op(self, out: Tensor | None, a: Tensor, b: Tensor) -> None:
        """What the `meta` of `add`, `sub` and the like builds."""
        self.build(BINARY_OP_CONFIG().add_output(out).add_const_input(a).add_const_input(b))

    def build_borrowing_binary_float_op(self, out: Tensor | None, a: Tensor, b: Tensor) -> None:
        """What the `meta` of `div` builds: integers are computed with as floats."""
        self.build(BINARY_FLOAT_OP_CONFIG().add_output(out).add_const_input(a).add_const_input(b))

    def build_borrowing_unary_op(self, out: Tensor | None, a: Tensor) -> None:
        """What the `meta` of `neg` and the like builds."""
        self.build(UNARY_OP_CONFIG().add_output(out).add_const_input(a))

    def build_borrowing_unary_float_op(self, out: Tensor | None, a: Tensor) -> None:
        """What the `meta` of `reciprocal` and the like builds: integers are computed with as floats."""
        self.build(UNARY_FLOAT_OP_CONFIG().add_output(out).add_const_input(a))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def numel(self) -> int:
        return math.prod(self.shape)

    @property
    def ntensors(self) -> int:
        return len(self.operands)

    def dtype(self, arg: int = 0) -> ScalarType:
        """The type that operand `arg` has now; of 0, the output's."""
        return self.operands[arg].current_dtype

    def device_type(self, arg: int = 0) -> DeviceType:
        """The type of device that operand `arg` is on."""
        device = self.operands[arg].device
        assert device is not None
        return device.type

    def tensor(self, arg: int) -> Tensor:
        """The tensor of operand `arg`."""
        tensor = self.operands[arg].tensor
        assert tensor is not None
        return tensor

    def input(self, arg: int = 0) -> Tensor:
        """The tensor of input `arg`, converted to the common type."""
        return self.tensor(self.num_outputs + arg)

    def output(self, arg: int = 0) -> Tensor:
        """The tensor of output `arg`; a temporary if the caller's has another type."""
        return self.tensor(arg)

    def get_strides(self) -> list[int]:
        """The strides of all operands in bytes: those of dimension 0, then those of 1 …; of two
        dimensions at least, for the loops that a kernel gets.
        """
        strides = [
            operand.stride_bytes[dim] for dim in range(self.ndim) for operand in self.operands
        ]
        return strides + [0] * (max(0, 2 - self.ndim) * self.ntensors)

    def is_contiguous(self) -> bool:
        """Whether that loop steps by one element in every operand."""
        if self.numel == 1:
            return True
        return self.ndim == 1 and all(
            operand.stride_bytes[0] == operand.current_dtype.itemsize for operand in self.operands
        )

    def is_scalar(self, arg: int) -> bool:
        """Whether operand `arg` is the same element all along."""
        strides = self.operands[arg].stride_bytes
        return all(s == 0 or size == 1 for s, size in zip(strides, self.shape, strict=True))

    def is_cpu_scalar(self, arg: int) -> bool:
        """Whether operand `arg` is one element, on the CPU."""
        return self.is_scalar(arg) and self.device_type(arg) is DeviceType.CPU

    def original_scalar_value(self, arg: int) -> Any:
        """The value of an operand that is a scalar, as it was before it was converted."""
        operand = self.operands[arg]
        return (operand.original_tensor or self.tensor(arg)).item()

    def remove_operand(self, arg: int) -> None:
        """Forget operand `arg`: a scalar that the kernel takes as an argument instead."""
        del self.operands[arg]

    def set_output_raw_strided(
        self, output_idx: int, sizes: Sizes, strides: Sizes, options: TensorOptions
    ) -> None:
        """Take over the output that the overriding class has set, with its call of this."""
        operand, output = self.operands[output_idx], self.maybe_get_output(output_idx)
        if output is None:
            raise TorchError(f"output {output_idx} was set, and maybe_get_output gives no tensor")
        if operand.tensor is None:
            operand.tensor = output
        elif operand.will_resize and operand.original_tensor is not None:
            # The temporary that stands in for an output of another type had its old size.
            resize_output(operand.tensor, sizes)
            restride(operand.tensor, strides, options)
        operand.current_dtype = operand.tensor.dtype

    def cast_outputs(self) -> None:
        """After the loop: copy temporaries into the outputs whose place they took."""
        for operand in self.operands:
            original, tensor = operand.original_tensor, operand.tensor
            if not operand.is_output or original is None or tensor is None:
                continue
            if original.dtype is operand.current_dtype:
                continue
            if original.sizes != tensor.sizes:
                resize_(original, tensor.sizes, tensor.strides)
            copy_(original, tensor)
            operand.restore_original_tensor()


def populate_operands(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Make an operand of each tensor. One on `meta` makes the whole computation one without data."""
    for index, tensor in enumerate(config.tensors):
        operand = OperandInfo.of(tensor)
        operand.is_const = index in config.const_tensor_indices
        iterator.operands.append(operand)
        if tensor is not None and tensor.device.type is DeviceType.Meta:
            iterator.is_meta = True
    iterator.num_outputs = config.num_outputs


def mark_outputs(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Mark the outputs, and those of them that are inputs too: `a.add_(b)`."""
    inputs = iterator.operands[iterator.num_outputs :]
    for operand in iterator.operands[: iterator.num_outputs]:
        operand.is_output = True
        if operand.tensor is not None:
            operand.is_read_write = any(other.tensor is operand.tensor for other in inputs)


def set_data(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Note the addresses where the operands begin.

    Raises TorchError for an output over a NumPy array that is read-only; in PyTorch, which warns
    when such a tensor is made, writing to it is undefined.
    """
    for operand in iterator.operands:
        tensor = operand.tensor
        assert tensor is not None
        if operand.is_output and not tensor.is_writable():
            raise TorchError(
                "The given NumPy array is not writable, and PyTorch does not support non-writable "
                "tensors.",
                hint="copy the array, or make it writable",
            )
        operand.data = tensor.data_ptr


Step = Callable[[TensorIteratorBase, TensorIteratorConfig], None]

_FIRST_STEPS: tuple[Step, ...] = (
    populate_operands,
    mark_outputs,
    compute_mem_overlaps,
    compute_shape,
    mark_resize_outputs,
    compute_types,
    fast_set_up,
)
_SLOW_STEPS: tuple[Step, ...] = (compute_strides, reorder_dimensions, allocate_or_resize_outputs)
