"""`add` as a structured kernel: the text's classes over ours, and the three forms around the halves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from registry_runtime.aten.calling import CallStory
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.device import META
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor, empty, empty_strided
from registry_runtime.program import Program
from visualizer.workbench.linking import load

SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "aten"
FUNCTIONAL = "structured_ufunc_add_CPU_functional"


@pytest.fixture(scope="module")
def add() -> Program:
    return load([SAMPLES / name for name in ("add.cc", "ufunc_add.cc", "ufunc_add_kernel.cc")])


def story(program: Program, name: str, *given: object, **named: object) -> CallStory:
    told: CallStory = program.explain_call(name, *given, **named)
    assert told.error == ""
    return told


def test_the_functional_form_makes_its_output(add: Program) -> None:
    a, b = np.arange(12.0).reshape(3, 4).T, np.arange(4.0)[:, None]
    tensors = [Tensor.from_array(array) for array in (a, b)]
    told = story(add, "aten::add.Tensor", *tensors, alpha=2)
    np.testing.assert_array_equal(told.result.numpy(), a + 2 * b)
    assert told.result.strides == (1, 4)
    (kernel,) = told.kernels
    assert kernel.form == FUNCTIONAL
    assert kernel.calls == [
        "structured_add_Tensor::meta",
        f"{FUNCTIONAL}::set_output_raw_strided",
        "structured_ufunc_add_CPU::impl",
    ]
    assert kernel.build[0].name == "populate_operands"
    assert kernel.loops.numel == 12
    assert kernel.loops.T is ScalarType.Double


def test_the_in_place_form_writes_into_self(add: Program) -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    self = Tensor.from_array(array)
    other = Tensor.from_array(np.array([1, 2, 3]))
    assert add.call("aten::add_.Tensor", self, other) is self
    np.testing.assert_array_equal(array, [[1, 3, 5], [4, 6, 8]])


def test_the_in_place_form_refuses_another_shape_or_type(add: Program) -> None:
    x = np.array([1, 2, 3])
    with pytest.raises(TorchError, match=r"output with shape \[3\] doesn't match the broadcast"):
        add.call("aten::add_.Tensor", x, np.array([[1], [2]]))
    with pytest.raises(TorchError, match="result type Double can't be cast to the desired output"):
        add.call("aten::add_.Tensor", x, np.array([1.5, 2, 3]))


def test_the_out_form_casts_into_an_output_of_another_type(add: Program) -> None:
    out = np.zeros(3, np.float64)
    a, b = np.array([1, 2, 3], np.float32), np.array([1, 1, 1])
    assert add.call("aten::add.out", a, b, out=out) is out
    np.testing.assert_array_equal(out, [2, 3, 4])


def test_the_out_form_resizes_and_warns(add: Program) -> None:
    out, x = empty((2,), ScalarType.Long), Tensor.from_array([1, 2, 3])
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        add.call("aten::add.out", x, Tensor.from_array([1]), out=out)
    np.testing.assert_array_equal(out.numpy(), [2, 3, 4])


def test_the_out_form_keeps_the_strides_that_the_output_has(add: Program) -> None:
    out = empty_strided((3, 2), (1, 3), ScalarType.Long)
    add.call("aten::add.out", Tensor.from_array([[1, 2]] * 3), Tensor.from_array([10]), out=out)
    assert out.strides == (1, 3)
    np.testing.assert_array_equal(out.numpy(), [[11, 12]] * 3)


def test_meta_does_everything_but_compute(add: Program) -> None:
    a, b = empty((4, 1), ScalarType.Int, META), empty((3,), ScalarType.Float, META)
    told = story(add, "aten::add.Tensor", a, b)
    result = told.result
    assert (result.sizes, result.dtype, result.device) == ((4, 3), ScalarType.Float, META)
    assert told.kernels[0].form == "structured_add_Tensor_meta_functional"
    assert not any("impl" in call for call in told.kernels[0].calls)


def test_alpha_is_checked_before_anything_is_computed(add: Program) -> None:
    with pytest.raises(TorchError, match="For integral input tensors, argument alpha must not"):
        add.call("aten::add.Tensor", np.array([1]), np.array([2]), alpha=1.5)


def test_without_a_stub_the_sentence_is_dispatch_stubs() -> None:
    program = load([SAMPLES / name for name in ("add.cc", "ufunc_add.cc")])
    with pytest.raises(TorchError, match=r"DispatchStub: missing \w+ kernel"):
        program.call("aten::add.Tensor", np.array([1]), np.array([2]))


def test_a_half_that_is_only_declared_is_asked_for() -> None:
    program = load([SAMPLES / "add.cc"])
    said = (
        "`at::meta::structured_add_Tensor::meta` is declared, and no file that is open defines it"
    )
    with pytest.raises(TorchError, match=said):
        program.call("aten::add.Tensor", np.array([1]), np.array([2]))
