"""pow2_decay_with_linear_warmup and dequantize: numbers worked out by hand, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from registry_runtime.kernels import find
from registry_runtime.phi.call.kernel_call import VariadicCompute
from registry_runtime.phi.contexts import CPUContext
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.kernel_template import KernelError
from tests.kernels.shapes import built
from visualizer.workbench.linking import load
from visualizer.workbench.samples import samples_folder

SCHEDULE = (10, 110, 0.1, 0.001)  # warmup_steps, total_steps, base_lr, end_lr


@pytest.mark.parametrize(
    ("step", "rate"),
    [(0, 0.01), (4, 0.05), (9, 0.1), (59, 0.02575), (108, 0.0010099), (109, 0.001), (10**6, 0.001)],
)
@pytest.mark.parametrize("dtype", [DataType.FLOAT32, DataType.FLOAT64], ids=str)
def test_the_rate_climbs_in_a_line_and_falls_along_a_parabola(step, rate, dtype):
    kernel, lr = built("Pow2DecayWithLinearWarmup", dtype), np.full(1, 7, dtype.numpy)
    arguments = (lr, np.array([step]), *SCHEDULE)
    result = kernel.launch(*arguments)
    assert result[0] == pytest.approx(rate, rel=1e-6)
    assert result[1] == step + 1
    assert kernel.agrees(arguments, result)


def test_in_place_it_is_an_optimisers_state():
    lr, step = np.ones(1, np.float32), np.array([0])
    kernel = built("Pow2DecayWithLinearWarmup", DataType.FLOAT32)
    rates = [float(kernel.launch(lr, step, *SCHEDULE, out=(lr, step))[0][0]) for _ in range(12)]
    assert rates == sorted(rates[:10]) + rates[10:]
    assert rates[10] > rates[11]
    assert step == 12


def test_cpp_insists_that_it_works_in_place():
    (file,) = samples_folder().glob("phi/pow2_*.cc")
    (kernel, _) = load([file]).phi.factory.kernels["pow2_decay_with_linear_warmup"].values()
    lr, step = DenseTensor(np.ones(1, np.float32)), DenseTensor(np.array([0]))
    VariadicCompute(kernel, CPUContext(), lr, step, *SCHEDULE, lr, step)
    assert (lr.data[0], step.data[0]) == (np.float32(0.01), 1)
    with pytest.raises(InvalidArgument, match=r"Input\(lr\) and Output\(lr_out\) must be the same"):
        VariadicCompute(kernel, CPUContext(), lr, step, *SCHEDULE, DenseTensor(), step)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((np.array([0]), 5, 4, 0.1, 0.0), "warmup_steps must not be larger than total_steps"),
        ((np.array([0], np.int32), *SCHEDULE), "step is int32; cast it to int64"),
        ((np.zeros(0, np.int64), *SCHEDULE), r"step has dims \[0\]: pass one number"),
    ],
    ids=["steps", "data type", "no step"],
)
def test_a_schedule_that_is_refused(arguments, said):
    with pytest.raises(KernelError, match=said):
        built("Pow2DecayWithLinearWarmup", DataType.FLOAT32).launch(
            np.ones(1, np.float32), *arguments
        )


def dequantize(dtype):
    template = find("phi::DeQuantKernel")
    assert template is not None
    return template.instantiate(dtype, "OneDNNContext")


@pytest.mark.parametrize(
    ("dtype", "x", "scale", "shift", "expected"),
    [
        (DataType.UINT8, [0, 128, 255], 127.0, 128.0, [-128 / 127, 0, 1]),
        (DataType.INT8, [-128, 0, 127], 2.0, 0.0, [-64, 0, 63.5]),
        (DataType.INT8, [-128, 0, 127], -1.0, 4.9, [132, 4, -123]),
        (DataType.BFLOAT16, [1.5, -0.5], 4.0, 0.5, [0.375, -0.125]),
    ],
)
def test_small_integers_become_real_numbers(dtype, x, scale, shift, expected):
    result = dequantize(dtype).launch(np.array(x, dtype.numpy), scale, shift)
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, expected, rtol=2e-7)


@pytest.mark.parametrize(
    ("scale", "shift", "said"),
    [
        (0.0, 0.0, "Dequantization scale must be different than 0.0f"),
        (1.0, -1.0, "Dequantization shift must be greater or equal to 0"),
        (1.0, 256.0, "Dequantization shift must be lower or equal to 255"),
    ],
)
def test_scales_and_shifts_that_are_refused(scale, shift, said):
    kernel, x = dequantize(DataType.INT8), np.zeros(3, np.int8)
    for function in (kernel.launch, kernel.reference):
        with pytest.raises(KernelError, match=said):
            function(x, scale, shift)


def test_bfloat16_takes_no_shift():
    x = np.ones(3, DataType.BFLOAT16.numpy)
    with pytest.raises(KernelError, match="could not create a primitive descriptor for a reorder"):
        dequantize(DataType.BFLOAT16).launch(x, 1.0, 1.0)


@pytest.mark.parametrize("context", ["CPUContext", "GPUContext"])
def test_paddle_has_dequantize_for_onednn_alone(context):
    template = find("phi::DeQuantKernel")
    assert template is not None
    with pytest.raises(KernelError, match=f"is written for OneDNNContext, not for {context}"):
        template.instantiate(DataType.INT8, context)
