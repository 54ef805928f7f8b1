"""A fused kernel is what its expression says, and an expression that says nothing is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registry_runtime.kernels import find
from registry_runtime.kernels.device_code import DeviceCodePool
from registry_runtime.lab.phi.operands import arguments, outline
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.kernel_template import KernelError

T, SINGLE = DataType.FLOAT32, 5
GATE = "fused_elementwise_0"


def reference(*args: Any) -> Any:
    template = find("phi::fusion::FusionGroupKernel")
    assert template
    return template.instantiate(T, "GPUContext").reference(*args)


def test_the_expression_is_what_is_computed() -> None:
    x = [np.array([0.5, -2, 3], np.float32) for _ in range(3)]
    y0, y1 = reference(x, [SINGLE] * 2, [SINGLE] * 3, GATE, 0)
    kept = x[1] / (1 + np.exp(-x[0]))
    np.testing.assert_allclose(y0, kept + np.tanh(x[2]), rtol=1e-6)
    np.testing.assert_allclose(y1, np.maximum(kept, 0), rtol=1e-6)
    assert y0.dtype == np.float32


def test_the_outputs_types_are_the_callers() -> None:
    x = [np.ones(3, np.float32)] * 3
    y0, y1 = reference(x, [6, 4], [SINGLE] * 3, GATE, 0)
    assert (y0.dtype, y1.dtype) == (np.float64, np.float16)


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("y0 = x0 +", "invalid syntax at column 10"),
        ("y0 = log(x0)", r"'log\(x0\)' can't be fused: there are .* exp, relu"),
        ("y0 = x0 ** 2", "'x0 \\*\\* 2' can't be fused"),
        ("y0 = x0.real", "'x0.real' can't be fused"),
        ("y0 = kept; kept = x0", "'kept' is not known yet; there are x0, x1"),
        ("a = x0; a = a + 1; y0 = a", "'a' can't be assigned to"),
        ("x0 = 1; y0 = x0", "'x0' can't be assigned to"),
        ("a = x0", "nothing is assigned to y0"),
        ("y1 = x0", "the outputs are y0 to y0"),
        ("print(x0)", r"'print\(x0\)' is no assignment"),
        ("", "nothing is assigned to y0"),
    ],
)
def test_an_expression_that_cannot_be_fused(expression: str, said: str) -> None:
    with pytest.raises(InvalidArgument, match=f"device code 'mine': {said}"):
        DeviceCodePool().set("mine", expression)


def test_a_name_that_cpp_would_not_take() -> None:
    with pytest.raises(InvalidArgument, match="'1st' is no name for a function in C\\+\\+"):
        DeviceCodePool().set("1st", "y0 = x0")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"func_name": "nobody"}, "Device code named nobody for place Place.gpu:0. does not exist"),
        ({"type": 1}, "Only support fusion of elementwise operations"),
        ({"outs_dtype": []}, "Expected the number of outputs >= 1. Received 0"),
        ({"outs_dtype": [SINGLE]}, "takes 3 inputs and makes 2 outputs, got 3 and 1"),
        ({"outs_dtype": [3, 5]}, r"outs_dtype says 3; .* 4 \(float16\), 5 \(float32\)"),
        ({"inputs_dtype": [SINGLE]}, "inputs_dtype has 1 types for 3 tensors"),
        ({"inputs_dtype": [5, 6, 5]}, r"ins\[1\] is float32, and inputs_dtype says float64"),
        (
            {"ins": [np.ones(3, np.float32), np.ones(2, np.float32)]},
            "dims is expected to be the same",
        ),
    ],
    ids=str,
)
def test_arguments_that_do_not_go_together(change: dict[str, Any], said: str) -> None:
    args = {
        "ins": [np.ones(3, np.float32)] * 3,
        "outs_dtype": [SINGLE] * 2,
        "inputs_dtype": [SINGLE] * 3,
        "func_name": GATE,
        "type": 0,
    }
    with pytest.raises(KernelError, match=said):
        reference(*(args | change).values())


def test_a_list_of_tensors_is_typed_as_shapes_with_semicolons() -> None:
    template = find("phi::fusion::FusionGroupKernel")
    assert template
    texts = {"ins": "2x3; 2x3; 2x3"}
    drawn = outline(template, T, texts)
    assert [out.dims for out in drawn.outs] == [(2, 3), (2, 3)]
    assert drawn.bytes == 5 * 6 * 4
    ins, *_ = arguments(template, T, texts, "zeros", np.random.default_rng(0))
    assert [array.shape for array in ins] == [(2, 3)] * 3
    with pytest.raises(KernelError, match=r"\[2, 3\].* vs \[4\]"):
        outline(template, T, {"ins": "2x3; 4; 2x3"})
    with pytest.raises(KernelError, match="ins: "):
        outline(template, T, {"ins": "2x3; four; 2x3"})
