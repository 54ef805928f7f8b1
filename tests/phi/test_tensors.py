"""The kinds of tensors: their facts, what they refuse, and their dense forms."""

import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor, DenseTensorMeta, calc_strides
from registry_runtime.phi.enforce import InvalidArgument, NotFound, OutOfRange, Unavailable
from registry_runtime.phi.int_array import IntArray
from registry_runtime.phi.place import CPUPlace, CustomPlace, Place
from registry_runtime.phi.selected_rows import SelectedRows
from registry_runtime.phi.sparse_tensor import SparseCooTensor, SparseCsrTensor
from registry_runtime.phi.string_tensor import StringTensor
from registry_runtime.phi.tensor_array import TensorArray
from registry_runtime.phi.tensor_base import ExtendedTensor


def installed_paddle() -> ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module: ModuleType = pytest.importorskip("paddle")
    return module


class TestDenseTensor:
    def test_a_strided_view_knows_its_strides_and_offset(self) -> None:
        whole = np.arange(24, dtype=np.int32).reshape(4, 6)
        meta = DenseTensor(whole[1:, ::2]).meta
        assert meta.dims == (3, 3)
        assert meta.strides == (6, 2)
        assert meta.offset == 6 * 4
        assert not meta.is_contiguous()
        assert DenseTensor(whole).meta.is_contiguous()

    @pytest.mark.parametrize("dims", [(), (3,), (2, 1, 4), (0, 5), (1, 1)])
    def test_contiguous_is_what_numpy_says(self, dims: tuple[int, ...]) -> None:
        for x in (np.zeros(dims), np.zeros(dims).T, np.zeros((*dims, 2))[..., 0]):
            tensor = DenseTensor(x)
            assert tensor.meta.is_contiguous() == tensor.is_contiguous() == x.flags.c_contiguous

    @pytest.mark.parametrize("dims", [(), (7,), (2, 3, 4)])
    def test_strides_of_a_contiguous_tensor(self, dims: tuple[int, ...]) -> None:
        assert calc_strides(dims) == DenseTensor(np.zeros(dims, np.int16)).strides

    def test_a_place_beside_the_memory(self) -> None:
        x = np.arange(3)
        here, there = DenseTensor(x), DenseTensor.at(x, CustomPlace("CustomCPU"))
        assert here.place == CPUPlace()
        assert there.place == CustomPlace("CustomCPU")
        assert "CustomCPU:0" in repr(there)
        x[0] = 9
        assert np.asarray(there).tolist() == [0, 1, 2]
        assert DenseTensor.at(there, CPUPlace()).place == CPUPlace()

    def test_before_its_memory_a_tensor_has_its_facts(self) -> None:
        tensor = DenseTensor.with_meta(DenseTensorMeta(DataType.INT32, (2, 3), DataLayout.NHWC))
        assert (tensor.dims, tensor.dtype, tensor.numel) == ((2, 3), DataType.INT32, 6)
        assert (tensor.layout, tensor.place) == (DataLayout.NHWC, Place())
        assert not tensor.initialized()
        assert tensor.Resize((4,)).dims == (4,)
        with pytest.raises(ValueError, match="no memory yet"):
            np.asarray(tensor)
        with pytest.raises(InvalidArgument, match="has memory of"):
            DenseTensor(np.zeros(3)).Resize((4,))


class TestIntArray:
    @pytest.mark.parametrize(
        ("value", "from_tensor"),
        [
            ([2, 3], False),
            ((np.int64(2), 3), False),
            (DenseTensor(np.array([2, 3], np.int32)), True),
            (np.array([2, 3]), True),
            ([DenseTensor(np.array(2)), DenseTensor(np.array([3]))], True),
        ],
    )
    def test_from_what_it_can_be_made(self, value: Any, from_tensor: bool) -> None:
        array = IntArray.of(value)
        assert array.GetData() == list(array) == [2, 3]
        assert array.FromTensor() is from_tensor
        assert IntArray.of(array) is array

    def test_what_it_cannot_be_made_of(self) -> None:
        with pytest.raises(InvalidArgument, match="int32 and int64, but now received `float32`"):
            IntArray.of(DenseTensor(np.ones(2, np.float32)))
        with pytest.raises(InvalidArgument, match="one number of each, and this one has 2"):
            IntArray.of([DenseTensor(np.array([1, 2]))])
        with pytest.raises(TypeError):
            IntArray.of([1.5])


class TestSelectedRows:
    ROWS = SelectedRows([4, 1, 4], 6, DenseTensor(np.array([[1, 2], [3, 4], [5, 6]])))

    def test_rows_that_occur_twice_add_up(self) -> None:
        dense = self.ROWS.to_dense()
        assert dense.shape == self.ROWS.GetCompleteDims() == (6, 2)
        assert dense[4].tolist() == [6, 8]
        assert dense.sum() == 21

    def test_a_row_is_found(self) -> None:
        assert self.ROWS.Index(1) == 1
        with pytest.raises(NotFound, match=r"Input id \(0\) is not in current rows table"):
            self.ROWS.Index(0)

    @pytest.mark.parametrize("rows", [[0, 1], [0, 1, 6], [0, 1, -1]])
    def test_rows_and_value_must_agree(self, rows: list[int]) -> None:
        with pytest.raises(InvalidArgument, match="rows"):
            SelectedRows(rows, 6, DenseTensor(np.zeros((3, 2))))


def random_sparse(shape: tuple[int, ...], seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    return rng.integers(-9, 9, shape) * rng.integers(0, 2, shape)


SHAPES = [(5,), (4, 6), (2, 3, 4), (3, 0), (0, 4)]


class TestSparse:
    @pytest.mark.parametrize("shape", SHAPES)
    def test_coo_and_back(self, shape: tuple[int, ...]) -> None:
        dense = random_sparse(shape)
        sparse = SparseCooTensor.from_dense(dense)
        assert sparse.nnz == np.count_nonzero(dense)
        assert (sparse.sparse_dim, sparse.dense_dim) == (len(shape), 0)
        assert np.array_equal(sparse.to_dense(), dense)
        assert (sparse.layout, sparse.numel) == (DataLayout.SPARSE_COO, dense.size)

    @pytest.mark.parametrize("shape", [shape for shape in SHAPES if len(shape) > 1])
    def test_csr_and_back_and_to_coo(self, shape: tuple[int, ...]) -> None:
        dense = random_sparse(shape)
        sparse = SparseCsrTensor.from_dense(dense)
        assert np.array_equal(sparse.to_dense(), dense)
        coo, expected = sparse.to_coo(), SparseCooTensor.from_dense(dense)
        assert np.array_equal(coo.indices, expected.indices)
        assert np.array_equal(coo.values, expected.values)

    def test_values_that_are_blocks(self) -> None:
        dense = np.arange(24).reshape(4, 3, 2)
        dense[1] = 0
        sparse = SparseCooTensor.from_dense(dense, sparse_dim=1)
        assert np.asarray(sparse.indices).tolist() == [[0, 2, 3]]
        assert sparse.values.dims == (3, 3, 2)
        assert np.array_equal(sparse.to_dense(), dense)

    def test_coalescing_adds_up_what_stands_in_one_place(self) -> None:
        indices = np.array([[1, 0, 1], [2, 0, 2]], np.int32)
        sparse = SparseCooTensor(DenseTensor(indices), DenseTensor(np.array([1, 2, 4])), (2, 3))
        once = sparse.coalesce()
        assert once.coalesced
        assert np.asarray(once.indices).tolist() == [[0, 1], [0, 2]]
        assert np.asarray(once.values).tolist() == [2, 5]
        assert once.indices.dtype is DataType.INT32
        assert once.to_dense()[1, 2] == 5
        assert sparse.to_dense()[1, 2] == 4

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: coo([[0, 1], [9, 0]], [1, 2], (2, 3)), "run from 0 to 9"),
            (lambda: coo([[0, 1], [1, 0]], [1, 2, 3], (2, 3)), "but get 2 and 3"),
            (lambda: coo([[0.5]], [1], (2,)), "int32 or int64, and are float64"),
            (lambda: coo([[0], [0], [0]], [1], (2, 3)), "sparse_dim of 1 to 2"),
            (lambda: coo([[0]], [1], (2, 3)), r"has dims \[3\], and these have \[\]"),
            (lambda: csr([0, 1, 2], [1, 0], [1, 2, 3], (2, 3)), "same as length of values"),
            (lambda: csr([0, 1], [1], [1], (2, 3)), r"length\(2\) of crows must be equal"),
            (lambda: csr([0, 2, 1], [1], [1], (2, 3)), "never fall"),
            (lambda: csr([0, 1, 1], [3], [1], (2, 3)), "run from 3 to 3"),
            (lambda: csr([0, 1], [0], [1], (1,)), "2 or 3 dims"),
        ],
    )
    def test_parts_that_do_not_agree(self, make: Callable[[], object], message: str) -> None:
        with pytest.raises(InvalidArgument, match=message):
            make()

    @pytest.mark.paddle
    def test_dense_forms_are_those_of_the_installed_paddle(self) -> None:
        sparse = installed_paddle().sparse
        indices, values = [[0, 0, 1], [1, 1, 0]], [1.0, 2.0, 3.0]
        theirs = sparse.sparse_coo_tensor(indices, values, [2, 3])
        assert np.array_equal(coo(indices, values, (2, 3)).to_dense(), theirs.to_dense().numpy())
        once, ours = theirs.coalesce(), coo(indices, values, (2, 3)).coalesce()
        assert np.array_equal(ours.indices, once.indices().numpy())
        assert np.array_equal(ours.values, once.values().numpy())
        parts = [0, 2, 3, 3, 4], [1, 2, 0, 2], [1.0, 2.0, 3.0, 4.0]
        rows = sparse.sparse_csr_tensor(*parts, [4, 3])
        assert np.array_equal(csr(*parts, (4, 3)).to_dense(), rows.to_dense().numpy())


def coo(indices: Any, values: Any, dims: tuple[int, ...]) -> SparseCooTensor:
    return SparseCooTensor(DenseTensor.of(indices), DenseTensor.of(values), dims)


def csr(crows: Any, cols: Any, values: Any, dims: tuple[int, ...]) -> SparseCsrTensor:
    return SparseCsrTensor(*map(DenseTensor.of, (crows, cols, values)), dims)


def test_a_string_tensor() -> None:
    tensor = StringTensor.of([["PHI", "Φ"]])
    assert (tensor.dims, tensor.numel) == ((1, 2), 2)
    assert (tensor.dtype, tensor.layout) == (DataType.PSTRING, DataLayout.PSTRING_UNION)
    assert not StringTensor().has_allocation()
    with pytest.raises(InvalidArgument, match="holds strings, not 3"):
        StringTensor.of(["a", 3])


def test_a_tensor_array_has_tensors_and_no_dims() -> None:
    array = TensorArray([np.zeros(2), np.ones((3, 1))])
    assert len(array) == 2
    assert array.at(1).dims == (3, 1)
    assert array.dtype is DataType.FLOAT64
    for ask in (lambda: array.dims, lambda: array.numel, array.valid):
        with pytest.raises(Unavailable, match="can't be used in TensorArray"):
            ask()
    with pytest.raises(OutOfRange, match=r"at\(2\) is out of range"):
        array.at(2)
    with pytest.raises(InvalidArgument, match="holds float64, and this tensor is int32"):
        array.push_back(DenseTensor(np.zeros(1, np.int32)))
    array.pop(0)
    assert [tensor.dims for tensor in array] == [(3, 1)]


def test_an_extended_tensor_answers_nothing() -> None:
    with pytest.raises(Unavailable, match=r"dims\(\) can't be used in ExtendedTensor"):
        _ = ExtendedTensor().dims
