"""`at::TensorIterator`: an iterator on its own, for kernels that aren't structured.

It allocates and resizes its outputs itself, where a structured kernel has its class do that.
Source: `aten/src/ATen/TensorIterator.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from registry_runtime.aten.tensor.resize import resize_output
from registry_runtime.aten.tensor.tensor import Sizes, Tensor
from registry_runtime.aten.tensor.tensor_meta import TensorOptions, create_out, restride
from registry_runtime.aten.tensor_iterator.build import TensorIteratorBase
from registry_runtime.aten.tensor_iterator.config import (
    BINARY_OP_CONFIG,
    TensorIteratorConfig,
)
from registry_runtime.aten.tensor_iterator.story import BuildStep


class TensorIterator(TensorIteratorBase):
    """`at::TensorIterator`: one that makes its outputs itself, for kernels that aren't structured."""

    @classmethod
    def of(
        cls, config: TensorIteratorConfig, story: list[BuildStep] | None = None
    ) -> TensorIterator:
        """The iterator that `config` asks for; `story` is told how it was built."""
        iterator = cls()
        iterator.story = story
        iterator.build(config)
        return iterator

    @classmethod
    def binary_op(cls, out: Tensor | None, a: Tensor, b: Tensor) -> TensorIterator:
        return cls.of(BINARY_OP_CONFIG().add_output(out).add_const_input(a).add_const_input(b))

    def maybe_get_output(self, output_idx: int = 0) -> Tensor | None:
        return self.operands[output_idx].tensor

    def set_output_raw_strided(
        self, output_idx: int, sizes: Sizes, strides: Sizes, options: TensorOptions
    ) -> None:
        operand = self.operands[output_idx]
        if operand.tensor is None:
            operand.tensor = create_out(sizes, strides, options)
            operand.current_dtype = operand.target_dtype
        elif operand.will_resize:
            resize_output(operand.tensor, sizes)
            restride(operand.tensor, strides, options)
