"""May the outputs be written to while the inputs are read?

Source: `TensorIteratorBase::compute_mem_overlaps` in `TensorIterator.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from registry_runtime.aten.tensor.memory_overlap import (
    assert_no_internal_overlap,
    assert_no_partial_overlap,
)

if TYPE_CHECKING:
    from registry_runtime.aten.tensor_iterator.build import TensorIteratorBase
    from registry_runtime.aten.tensor_iterator.config import TensorIteratorConfig


def compute_mem_overlaps(iterator: TensorIteratorBase, config: TensorIteratorConfig) -> None:
    """Raises TorchError for an output that overlaps itself, or an input in part."""
    if not config.check_mem_overlap:
        return
    for operand in iterator.operands[: iterator.num_outputs]:
        output = operand.tensor
        if output is None:
            continue
        assert_no_internal_overlap(output)
        for other in iterator.operands[iterator.num_outputs :]:
            if other.tensor is not None and other.tensor is not output:
                assert_no_partial_overlap(output, other.tensor)
