"""Tensors: looks at a storage, their layouts, and copies, by their own laws and against torch."""

from __future__ import annotations

import itertools
import random
import warnings

import numpy as np
import pytest

from registry_runtime.aten.errors import TorchError, TypeTorchError, ValueTorchError
from registry_runtime.aten.tensor.contiguity import MemoryFormat, contiguous_strides, storage_numel
from registry_runtime.aten.tensor.copy import convert, copy_, to, to_copy
from registry_runtime.aten.tensor.device import CPU, META
from registry_runtime.aten.tensor.memory_overlap import (
    MemOverlapStatus,
    assert_no_internal_overlap,
    get_overlap_status,
)
from registry_runtime.aten.tensor.resize import resize_
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType, is_complex_type, is_floating_type
from registry_runtime.aten.tensor.tensor import (
    Tensor,
    empty,
    empty_strided,
    scalar_to_tensor,
    wrapped_scalar_tensor,
)


def test_a_tensor_shares_the_array_s_memory() -> None:
    array = np.arange(24.0).reshape(4, 6)
    tensor = Tensor.from_array(array[1:, ::2].T)
    assert (tensor.sizes, tensor.strides) == ((3, 3), (2, 6))
    assert tensor.data_ptr == array[1:, ::2].ctypes.data
    tensor.numpy()[0, 1] = -1
    assert array[2, 0] == -1


def test_views_share_one_storage_and_see_it_grow() -> None:
    tensor = Tensor.from_array(np.arange(6))
    view = tensor.as_strided((2, 2), (3, 1), 1)
    assert view.numpy().tolist() == [[1, 2], [4, 5]]
    assert view.is_alias_of(tensor)
    assert not view.is_alias_of(Tensor.from_array(tensor.numpy()))
    resize_(tensor, (8,))
    tensor.numpy()[1] = 7
    assert view.numpy()[0, 0] == 7
    with pytest.raises(TorchError, match="requiring a storage size of 72 are out of bounds"):
        tensor.as_strided((9,), (1,))


def test_numbers_become_tensors_without_dimensions() -> None:
    assert scalar_to_tensor(Scalar(True)).dtype is ScalarType.Bool
    number = wrapped_scalar_tensor(Scalar(2.5))
    assert (number.sizes, number.dtype, number.item()) == ((), ScalarType.Double, 2.5)
    assert number.is_wrapped_number


def test_meta_has_facts_and_no_data() -> None:
    tensor = empty((2, 3), ScalarType.Float, META)
    assert (tensor.strides, tensor.data_ptr, tensor.storage.nbytes) == ((3, 1), 0, 24)
    assert to_copy(tensor, ScalarType.Int).dtype is ScalarType.Int
    with pytest.raises(TypeTorchError, match="can't convert meta device type tensor to numpy"):
        tensor.numpy()


def test_arrays_that_pytorch_cannot_have() -> None:
    with pytest.raises(ValueTorchError, match=r"At least one stride .* is negative"):
        Tensor.from_array(np.arange(3)[::-1])
    with pytest.raises(ValueTorchError, match="not a multiple of the element byte size"):
        Tensor.from_array(np.zeros(3, [("a", "i4"), ("b", "i1")])["a"])
    with pytest.raises(ValueTorchError, match="byte order different from the native"):
        Tensor.from_array(np.zeros(3, ">f4"))
    with pytest.raises(TypeTorchError, match=r"can't convert np.ndarray of type numpy.str_"):
        Tensor.from_array(np.array(["a"]))


def test_overlap() -> None:
    tensor = Tensor.from_array(np.zeros(6))
    expanded = tensor.as_strided((2, 3), (0, 1))
    with pytest.raises(TorchError, match="more than one element of the written-to tensor"):
        assert_no_internal_overlap(expanded)
    first, last = tensor.as_strided((4,), (1,)), tensor.as_strided((4,), (1,), 2)
    assert get_overlap_status(first, last) is MemOverlapStatus.Partial
    assert get_overlap_status(first, tensor.as_strided((4,), (1,))) is MemOverlapStatus.Full
    assert get_overlap_status(first, tensor.as_strided((2,), (1,), 4)) is MemOverlapStatus.No
    assert get_overlap_status(first, expanded) is MemOverlapStatus.TooHard


def random_layout(rng: random.Random) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Sizes, strides and offset of what permuting, slicing and expanding make of a tensor."""
    sizes = tuple(
        rng.choice((1, 2, 2, 3, 0) if rng.random() < 0.1 else (1, 2, 3))
        for _ in range(rng.randint(0, 5))
    )
    order = list(range(len(sizes)))
    rng.shuffle(order)
    if len(sizes) in (4, 5) and rng.random() < 0.5:
        order = [0, *range(2, len(sizes)), 1]
    strides, stride = [0] * len(sizes), rng.choice((1, 1, 1, 2))
    for dim in reversed(order):
        strides[dim] = stride if rng.random() < 0.9 else 0
        stride *= max(sizes[dim], 1) * rng.choice((1, 1, 1, 2))
    return sizes, tuple(strides), rng.choice((0, 3))


@pytest.mark.torch
def test_layouts_are_what_torch_says_they_are() -> None:
    torch = pytest.importorskip("torch")
    rng = random.Random(1)
    formats = {
        MemoryFormat.Contiguous: torch.contiguous_format,
        MemoryFormat.ChannelsLast: torch.channels_last,
        MemoryFormat.ChannelsLast3d: torch.channels_last_3d,
    }
    for _ in range(3000):
        sizes, strides, offset = random_layout(rng)
        theirs = torch.empty(storage_numel(sizes, strides, offset) + offset).as_strided(
            sizes, strides, offset
        )
        ours = empty_strided(sizes, strides, ScalarType.Float)
        for memory_format, torch_format in formats.items():
            assert ours.is_contiguous(memory_format) == theirs.is_contiguous(
                memory_format=torch_format
            )
        dense = torch.ops.aten.is_non_overlapping_and_dense(theirs)
        assert ours.is_non_overlapping_and_dense() == dense
        assert contiguous_strides(sizes) == torch.empty(sizes).stride()
        # What a copy's strides are shows what the strides were taken for.
        assert to(ours, ScalarType.Int).strides == theirs.to(torch.int32).stride(), (sizes, strides)


@pytest.mark.torch
def test_key_sets_are_torch_s() -> None:
    torch = pytest.importorskip("torch")
    for device in (CPU, META):
        theirs = torch._C._dispatch_keys(torch.empty(1, device=str(device)))
        assert str(empty((1,), ScalarType.Float, device).key_set) == str(theirs)


@pytest.mark.torch
def test_copies_convert_as_torch_s_do() -> None:
    torch = pytest.importorskip("torch")
    warnings.simplefilter("ignore")  # ComplexHalf is experimental, it says
    kinds = [ScalarType(number) for number in (*range(12), 15)]
    whole = [0, 1, 2, 3, 5, 100, 127]
    for source, target in itertools.product(kinds, kinds):
        values: list[complex] = list(whole)
        if is_floating_type(source) or is_complex_type(source):
            values += [0.3, 1.7, 99.99]
            if is_floating_type(target) or is_complex_type(target):
                values += [-2.5, 2049.1, 65520.0, 1e-6, float("inf"), 1 / 3]
        if is_complex_type(source):
            values += [2j, 1 + 3.3j]
        dtype = getattr(torch, source.torch_name)
        theirs = torch.tensor(values, dtype=torch.complex128)
        theirs = (
            (theirs if dtype.is_complex else theirs.real)
            .to(dtype)
            .clone(memory_format=torch.contiguous_format)
        )
        expected = theirs.to(getattr(torch, target.torch_name))
        ours = Tensor.from_array(_bytes(theirs).view(source.numpy))
        assert to(ours, target).numpy().tobytes() == _bytes(expected).tobytes(), (source, target)
        written = copy_(empty((len(values),), target), ours)
        assert written.numpy().tobytes() == _bytes(expected).tobytes()


def _bytes(tensor):  # type: ignore[no-untyped-def]
    import torch

    return tensor.view(torch.uint8).numpy() if tensor.dtype != torch.bool else tensor.numpy()


def test_converting_to_the_same_type_copies_nothing() -> None:
    array = np.zeros(2)
    assert convert(array, ScalarType.Double, ScalarType.Double) is array
