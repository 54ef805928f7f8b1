"""TensorIterator by its own laws: whatever it does to dimensions, it walks over the same elements."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.contiguity import storage_numel
from registry_runtime.aten.tensor.device import Device, DeviceType
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor, empty, wrapped_scalar_tensor
from registry_runtime.aten.tensor_iterator import (
    BINARY_FLOAT_OP_CONFIG,
    BINARY_OP_CONFIG,
    BuildStep,
    DimCounter,
    FastSetupType,
    TensorIterator,
    TensorIteratorConfig,
)

SLOW = [
    "compute_strides",
    "reorder_dimensions",
    "allocate_or_resize_outputs",
    "coalesce_dimensions",
]


def zeros(*sizes: int, dtype: str = "float32") -> Tensor:
    return Tensor.from_array(np.zeros(sizes, dtype))


@st.composite
def layouts(draw: st.DrawFn, shape: tuple[int, ...]) -> Tensor:
    """A tensor that broadcasts to the shape: any order of dimensions, gaps, repetitions."""
    sizes = [1 if draw(st.integers(0, 4)) == 0 else size for size in shape]
    sizes = sizes[draw(st.integers(0, len(sizes))) if draw(st.booleans()) else 0 :]
    strides, stride = [0] * len(sizes), 1
    for dim in draw(st.permutations(range(len(sizes)))):
        strides[dim] = 0 if draw(st.integers(0, 9)) == 0 else stride
        stride *= sizes[dim] * draw(st.sampled_from((1, 1, 2)))
    storage = empty((storage_numel(tuple(sizes), tuple(strides)),), ScalarType.Int)
    return storage.as_strided(tuple(sizes), tuple(strides))


@st.composite
def operands(draw: st.DrawFn) -> list[Tensor]:
    shape = tuple(draw(st.lists(st.integers(1, 4), max_size=4)))
    full = draw(layouts(shape))
    return [full, draw(layouts(shape))] if draw(st.booleans()) else [full]


def addressed(
    shape: tuple[int, ...], pointers: list[int], strides: list[tuple[int, ...]]
) -> Counter:
    """Which elements of all operands meet, and how often."""
    met: Counter = Counter()
    for index in itertools.product(*map(range, shape)):
        met[
            tuple(
                pointer + sum(map(math.prod, zip(index, own, strict=True)))
                for pointer, own in zip(pointers, strides, strict=True)
            )
        ] += 1
    return met


@given(operands())
def test_sorting_and_merging_dimensions_never_changes_which_elements_meet(
    inputs: list[Tensor],
) -> None:
    config = BINARY_OP_CONFIG().add_output(None)
    for tensor in inputs:
        config.add_input(tensor)
    iterator = TensorIterator.of(config)
    views = np.broadcast_arrays(*(tensor.numpy() for tensor in inputs))
    arrays = [iterator.output().numpy(), *views]
    plain = addressed(
        arrays[0].shape,
        [array.__array_interface__["data"][0] for array in arrays],
        [array.strides for array in arrays],
    )
    walked = addressed(
        iterator.shape,
        [operand.data for operand in iterator.operands],
        [operand.stride_bytes for operand in iterator.operands],
    )
    assert walked == plain
    assert iterator.output().is_non_overlapping_and_dense()
    # Dimension 0 is the fastest: of the output, which is dense, one element a step.
    if iterator.numel > 1:
        assert iterator.operands[0].stride_bytes[0] == 4


@given(st.lists(st.integers(1, 5), min_size=2, max_size=4), st.data())
def test_the_counter_s_blocks_cover_a_range_once(sizes: list[int], data: st.DataObject) -> None:
    shape, numel = tuple(sizes), math.prod(sizes)
    begin = data.draw(st.integers(0, numel - 1))
    end = data.draw(st.integers(begin, numel))
    counter, covered = DimCounter(shape, begin, end), []
    while not counter.is_done():
        step = counter.max_2d_step()
        first = int(np.ravel_multi_index(counter.values, shape, order="F"))
        covered += [first + i + j * shape[0] for j in range(step[1]) for i in range(step[0])]
        counter.increment(step)
    assert covered == list(range(begin, end))


def steps(config: TensorIteratorConfig) -> tuple[TensorIterator, dict[str, BuildStep]]:
    story: list[BuildStep] = []
    iterator = TensorIterator.of(config, story)
    return iterator, {step.name: step for step in story}


def test_operands_of_one_layout_skip_the_slow_steps() -> None:
    for array, setup in (
        (np.zeros((2, 3, 4)), FastSetupType.CONTIGUOUS),
        (np.zeros((2, 3, 4, 5)).transpose(0, 3, 1, 2), FastSetupType.CHANNELS_LAST),
        (np.zeros((2, 3, 4)).transpose(2, 0, 1), FastSetupType.NON_OVERLAPPING_DENSE),
    ):
        a = Tensor.from_array(array)
        iterator, told = steps(BINARY_OP_CONFIG().add_output(None).add_input(a).add_input(a))
        assert iterator.fast_setup_type is setup
        assert iterator.shape == (array.size,)
        assert iterator.output().strides == a.strides
        assert not set(SLOW) & set(told)
        assert "the remaining steps are skipped" in told["fast_set_up"].sentence


def test_the_story_of_a_broadcast_sum_in_two_types() -> None:
    a, b = zeros(2, 3), zeros(3, dtype="int32")
    iterator, told = steps(BINARY_OP_CONFIG().add_output(None).add_input(a).add_input(b))
    assert list(told) == [
        "populate_operands",
        "mark_outputs",
        "compute_mem_overlaps",
        "compute_shape",
        "mark_resize_outputs",
        "compute_types",
        "fast_set_up",
        *SLOW,
        "set_data",
    ]
    assert told["compute_shape"].sentence == "[2, 3] and [3] broadcast to [2, 3]."
    assert told["compute_types"].after.common_dtype is ScalarType.Float
    assert told["compute_types"].after.operands[2].is_temporary
    assert [op.stride_bytes for op in told["compute_strides"].after.operands] == [
        (),
        (12, 4),
        (0, 4),
    ]
    assert told["reorder_dimensions"].after.shape == (3, 2)
    assert told["allocate_or_resize_outputs"].before.operands[0].sizes is None
    assert told["allocate_or_resize_outputs"].after.operands[0].sizes == (2, 3)
    assert told["coalesce_dimensions"].after.shape == (3, 2)
    assert iterator.get_strides() == [4, 4, 4, 12, 12, 0]
    for before, after in itertools.pairwise(told.values()):
        assert before.after == after.before


def test_an_output_of_another_type_is_cast_at_the_end() -> None:
    out, a = zeros(3, dtype="float64"), zeros(3, dtype="int32")
    number = wrapped_scalar_tensor(Scalar(2.5))
    iterator, told = steps(BINARY_OP_CONFIG().add_output(out).add_input(a).add_input(number))
    assert (iterator.common_dtype, iterator.dtype()) == (ScalarType.Float, ScalarType.Float)
    assert iterator.output() is not out
    assert iterator.original_scalar_value(2) == 2.5
    assert told["compute_types"].sentence == (
        "Int and Double (a number) promote to Float; a temporary Float tensor takes the place of "
        "output 0, input 0 and input 1."
    )
    iterator.output().numpy()[:] = [1, 2, 3]
    iterator.cast_outputs()
    assert iterator.output() is out
    assert out.numpy().tolist() == [1, 2, 3]


def test_scalars_are_seen_as_such() -> None:
    iterator = TensorIterator.binary_op(None, zeros(4, 3), zeros(1, 1))
    assert [iterator.is_cpu_scalar(arg) for arg in range(3)] == [False, False, True]
    assert iterator.shape == (12,)
    assert not iterator.is_contiguous()
    assert TensorIterator.binary_op(None, zeros(4, 3), zeros(4, 3)).is_contiguous()


def test_integers_become_floating_point_where_that_is_asked_for() -> None:
    config = BINARY_FLOAT_OP_CONFIG().add_output(None)
    a = zeros(2, dtype="int64")
    assert TensorIterator.of(config.add_input(a).add_input(a)).common_dtype is ScalarType.Float


def test_meta_operands_get_an_output_and_no_addresses() -> None:
    a = empty((2, 3), ScalarType.Float, Device(DeviceType.Meta))
    number = wrapped_scalar_tensor(Scalar(1))
    iterator, told = steps(BINARY_OP_CONFIG().add_output(None).add_input(a).add_input(number))
    assert iterator.output().device.type is DeviceType.Meta
    assert iterator.output().strides == (3, 1)
    assert "set_data" not in told
    assert "coalesce_dimensions" not in told


def test_operands_on_different_devices() -> None:
    here, meta = zeros(2), empty((2,), ScalarType.Float, Device(DeviceType.Meta))
    with pytest.raises(TorchError) as refused:
        TensorIterator.binary_op(None, here, meta)
    assert refused.value.message == (
        "Expected all tensors to be on the same device, but found at least two devices, "
        "meta and cpu!"
    )
    config = BINARY_OP_CONFIG().add_output(None).add_input(meta)
    number = wrapped_scalar_tensor(Scalar(1))
    with pytest.raises(TorchError, match="Trying to pass too many CPU scalars to non-CPU kernel!"):
        TensorIterator.of(config.add_input(number).add_input(number))


def test_a_given_shape_is_not_checked() -> None:
    config = TensorIteratorConfig(resize_outputs=False).declare_static_shape((2, 3), (1,))
    iterator = TensorIterator.of(config.add_output(zeros(2, 3)).add_input(zeros(2, 3)))
    assert iterator.numel == 2
    with pytest.raises(TorchError, match=r"squash_dim 2 must be in \[0, 2\)."):
        config.declare_static_shape((2, 3), (2,))
    with pytest.raises(TorchError, match="resize_outputs"):
        TensorIteratorConfig().declare_static_shape((2,))


def test_linear_iteration_keeps_the_order_of_c() -> None:
    a = Tensor.from_array(np.zeros((4, 3)).T)
    config = TensorIteratorConfig(enforce_linear_iteration=True)
    iterator = TensorIterator.of(config.add_output(None).add_input(a))
    assert iterator.shape == (4, 3)
    assert iterator.operands[1].stride_bytes == (24, 8)
    assert iterator.output().strides == (4, 1)


def test_read_only_memory_is_never_written_to() -> None:
    array = np.zeros(3)
    array.flags.writeable = False
    fixed = Tensor.from_array(array)
    assert TensorIterator.binary_op(None, fixed, fixed).numel == 3
    with pytest.raises(TorchError, match="not writable"):
        TensorIterator.binary_op(fixed, fixed, zeros(3, dtype="float64"))


def test_outputs_come_before_inputs() -> None:
    config = TensorIteratorConfig().add_input(zeros(1))
    with pytest.raises(TorchError, match="add all outputs first"):
        config.add_output(None)
