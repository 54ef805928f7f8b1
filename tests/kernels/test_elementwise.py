"""Element-wise kernels give what NumPy gives, for every type that Paddle registers on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from registry_runtime.kernels import find
from registry_runtime.kernels.template import Instance, random_array
from registry_runtime.phi.data_type import DataType

# What `paddle.base.core._get_all_register_op_kernels("phi")` of Paddle 3.3.1 lists for the CPU.
ALL = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128"
REGISTERED = {
    "Add": "bool uint8 int8 int16 int32 int64 float32 float64 complex64 complex128",
    "Subtract": "bfloat16 int16 int32 int64 float32 float64 complex64 complex128",
    "Multiply": "bool bfloat16 int32 int64 float32 float64 complex64 complex128",
    "Divide": "bool uint8 int8 int16 int32 int64 float32 float64 complex64 complex128",
    "Maximum": "bfloat16 int32 int64 float32 float64",
    "Scale": ALL,
    "Cast": ALL,
    "Relu": "float32 float64",
    "Exp": "int32 int64 float16 float32 float64 complex64 complex128",
    "Equal": ALL,
    "LessThan": ALL,
    "Isfinite": "int32 int64 float16 bfloat16 float32 float64 complex64 complex128",
    "Where": "bool int32 int64 float32 float64 complex64 complex128",
    "Full": "bool uint8 int8 int16 int32 int64 float16 bfloat16 float8_e4m3fn float8_e5m2 "
    "float32 float64 complex64 complex128",
    "FullLike": "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 "
    "complex128",
}
CASES = [(n, DataType[d.upper()]) for n, types in REGISTERED.items() for d in types.split()]
MANY = 600_000  # elements: enough for all cores


def kernel(name: str, dtype: DataType, context: str = "CPUContext") -> Instance:
    template = find(f"phi::{name}Kernel")
    assert template is not None
    return template.instantiate(dtype, context)


def assert_same(result: Any, expected: Any, ulps: int = 0) -> None:
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    if ulps and result.dtype.kind != "c":
        with np.errstate(all="ignore"):
            finite = np.isfinite(expected)
            assert np.array_equal(result[~finite], expected[~finite], equal_nan=True)
            gap = np.spacing(np.abs(expected[finite]))
            assert (np.abs(result[finite] - expected[finite]) <= ulps * gap).all()
    elif result.dtype.kind == "c":
        np.testing.assert_allclose(result, expected, 1e-5 if result.itemsize == 8 else 1e-12)
    else:
        kind = result.dtype.kind
        if kind == "V":
            result, expected = result.astype(np.float32), expected.astype(np.float32)
        assert np.array_equal(result, expected, equal_nan=kind in "fV")


def arguments(instance: Instance, shape: tuple[int, ...], seed: int) -> list[Any]:
    size = int(np.prod(shape))
    args = instance.sample_inputs(size, np.random.default_rng(seed))
    return [a.reshape(shape) if isinstance(a, np.ndarray) else a for a in args]


@pytest.mark.parametrize(("name", "dtype"), CASES, ids=str)
def test_shapes_strides_and_threads(name: str, dtype: DataType) -> None:
    instance = kernel(name, dtype)
    ulps = 2 if name == "Exp" else 0
    for seed, shape in enumerate([(), (0, 3), (1,), (37,), (4, 6), (MANY,)]):
        args = arguments(instance, shape, seed)
        assert_same(instance.launch(*args), instance.reference(*args), ulps)
        strided = [
            a.repeat(2, -1)[..., ::2] if isinstance(a, np.ndarray) and a.ndim else a for a in args
        ]
        assert_same(instance.launch(*strided), instance.reference(*args), ulps)
    args = arguments(instance, (4, 6), 9)
    expected = instance.reference(*args)
    turned = [a.T if isinstance(a, np.ndarray) else a for a in args]
    if name != "Full":
        assert_same(instance.launch(*turned), expected.T, ulps)
    out = np.zeros((*expected.shape, 2), expected.dtype)[..., 0]
    assert instance.launch(*args, out=out) is out
    assert_same(out, expected, ulps)


@pytest.mark.parametrize("name", ["Add", "Divide", "Maximum", "Equal", "LessThan"])
@given(data=st.data())
@settings(max_examples=40)
def test_operands_broadcast(name: str, data: st.DataObject) -> None:
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=5))
    elements = st.floats(width=32)
    x, y = (
        data.draw(hnp.arrays(np.float32, shape, elements=elements)) for shape in shapes.input_shapes
    )
    instance = kernel(name, DataType.FLOAT32)
    result = instance.launch(x, y)
    assert result.shape == shapes.result_shape
    assert_same(result, instance.reference(x, y))


class TestOddValues:
    """As Paddle 3.3.1 computed them."""

    def run(self, name: str, dtype: str, *args: Any) -> Any:
        T = DataType[dtype.upper()]
        args = tuple(np.array(a, T.numpy) if isinstance(a, list) else a for a in args)
        return kernel(name, T).launch(*args).tolist()

    def test_integers_wrap(self) -> None:
        assert self.run("Add", "int8", [127], [1]) == [-128]
        assert self.run("Multiply", "int32", [2**31 - 1], [2]) == [-2]
        assert self.run("Scale", "int8", [100], 3.0, 0.0, True) == [44]

    def test_integers_divide_to_floats(self) -> None:
        assert self.run("Divide", "int32", [7, -7, 7, -(2**31)], [2, 2, 0, -1]) == [
            3.5,
            -3.5,
            np.inf,
            2.0**31,
        ]

    def test_a_complex_zero_divides_to_nan(self) -> None:
        (result,) = self.run("Divide", "complex64", [1 + 1j], [0])
        assert np.isnan(result.real)
        assert np.isnan(result.imag)

    def test_maximum_hands_nan_on_and_relu_does_not(self) -> None:
        assert np.isnan(self.run("Maximum", "float32", [np.nan, 1], [1, np.nan])).all()
        assert self.run("Relu", "float32", [np.nan, -1, np.inf]) == [0, 0, np.inf]

    def test_scale_makes_its_numbers_a_T(self) -> None:
        assert self.run("Scale", "int32", [3, -3], 2.7, 1.6, True) == [7, -5]
        assert self.run("Scale", "int32", [3, -3], 2.7, 1.6, False) == [8, -4]
        assert self.run("Scale", "bfloat16", [1, 3.1415], 1.7, 0.3, True) == [2.0, 5.65625]
        assert self.run("Scale", "float16", [1, 3.1415], 1.7, 0.3, True) == [2.0, 5.640625]

    def test_exp_at_its_ends(self) -> None:
        values = self.run("Exp", "float32", [np.nan, np.inf, -np.inf, 1000, 88.7])
        assert np.isnan(values[0])
        assert values[1:4] == [np.inf, 0, np.inf]
        assert values[4] == pytest.approx(3.325976864406685e38, rel=1e-6)
        assert self.run("Exp", "float64", [709.7, -745.0]) == pytest.approx(
            [1.6549840276802644e308, 5e-324]
        )

    def test_casting_a_float_out_of_range(self) -> None:
        cast = kernel("Cast", DataType.FLOAT32).launch
        x = np.array([1.9, -1.9, 300, np.nan], np.float32)
        assert cast(x, DataType.UINT8).tolist() == [1, 255, 44, 0]
        low = -(2**31)
        x = np.array([1.9, -1.9, 3e9, np.nan, -1e20], np.float32)
        assert cast(x, DataType.INT32).tolist() == [1, -1, low, low, low]

    def test_complex_numbers_are_ordered(self) -> None:
        assert self.run("LessThan", "complex64", [1 + 2j, 1], [1 + 3j, 2]) == [True, True]


@pytest.mark.parametrize(
    "target", ["bool", "int8", "uint16", "int64", "float16", "bfloat16", "complex64"]
)
@pytest.mark.parametrize("dtype", ["bool", "int32", "float16", "bfloat16", "float64", "complex128"])
def test_casts(dtype: str, target: str) -> None:
    T, to = DataType[dtype.upper()], DataType[target.upper()]
    instance = kernel("Cast", T)
    x = random_array(T, (50,), np.random.default_rng(1))
    if T.numpy.kind in "fV":
        x = np.abs(x)
    assert_same(instance.launch(x, to), instance.reference(x, to))


def test_a_plug_in_device_runs_the_same_kernel_on_host_memory() -> None:
    x = np.ones(3, np.float32)
    assert kernel("Add", DataType.FLOAT32, "CustomContext").launch(x, x).tolist() == [2, 2, 2]


@pytest.mark.parametrize("dtype", [DataType.FLOAT32, DataType.BFLOAT16], ids=str)
def test_a_build_shows_its_code(dtype: DataType) -> None:
    build = kernel("Scale", dtype).build()
    assert build.simd_width >= 128
    assert "define" in build.llvm()
