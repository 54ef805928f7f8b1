"""TensorIterator: one loop over operands of different shapes, strides and types.

An element-wise operator says which tensors it reads and writes. The iterator finds the shape that
they broadcast to and the type to compute in, allocates what is missing, and lays all operands out so
that a kernel needs pointers, strides in bytes and a shape of as few dimensions as possible.
"""

from registry_runtime.aten.tensor_iterator.build import TensorIteratorBase
from registry_runtime.aten.tensor_iterator.config import (
    BINARY_FLOAT_OP_CONFIG,
    BINARY_OP_CONFIG,
    NULLARY_OP_CONFIG,
    UNARY_FLOAT_OP_CONFIG,
    UNARY_OP_CONFIG,
    TensorIteratorConfig,
    comparison_op_config,
)
from registry_runtime.aten.tensor_iterator.dim_counter import DimCounter
from registry_runtime.aten.tensor_iterator.fast_set_up import FastSetupType
from registry_runtime.aten.tensor_iterator.iterator import TensorIterator
from registry_runtime.aten.tensor_iterator.operand import OperandInfo
from registry_runtime.aten.tensor_iterator.story import BuildStep, IteratorState

__all__ = [
    "BINARY_FLOAT_OP_CONFIG",
    "BINARY_OP_CONFIG",
    "NULLARY_OP_CONFIG",
    "UNARY_FLOAT_OP_CONFIG",
    "UNARY_OP_CONFIG",
    "BuildStep",
    "DimCounter",
    "FastSetupType",
    "IteratorState",
    "OperandInfo",
    "TensorIterator",
    "TensorIteratorBase",
    "TensorIteratorConfig",
    "comparison_op_config",
]
