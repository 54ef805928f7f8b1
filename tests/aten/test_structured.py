"""`add` as a structured kernel: the chain of classes, and the three forms around meta and impl."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from registry_runtime.aten import structured
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.linking import linked_stub, new_world
from registry_runtime.aten.native import find
from registry_runtime.aten.native.ufunc_add import add_kernel
from registry_runtime.aten.structured import StructuredStory, told_to
from registry_runtime.aten.stub.cpu_capability import CPUCapability, get_cpu_capability
from registry_runtime.aten.tensor.device import META
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor, empty, empty_strided
from registry_runtime.aten.world import World


@pytest.fixture(scope="module")
def world() -> World:
    """A world in which somebody has registered add_stub for this processor."""
    world = new_world()
    for capability in {CPUCapability.DEFAULT, get_cpu_capability()}:
        linked_stub(world, "add_stub").set_slot(
            capability, partial(add_kernel, capability=capability)
        )
    return world


def wrapper(world: World, name: str) -> Any:
    function = find(f"at::wrapper_{name}", world)
    assert function is not None
    return function


def tensor(array: Any) -> Tensor:
    return Tensor.from_array(np.asarray(array))


def test_the_five_classes_stand_in_pytorchs_order() -> None:
    chain = [c.__name__ for c in structured.structured_ufunc_add_CPU_functional.__mro__]
    named = [
        "structured_ufunc_add_CPU_functional",
        "structured_ufunc_add_CPU",
        "structured_add_Tensor",
        "TensorIteratorBase",
        "MetaBase",
    ]
    assert [name for name in chain if name in named] == named


def test_the_functional_form_makes_its_output(world: World) -> None:
    stories: list[StructuredStory] = []
    a, b = tensor(np.arange(12.0).reshape(3, 4).T), tensor(np.arange(4.0)[:, None])
    with told_to(stories):
        result = wrapper(world, "CPU_add_Tensor")(a, b, Scalar(2))
    np.testing.assert_array_equal(result.numpy(), a.numpy() + 2 * b.numpy())
    assert result.strides == (1, 4)
    (story,) = stories
    form = "structured_ufunc_add_CPU_functional"
    assert story.form == form
    assert story.calls == [
        "structured_add_Tensor::meta",
        f"{form}::set_output_raw_strided",
        "structured_ufunc_add_CPU::impl",
    ]
    assert story.build[0].name == "populate_operands"
    assert story.loops.numel == 12
    assert story.loops.T is ScalarType.Double


def test_the_in_place_form_writes_into_self(world: World) -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    self = Tensor.from_array(array)
    assert wrapper(world, "CPU_add__Tensor")(self, tensor([1, 2, 3]), Scalar(1)) is self
    np.testing.assert_array_equal(array, [[1, 3, 5], [4, 6, 8]])


def test_the_in_place_form_refuses_another_shape_or_type(world: World) -> None:
    add_ = wrapper(world, "CPU_add__Tensor")
    with pytest.raises(TorchError, match=r"output with shape \[3\] doesn't match the broadcast"):
        add_(tensor([1, 2, 3]), tensor([[1], [2]]), Scalar(1))
    with pytest.raises(TorchError, match="result type Double can't be cast to the desired output"):
        add_(tensor([1, 2, 3]), tensor([1.5, 2, 3]), Scalar(1))


def test_the_out_form_casts_into_an_output_of_another_type(world: World) -> None:
    array = np.zeros(3, np.float64)
    out = Tensor.from_array(array)
    a, b = tensor(np.float32([1, 2, 3])), tensor([1, 1, 1])
    assert wrapper(world, "CPU_add_out_out")(a, b, Scalar(1), out) is out
    np.testing.assert_array_equal(array, [2, 3, 4])


def test_the_out_form_resizes_and_warns(world: World) -> None:
    out = empty((2,), ScalarType.Long)
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        wrapper(world, "CPU_add_out_out")(tensor([1, 2, 3]), tensor([1]), Scalar(1), out)
    np.testing.assert_array_equal(out.numpy(), [2, 3, 4])


def test_the_out_form_keeps_the_strides_that_the_output_has(world: World) -> None:
    out = empty_strided((3, 2), (1, 3), ScalarType.Long)
    wrapper(world, "CPU_add_out_out")(tensor([[1, 2]] * 3), tensor([10]), Scalar(1), out)
    assert out.strides == (1, 3)
    np.testing.assert_array_equal(out.numpy(), [[11, 12]] * 3)


def test_meta_does_everything_but_compute(world: World) -> None:
    a = empty((4, 1), ScalarType.Int, META)
    result = wrapper(world, "Meta_add_Tensor")(a, empty((3,), ScalarType.Float, META), Scalar(1))
    assert (result.sizes, result.dtype, result.device) == ((4, 3), ScalarType.Float, META)


def test_alpha_is_checked_before_anything_is_computed(world: World) -> None:
    with pytest.raises(TorchError, match="For integral input tensors, argument alpha must not"):
        wrapper(world, "CPU_add_Tensor")(tensor([1]), tensor([2]), Scalar(1.5))


def test_without_a_stub_the_sentence_is_dispatch_stubs() -> None:
    with pytest.raises(TorchError, match="DispatchStub: missing default kernel"):
        wrapper(new_world(), "CPU_add_Tensor")(tensor([1]), tensor([2]), Scalar(1))


def test_strict_strides_get_a_proxy(world: World) -> None:
    # Not add's: a kernel that demands strides says set_output_strided.
    class Strict(structured.structured_ufunc_add_CPU_out):
        def set_output_raw_strided(self, *given: Any) -> None:
            index, sizes, _, options = given
            structured.structured_ufunc_add_CPU_out.set_output_strided(
                self, index, sizes, (2, 1), options
            )

    out = empty_strided((3, 2), (1, 3), ScalarType.Long)
    op = Strict(out)
    op.add_stub = world.stubs["add_stub"]
    a, b = tensor([[1, 2]] * 3), tensor([10])
    op.meta(a, b, Scalar(1))
    proxy = op.maybe_get_output(0)
    assert proxy is not None
    assert proxy is not out
    assert proxy.strides == (2, 1)
    op.copy_proxies()
    np.testing.assert_array_equal(out.numpy(), proxy.numpy())
