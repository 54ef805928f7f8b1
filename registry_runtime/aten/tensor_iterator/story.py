"""The build of an iterator, told: each step with the state before it, after it, and a sentence.

Telling costs two snapshots a step, so nobody pays who doesn't ask. A sentence is made from the two
states alone: it can't claim what didn't happen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from registry_runtime.aten.tensor.device import Device
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Sizes

if TYPE_CHECKING:
    from registry_runtime.aten.tensor_iterator.build import Step, TensorIteratorBase
    from registry_runtime.aten.tensor_iterator.config import TensorIteratorConfig
    from registry_runtime.aten.tensor_iterator.operand import OperandInfo


@dataclass(frozen=True, slots=True)
class OperandState:
    """An operand at one moment. `sizes` and `strides` (in elements) are its tensor's, None while it
    has none; `stride_bytes` are the iterator's.
    """

    name: str
    sizes: Sizes | None
    strides: Sizes | None
    dtype: ScalarType
    target_dtype: ScalarType
    device: Device | None
    stride_bytes: Sizes
    is_output: bool
    is_read_write: bool
    will_resize: bool
    is_temporary: bool
    is_wrapped_number: bool
    data: int


@dataclass(frozen=True, slots=True)
class IteratorState:
    """The iterator at one moment."""

    operands: tuple[OperandState, ...]
    shape: Sizes
    perm: Sizes
    common_dtype: ScalarType
    common_device: Device
    fast_setup_type: str
    has_coalesced_dimensions: bool
    is_meta: bool


@dataclass(frozen=True, slots=True)
class BuildStep:
    """One step of the build, by its name in PyTorch, and what it did."""

    name: str
    sentence: str
    before: IteratorState
    after: IteratorState


def told(step: Step, iterator: TensorIteratorBase, config: TensorIteratorConfig) -> BuildStep:
    """Take the step and tell it."""
    before = state_of(iterator)
    step(iterator, config)
    after = state_of(iterator)
    return BuildStep(step.__name__, _SENTENCES[step.__name__](before, after), before, after)


def state_of(iterator: TensorIteratorBase) -> IteratorState:
    """What there is to see of the iterator now."""
    outputs = iterator.num_outputs
    return IteratorState(
        tuple(_operand(op, index, outputs) for index, op in enumerate(iterator.operands)),
        iterator.shape,
        iterator.perm,
        iterator.common_dtype,
        iterator.common_device,
        iterator.fast_setup_type.name,
        iterator.has_coalesced_dimensions,
        iterator.is_meta,
    )


def _operand(operand: OperandInfo, index: int, outputs: int) -> OperandState:
    tensor = operand.tensor
    return OperandState(
        f"output {index}" if index < outputs else f"input {index - outputs}",
        None if tensor is None else tensor.sizes,
        None if tensor is None else tensor.strides,
        operand.current_dtype,
        operand.target_dtype,
        operand.device,
        operand.stride_bytes,
        operand.is_output,
        operand.is_read_write,
        operand.will_resize,
        operand.original_tensor is not None,
        tensor is not None and tensor.is_wrapped_number,
        operand.data,
    )


def _populated(before: IteratorState, after: IteratorState) -> str:
    listed = ", ".join(f"{op.name} {_tensor(op)}" for op in after.operands)
    meta = "; one is on meta, so nothing will be computed" if after.is_meta else ""
    return f"The operands, outputs first: {listed}{meta}."


def _marked(before: IteratorState, after: IteratorState) -> str:
    outputs = [op for op in after.operands if op.is_output]
    both = [op.name for op in outputs if op.is_read_write]
    tail = f"; {_and(both)} is read as well: the same tensor is an input" if both else ""
    return _sentence(f"{_and([op.name for op in outputs])} will be written{tail}.")


def _overlaps(before: IteratorState, after: IteratorState) -> str:
    if all(op.sizes is None for op in after.operands if op.is_output):
        return "No output exists yet, so none can overlap anything."
    return "No output has two elements in one place, or shares part of its memory with an input."


def _shaped(before: IteratorState, after: IteratorState) -> str:
    shapes = [op.sizes for op in after.operands if not op.is_output and op.sizes is not None]
    if len(set(shapes)) <= 1:
        return f"The shape is {list(after.shape)}: no operand has to be broadcast."
    listed = " and ".join(str(list(shape)) for shape in shapes)
    return f"{listed} broadcast to {list(after.shape)}."


def _resized(before: IteratorState, after: IteratorState) -> str:
    marked = [op for op in after.operands if op.will_resize]
    if not marked:
        return "No output has to be resized."
    return " ".join(
        f"{_sentence(op.name)} has shape {list(op.sizes or ())} and will be resized to "
        f"{list(after.shape)}."
        for op in marked
    )


def _typed(before: IteratorState, after: IteratorState) -> str:
    inputs = [op for op in before.operands if not op.is_output]
    if after.common_dtype is ScalarType.Undefined:
        return "The inputs have different types, and nobody asked for a common one."
    if {op.dtype for op in inputs} <= {after.common_dtype}:
        first = f"All inputs are {after.common_dtype}, and so is the computation"
    else:
        first = f"{_and([_rank(op, inputs) for op in inputs])} promote to {after.common_dtype}"
    cast = [op.name for op in after.operands if op.is_temporary]
    tail = f"; a temporary {after.common_dtype} tensor takes the place of {_and(cast)}"
    return f"{first}{tail if cast else ''}."


def _rank(operand: OperandState, inputs: list[OperandState]) -> str:
    """The operand's type, and why it may count for less than another's."""
    if operand.is_wrapped_number:
        return f"{operand.dtype} (a number)"
    if operand.sizes == () and any(other.sizes for other in inputs):
        return f"{operand.dtype} (without dimensions)"
    return str(operand.dtype)


_LAYOUTS = {
    "CONTIGUOUS": "contiguous",
    "CHANNELS_LAST": "channels-last",
    "NON_OVERLAPPING_DENSE": "dense, with the same strides",
}


def _fast(before: IteratorState, after: IteratorState) -> str:
    layout = _LAYOUTS.get(after.fast_setup_type)
    if layout is None:
        return "The operands have different shapes or layouts: the slow steps have to be taken."
    return (
        f"All operands have one shape and are {layout}: one loop over {list(after.shape)} does it, "
        "and the remaining steps are skipped."
    )


def _strides(before: IteratorState, after: IteratorState) -> str:
    listed = ", ".join(
        f"{op.name} {list(op.stride_bytes)}"
        for op in after.operands
        if op.sizes is not None and not op.will_resize
    )
    repeated = any(
        stride == 0 and size != 1
        for op in after.operands
        for stride, size in zip(op.stride_bytes, after.shape, strict=False)
    )
    tail = "; 0 where the same element is read again" if repeated else ""
    return f"Strides in bytes: {listed}{tail}."


def _reordered(before: IteratorState, after: IteratorState) -> str:
    if len(after.shape) <= 1:
        return "There is nothing to sort."
    return (
        f"The fastest dimension comes first: {list(before.shape)} becomes {list(after.shape)}, "
        f"which were dimensions {list(after.perm)}."
    )


def _allocated(before: IteratorState, after: IteratorState) -> str:
    told_of = []
    for old, new in zip(before.operands, after.operands, strict=True):
        if not new.is_output:
            continue
        if old.sizes is None or old.will_resize:
            verb = "allocated" if old.sizes is None else "resized"
            told_of.append(f"{new.name} is {verb}: {_tensor(new)}")
        else:
            told_of.append(f"{new.name} is as it was")
    return _sentence(f"{'; '.join(told_of)}.") if told_of else "There are no outputs."


def _coalesced(before: IteratorState, after: IteratorState) -> str:
    if before.shape == after.shape:
        return f"No two dimensions of {list(after.shape)} can be walked as one."
    return (
        f"Dimensions that one stride walks through are merged: {list(before.shape)} becomes "
        f"{list(after.shape)}."
    )


def _data(before: IteratorState, after: IteratorState) -> str:
    return "Every operand has an address; the loop can run."


_SENTENCES: dict[str, Callable[[IteratorState, IteratorState], str]] = {
    "populate_operands": _populated,
    "mark_outputs": _marked,
    "compute_mem_overlaps": _overlaps,
    "compute_shape": _shaped,
    "mark_resize_outputs": _resized,
    "compute_types": _typed,
    "fast_set_up": _fast,
    "compute_strides": _strides,
    "reorder_dimensions": _reordered,
    "allocate_or_resize_outputs": _allocated,
    "coalesce_dimensions": _coalesced,
    "set_data": _data,
}


def _tensor(operand: OperandState) -> str:
    if operand.sizes is None:
        return "(undefined)"
    return f"{operand.dtype}{list(operand.sizes)} with strides {list(operand.strides or ())}"


def _and(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
