"""Sparse tensors: the values that aren't zero, and where they stand.

Two ways to say where. COO (coordinates) keeps a column of indices for each value, and any number of
dims; CSR (compressed sparse rows) keeps each value's column, and for each row only where its values
begin, which makes walking a row cheap. Both hold dense tensors for their parts, so a kernel for a
sparse tensor is a kernel for its values with some book-keeping.

A tensor can be sparse in its first dims alone: then each value is itself a dense block, and
`sparse_dim` plus `dense_dim` is the rank.

Source: `paddle/phi/core/sparse_coo_tensor.h`, `sparse_csr_tensor.h`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.place import Place


class _OverValues:
    """What a sparse tensor answers by asking its values."""

    __slots__ = ()
    values: DenseTensor
    dims: tuple[int, ...]

    @property
    def dtype(self) -> DataType:
        return self.values.dtype

    @property
    def place(self) -> Place:
        return self.values.place

    @property
    def numel(self) -> int:
        """Of the dense tensor that this one stands for."""
        return int(np.prod(self.dims, dtype=np.int64))

    def valid(self) -> bool:
        return self.values.valid()

    def has_allocation(self) -> bool:
        return self.values.has_allocation()

    initialized = has_allocation


@dataclass(slots=True, eq=False)
class SparseCooTensor(_OverValues):
    """indices: int32 or int64, `[sparse_dim, nnz]`; values: `[nnz, …]`; dims: the dense tensor's.

    Raises InvalidArgument where they don't agree. An index may occur twice until the tensor is
    coalesced, which adds its values up.
    """

    indices: DenseTensor
    values: DenseTensor
    dims: tuple[int, ...]
    coalesced: bool = False
    layout: DataLayout = field(default=DataLayout.SPARSE_COO, init=False)

    def __post_init__(self) -> None:
        self.indices = _of_integers("indices", self.indices)
        self.values, self.dims = DenseTensor.of(self.values), tuple(self.dims)
        if len(self.indices.dims) != 2 or not 0 < self.sparse_dim <= len(self.dims):
            raise InvalidArgument(
                f"indices must be [sparse_dim, nnz] with sparse_dim of 1 to {len(self.dims)}, "
                f"and are {list(self.indices.dims)}"
            )
        nnz = self.indices.dims[1]
        if self.values.dims[:1] != (nnz,):
            raise InvalidArgument(
                "the indices and values must have same number of non-zero, but get "
                f"{nnz} and {self.values.dims[0] if self.values.dims else 0}"
            )
        if self.values.dims[1:] != self.dims[self.sparse_dim :]:
            raise InvalidArgument(
                f"each value of a tensor of dims {list(self.dims)} with {self.sparse_dim} sparse "
                f"dims has dims {list(self.dims[self.sparse_dim :])}, and these have "
                f"{list(self.values.dims[1:])}"
            )
        _check_range("indices", np.asarray(self.indices), self.dims[: self.sparse_dim])

    @classmethod
    def from_dense(cls, dense: Any, sparse_dim: int | None = None) -> SparseCooTensor:
        """The coalesced form of an array; all of its dims are sparse if not said otherwise."""
        array = np.asarray(dense)
        kept = array.ndim if sparse_dim is None else sparse_dim
        occupied = array != 0
        if kept < array.ndim:
            occupied = occupied.any(axis=tuple(range(kept, array.ndim)))
        places = np.nonzero(occupied)
        indices = np.stack(places).astype(np.int64)
        return cls(DenseTensor(indices), DenseTensor(array[places]), array.shape, coalesced=True)

    @property
    def sparse_dim(self) -> int:
        return self.indices.dims[0]

    @property
    def dense_dim(self) -> int:
        return len(self.dims) - self.sparse_dim

    @property
    def nnz(self) -> int:
        return self.indices.dims[1]

    def to_dense(self) -> NDArray[Any]:
        """The tensor in full, on the host.

        Of an index that occurs twice the last value is kept, as Paddle's CPU kernel does; coalesce
        first to have them added.
        """
        values = np.asarray(self.values)
        dense = np.zeros(self.dims, values.dtype)
        dense[tuple(np.asarray(self.indices))] = values
        return dense

    def coalesce(self) -> SparseCooTensor:
        """The same tensor with each index once, in C order, its values added up."""
        if self.coalesced:
            return self
        indices, values = np.asarray(self.indices), np.asarray(self.values)
        once, place = np.unique(indices, axis=1, return_inverse=True)
        summed = np.zeros((once.shape[1], *values.shape[1:]), values.dtype)
        np.add.at(summed, place.ravel(), values)
        return SparseCooTensor(DenseTensor(once), DenseTensor(summed), self.dims, coalesced=True)


@dataclass(slots=True, eq=False)
class SparseCsrTensor(_OverValues):
    """A matrix, or a batch of them: dims `[rows, columns]` or `[batch, rows, columns]`.

    crows: int32 or int64, `rows + 1` numbers for each matrix; cols: each value's column; values:
    `[nnz]`. Raises InvalidArgument where they don't agree.
    """

    crows: DenseTensor
    cols: DenseTensor
    values: DenseTensor
    dims: tuple[int, ...]
    layout: DataLayout = field(default=DataLayout.SPARSE_CSR, init=False)

    def __post_init__(self) -> None:
        self.crows = _of_integers("crows", self.crows)
        self.cols = _of_integers("cols", self.cols)
        self.values, self.dims = DenseTensor.of(self.values), tuple(self.dims)
        _check_rank(self.dims)
        if self.crows.dtype != self.cols.dtype:
            raise InvalidArgument(
                f"crows and cols have one data type, and are {self.crows.dtype} and "
                f"{self.cols.dtype}"
            )
        *batch, rows, columns = self.dims
        matrices = batch[0] if batch else 1
        if self.crows.dims != (matrices * (rows + 1),):
            raise InvalidArgument(
                f"The length({self.crows.numel}) of crows must be equal to the "
                f"{'batch*(' * bool(batch)}rows({rows})+1{')' * bool(batch)} of matrix."
            )
        if self.cols.dims != self.values.dims or len(self.cols.dims) != 1:
            raise InvalidArgument(
                f"the length of cols must be same as length of values, and they are "
                f"{list(self.cols.dims)} and {list(self.values.dims)}"
            )
        self._check_rows()
        _check_range("cols", np.asarray(self.cols)[None], (columns,))

    def _check_rows(self) -> None:
        lengths = self._lengths()
        starts = np.asarray(self.crows).reshape(-1, self.dims[-2] + 1)[:, 0]
        if starts.any() or (lengths < 0).any() or lengths.sum() != self.nnz:
            raise InvalidArgument(
                "crows must begin with 0, never fall, and end at the number of values, "
                f"{self.nnz}: got {np.asarray(self.crows).tolist()}"
            )

    def _lengths(self) -> NDArray[Any]:
        return np.diff(np.asarray(self.crows).reshape(-1, self.dims[-2] + 1), axis=1)

    @classmethod
    def from_dense(cls, dense: Any) -> SparseCsrTensor:
        array = np.asarray(dense)
        _check_rank(array.shape)
        matrices = array if array.ndim == 3 else array[None]
        counts = np.count_nonzero(matrices, axis=2)
        crows = np.zeros((len(matrices), array.shape[-2] + 1), np.int64)
        np.cumsum(counts, axis=1, out=crows[:, 1:])
        *_, cols = np.nonzero(matrices)
        values = matrices[np.nonzero(matrices)]
        return cls(DenseTensor(crows.ravel()), DenseTensor(cols), DenseTensor(values), array.shape)

    @property
    def nnz(self) -> int:
        return self.values.numel

    def to_dense(self) -> NDArray[Any]:
        """The tensor in full, on the host."""
        return self.to_coo().to_dense()

    def to_coo(self) -> SparseCooTensor:
        """The same values with all their coordinates."""
        lengths = self._lengths()
        matrix, row = np.indices(lengths.shape)
        flat = lengths.ravel()
        indices = [np.repeat(row.ravel(), flat), np.asarray(self.cols)]
        if len(self.dims) == 3:
            indices.insert(0, np.repeat(matrix.ravel(), flat))
        stacked = np.stack(indices).astype(self.cols.dtype.numpy)
        return SparseCooTensor(DenseTensor(stacked), self.values, self.dims)


def _check_rank(dims: tuple[int, ...]) -> None:
    if len(dims) not in (2, 3):
        raise InvalidArgument(f"a SparseCsrTensor has 2 or 3 dims, and dims are {list(dims)}")


def _of_integers(name: str, value: Any) -> DenseTensor:
    tensor = DenseTensor.of(value)
    if tensor.dtype not in (DataType.INT32, DataType.INT64):
        raise InvalidArgument(f"{name} must be int32 or int64, and are {tensor.dtype}")
    return tensor


def _check_range(name: str, indices: NDArray[Any], dims: tuple[int, ...]) -> None:
    for row, size in zip(indices, dims, strict=True):
        if row.size and not 0 <= row.min() <= row.max() < size:
            raise InvalidArgument(
                f"{name} of a dim of {size} run from {row.min()} to {row.max()}: "
                f"they must lie in 0 … {size - 1}"
            )
