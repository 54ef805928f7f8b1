"""The bitwise kernels give what NumPy gives, whatever the memory under the operands looks like."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from registry_runtime.kernels import find
from registry_runtime.kernels.template import Instance
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor

# What Paddle registers the four kernels for, on either device.
REGISTERED = (
    DataType.BOOL,
    DataType.UINT8,
    DataType.INT8,
    DataType.INT16,
    DataType.INT32,
    DataType.INT64,
)
BINARY = {
    "phi::BitwiseAndKernel": np.bitwise_and,
    "phi::BitwiseOrKernel": np.bitwise_or,
    "phi::BitwiseXorKernel": np.bitwise_xor,
}
NUMPY = {**BINARY, "phi::BitwiseNotKernel": np.bitwise_not}
MANY = 3_000_001  # elements: enough for all cores at any dtype, and no multiple of a vector


def kernel(name: str, dtype: DataType = DataType.INT32) -> Instance:
    template = find(name)
    assert template is not None
    return template.instantiate(dtype, "CPUContext")


def assert_same(result: Any, expected: Any) -> None:
    expected = np.asarray(expected)
    assert type(result) is np.ndarray
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    assert np.array_equal(result, expected)


@pytest.mark.parametrize("dtype", REGISTERED, ids=str)
@pytest.mark.parametrize("name", NUMPY)
class TestEveryKernelAndRegisteredType:
    @pytest.mark.parametrize("size", [0, 1, 2, 63, 1000, MANY])
    def test_random_arrays(self, name: str, dtype: DataType, size: int) -> None:
        instance = kernel(name, dtype)
        args = instance.sample_inputs(size, np.random.default_rng(size))
        before = [arg.copy() for arg in args]
        result = instance.launch(*args)
        assert_same(result, NUMPY[name](*args))
        assert_same(result, instance.reference(*args))
        for arg, copy in zip(args, before, strict=True):
            assert np.array_equal(arg, copy)

    @pytest.mark.parametrize(
        "shape", [(), (0,), (1,), (0, 3), (2, 0, 5), (2, 3), (1, 1, 1)], ids=str
    )
    def test_shapes(self, name: str, dtype: DataType, shape: tuple[int, ...]) -> None:
        instance = kernel(name, dtype)
        size = int(np.prod(shape))
        args = [a.reshape(shape) for a in instance.sample_inputs(size, np.random.default_rng(1))]
        assert_same(instance.launch(*args), NUMPY[name](*args))

    def test_memory_that_is_not_contiguous(self, name: str, dtype: DataType) -> None:
        instance = kernel(name, dtype)
        args = [a.reshape(6, 20) for a in instance.sample_inputs(120, np.random.default_rng(2))]
        for view in (
            lambda a: a[:, ::2],
            lambda a: a[::-1, ::-3],
            lambda a: a.T,
            lambda a: np.asfortranarray(a),
            lambda a: np.broadcast_to(a[:1], (4, 20)),
            lambda a: a[2:4, 5],
        ):
            views = [view(a) for a in args]
            assert_same(instance.launch(*views), NUMPY[name](*views))

    def test_a_strided_output_is_written_and_nothing_beside_it(
        self, name: str, dtype: DataType
    ) -> None:
        # numba.vectorize tests only the inputs' strides, and would write this one's neighbours.
        instance = kernel(name, dtype)
        args = [a.reshape(5, 8) for a in instance.sample_inputs(40, np.random.default_rng(3))]
        memory = np.ones((5, 24), dtype.numpy)
        for out in (memory[:, ::3], memory[:, 8:16], np.ones((8, 5), dtype.numpy).T):
            assert instance.launch(*args, out=out) is out
            assert_same(out.copy(), NUMPY[name](*args))
        beside = np.delete(memory, [*range(0, 24, 3), *range(8, 16)], axis=1)
        assert (beside == 1).all()

    @pytest.mark.parametrize("size", [1, 100, MANY])
    def test_in_place(self, name: str, dtype: DataType, size: int) -> None:
        instance = kernel(name, dtype)
        args = instance.sample_inputs(size, np.random.default_rng(4))
        expected = NUMPY[name](*args)
        for position in range(len(args)):
            copies = [arg.copy() for arg in args]
            instance.launch(*copies, out=copies[position])
            assert_same(copies[position], expected)

    @pytest.mark.parametrize("size", [100, MANY])
    def test_an_output_that_overlaps_an_input(self, name: str, dtype: DataType, size: int) -> None:
        instance = kernel(name, dtype)
        args = instance.sample_inputs(size, np.random.default_rng(5))
        expected = NUMPY[name](*args)
        memory = np.append(args[0], args[0][:1])
        instance.launch(memory[:-1], *args[1:], out=memory[1:])
        assert_same(memory[1:].copy(), expected)


@pytest.mark.parametrize("name", BINARY)
class TestTwoOperands:
    @given(data=st.data())
    @settings(max_examples=60)
    def test_broadcast_as_numpy_does(self, name: str, data: st.DataObject) -> None:
        shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=5))
        x, y = (data.draw(hnp.arrays(np.int32, shape)) for shape in shapes.input_shapes)
        result = kernel(name).launch(x, y)
        assert result.shape == shapes.result_shape
        assert_same(result, BINARY[name](x, y))

    @pytest.mark.parametrize("dtype", REGISTERED, ids=str)
    def test_one_operand_is_a_single_element(self, name: str, dtype: DataType) -> None:
        instance = kernel(name, dtype)
        x, y = instance.sample_inputs(1000, np.random.default_rng(6))
        for a, b in ((x, y[:1]), (x[:1], y), (x, y[0:1].reshape(())), (x.reshape(2, 500), y[:1])):
            assert_same(instance.launch(a, b), BINARY[name](a, b))

    @pytest.mark.parametrize("order", ["C", "F"])
    def test_large_matrices_in_either_order_and_with_a_row(self, name: str, order: Any) -> None:
        rng = np.random.default_rng(7)
        x, y = (
            np.asarray(rng.integers(-9, 9, (1000, 700), np.int32), order=order) for _ in range(2)
        )
        for a, b in ((x, y), (x, y[0]), (x[:, :1], y), (x.T, y.T), (x[:700].T, y[:700])):
            assert_same(kernel(name).launch(a, b), BINARY[name](a, b))

    def test_read_only_operands(self, name: str) -> None:
        x = np.broadcast_to(np.int32(5), (MANY,))
        y = np.arange(MANY, dtype=np.int32)
        y.flags.writeable = False
        assert_same(kernel(name).launch(x, y), BINARY[name](x, y))
        assert_same(kernel(name).launch(y, y), BINARY[name](y, y))

    def test_unaligned_operands(self, name: str) -> None:
        x = np.frombuffer(bytes(range(256)) * 4 * 1000 + b"x", np.uint8)[1:].view(np.int32)
        assert not x.flags.aligned
        assert_same(kernel(name).launch(x, x), BINARY[name](x, x))

    @given(x=hnp.arrays(np.int64, st.integers(0, 40)), data=st.data())
    @settings(max_examples=40)
    def test_commutes(self, name: str, x: Any, data: st.DataObject) -> None:
        y = data.draw(hnp.arrays(np.int64, x.shape))
        launch = kernel(name, DataType.INT64).launch
        assert_same(launch(x, y), launch(y, x))


@pytest.mark.parametrize("dtype", REGISTERED, ids=str)
@given(data=st.data())
@settings(max_examples=20)
def test_de_morgan(dtype: DataType, data: st.DataObject) -> None:
    x, y = (data.draw(hnp.arrays(dtype.numpy, 9)) for _ in range(2))
    both, either, inverse, differ = (
        kernel(f"phi::Bitwise{name}Kernel", dtype).launch for name in ("And", "Or", "Not", "Xor")
    )
    assert_same(inverse(both(x, y)), either(inverse(x), inverse(y)))
    assert_same(inverse(inverse(x)), x)
    assert_same(differ(x, y), both(either(x, y), inverse(both(x, y))))


def test_not_of_a_bool_is_the_logical_not() -> None:
    result = kernel("phi::BitwiseNotKernel", DataType.BOOL).launch(np.array([True, False]))
    assert result.tolist() == [False, True]
    assert result.view(np.uint8).tolist() == [0, 1]


def test_tensors_are_taken_and_an_array_given_back() -> None:
    x, y = np.array([6, 3], np.int32), np.array([3, 5], np.int32)
    launch = kernel("phi::BitwiseAndKernel").launch
    assert_same(launch(DenseTensor(x), DenseTensor(y)), x & y)
    assert_same(launch(DenseTensor(x), y), x & y)
    out = DenseTensor(np.empty(2, np.int32))
    assert launch(x, y, out=out) is out.data
    assert_same(out.data, x & y)


def test_a_memory_map_gives_a_plain_array(tmp_path: Any) -> None:
    x = np.memmap(tmp_path / "x", np.int32, "w+", shape=(4,))
    assert_same(kernel("phi::BitwiseNotKernel").launch(x), np.full(4, -1, np.int32))


def test_throughput_counts_each_byte_read_and_written_once() -> None:
    instance = kernel("phi::BitwiseAndKernel")
    args = instance.sample_inputs(100, np.random.default_rng(8))
    assert instance.bytes_moved(args, instance.launch(*args)) == 3 * 400
    inverse = kernel("phi::BitwiseNotKernel")
    assert inverse.bytes_moved(args[:1], inverse.launch(args[0])) == 2 * 400
