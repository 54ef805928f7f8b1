"""What to try GPU kernels with: data types, shapes, axes, flags; for each kernel, by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from typing import Any

import numpy as np

from registry_runtime.kernels import find, library
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from tests.kernels.shapes import FLOATS, random

# CuPy has no numbers of 8 bits but integers.
UNKNOWN_TO_CUPY = {DataType.FLOAT8_E4M3FN, DataType.FLOAT8_E5M2}
NUMBERS = [
    *(DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT16, DataType.BFLOAT16, DataType.BOOL),
    *(DataType.UINT8, DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64),
    *(DataType.COMPLEX64, DataType.COMPLEX128),
]
FEW = [DataType.FLOAT32, DataType.BFLOAT16, DataType.INT32, DataType.COMPLEX64]
Cases = Iterator[tuple[DataType, tuple[Any, ...]]]
CASES: dict[str, Callable[[], Cases]] = {}


def cases(make: Callable[[], Cases]) -> Callable[[], Cases]:
    """`make` gives data types and arguments for the kernel that it is named after."""
    CASES[make.__name__] = make
    return make


SHAPES_AND_AXES = [
    *(((), 0), ((7,), -1), ((3, 5), 1), ((1, 5000), 1), ((40, 70), 0), ((2, 300, 5), 1)),
    *(((5, 1, 70), 0), ((0, 3), 0), ((300, 1), 1), ((2_000, 3), 0), ((1, 9_000), -1)),
]


@cases
def Softmax() -> Cases:
    for T, (shape, axis) in product(FLOATS, SHAPES_AND_AXES):
        yield T, (random(T, shape), axis)
    x = np.zeros((4, 100), np.float32)
    x[1, 1], x[2, 1], x[3, :] = np.nan, np.inf, -np.inf
    yield DataType.FLOAT32, (x, 1)
    yield DataType.FLOAT32, (x.T.copy(), 0)


@cases
def LayerNorm() -> Cases:
    for T, (shape, axis) in product(
        FLOATS, [((4, 8), 1), ((3, 1000), 1), ((300, 2), 1), ((2, 3, 4, 5), 2), ((0, 3), 1)]
    ):
        columns = int(np.prod(shape[axis:]))
        scale, bias = random(T, (columns,)), random(T, (columns,))
        for given in [(scale, bias), (None, bias), (scale, None), (None, None)]:
            yield T, (random(T, shape), *given, 1e-5, axis)


@cases
def BatchNormInfer() -> Cases:
    shapes = [(2, 3), (2, 3, 4, 5), (0, 3, 4), (2, 3, 0), (4, 3, 700), (400, 3)]
    for T, shape, layout in product(FLOATS, shapes, ["NCHW", "NHWC"]):
        wide = DataType.FLOAT64 if T is DataType.FLOAT64 else DataType.FLOAT32
        shape = shape if layout == "NCHW" else (shape[0], *shape[2:], shape[1])
        mean, variance, scale, bias = (random(wide, (3,)) for _ in range(4))
        numbers = (mean, np.square(variance), scale, bias)
        yield T, (random(T, shape), *numbers, 0.9, 1e-5, layout)


@cases
def Cumsum() -> Cases:
    for T in NUMBERS:
        if T is not DataType.BOOL:
            yield T, (random(T, (3, 50)), 1, False, False, False)
    for T, (shape, axis) in product(FEW, SHAPES_AND_AXES):
        for exclusive, reverse in product([False, True], repeat=2):
            yield T, (random(T, shape), axis, False, exclusive, reverse)
    yield DataType.FLOAT32, (random(DataType.FLOAT32, (30, 70)), 0, True, False, True)


SHAPES_AND_DIMS = [
    *(((), []), ((7,), []), ((3, 5), [1]), ((40, 70), [0]), ((4, 3, 5), [0, 2]), ((0, 3), [0])),
    *(((3, 0), [1]), ((3, 0), [0]), ((300, 1), [1]), ((2_000, 3), [0]), ((1, 9_000), [1])),
    ((2, 1_200, 5), [1]),
]


@cases
def Sum() -> Cases:
    for T, (shape, dims) in product(NUMBERS, SHAPES_AND_DIMS):
        yield T, (random(T, shape), dims, DataType.UNDEFINED, False)
    for T, out in product(FEW, NUMBERS):
        yield T, (random(T, (3, 50)), [1], out, True)


@cases
def Mean() -> Cases:
    for T, (shape, dims) in product(NUMBERS, SHAPES_AND_DIMS):
        yield T, (random(T, shape), dims, False)
    yield DataType.INT32, (np.array([[1, 2], [3, -9]], np.int32), [0], False)


DIAGONALS = [
    ((3, 3), 0, 1),
    ((4, 2, 3), 0, 2),
    ((4, 2, 3), -1, 1),
    ((70, 300), 1, 0),
    ((0, 2), 0, 1),
]


@cases
def Trace() -> Cases:
    for T, (shape, *axes), offset in product(FEW, DIAGONALS, [-2, 0, 1, 9]):
        yield T, (random(T, shape), offset, *axes)


@cases
def TraceGrad() -> Cases:
    for T, (shape, *axes), offset in product(FEW, DIAGONALS, [-2, 0, 1, 9]):
        x = random(T, shape)
        yield T, (x, random(T, x.diagonal(offset, *axes).shape[:-1]), offset, *axes)


@cases
def Dot() -> Cases:
    for T, shape in product([*FEW, DataType.FLOAT16], [(5,), (0,), (3, 4), (0, 3), (2, 9_000)]):
        yield T, (random(T, shape), random(T, shape)[..., ::-1])


@cases
def Matmul() -> Cases:
    shapes = [
        *(((3, 4), (4, 5)), ((4,), (4,)), ((4,), (4, 2)), ((3, 4), (4,)), ((3, 0), (0, 2))),
        *(((2, 1, 3, 4), (5, 4, 2)), ((0, 3), (3, 2)), ((40, 33), (33, 20))),
    ]
    turns = list(product([False, True], repeat=2))
    for T, operands, turned in product([*FEW, DataType.INT64], shapes, turns):
        x, y = (random(T, shape) for shape in operands)
        x = x.swapaxes(-1, -2) if turned[0] and x.ndim > 1 else x
        y = y.swapaxes(-1, -2) if turned[1] and y.ndim > 1 else y
        yield T, (x, y, *turned)


@cases
def Transpose() -> Cases:
    types = [
        DataType.BOOL,
        DataType.BFLOAT16,
        DataType.INT32,
        DataType.FLOAT64,
        DataType.COMPLEX128,
    ]
    for T, shape in product(types, [(), (5,), (3, 4), (70, 45), (2, 33, 5), (3, 2, 4, 5), (0, 3)]):
        for axes in permutations(range(len(shape))):
            yield T, (random(T, shape), list(axes))
    yield DataType.INT32, (random(DataType.INT32, (2, 3, 4)), [-1, 0, -2])


@cases
def Gather() -> Cases:
    for T, (shape, axis) in product(FEW, [((5,), 0), ((30, 4), 0), ((4, 3, 2), -2), ((6, 0), 0)]):
        length = shape[axis]
        for index in (np.arange(-length, length), np.array(0), np.zeros(0, int)):
            for index_type in (np.int32, np.int64):
                yield T, (random(T, shape), index.astype(index_type), axis)


@cases
def Embedding() -> Cases:
    for T, padding in product([*FLOATS, DataType.COMPLEX64], [-1, 0, 2]):
        for shape in [(), (7,), (3, 4), (0,)]:
            ids = np.random.default_rng(0).integers(0, 5, shape)
            yield T, (ids, random(T, (5, 300)), padding)


@cases
def Cast() -> Cases:
    for T, out in product(NUMBERS, NUMBERS):
        x = random(T, (3, 50))
        x = np.abs(x) if x.dtype.kind not in "biu" else x  # a negative float is no unsigned integer
        yield T, (x.astype(T.numpy), out)


@cases
def Full() -> Cases:
    for T, value in product(NUMBERS, [0, 1]):
        yield T, ([3, 0, 2] if value else [3, 50], value, T)


@cases
def FullLike() -> Cases:
    for T, out in product(FEW, NUMBERS):
        yield T, (random(T, (3, 5)), 1, out)


@cases
def FullBatchSizeLike() -> Cases:
    for T in NUMBERS:
        yield T, (random(T, (3, 5)), [-1, 4], 1, T, 0, 0)
    yield DataType.FLOAT32, (
        DenseTensor(np.ones((6, 2), np.int16), lod=((0, 2, 6),)), [-1, 4], 2.5, DataType.FLOAT32, 0, 0,
    )  # fmt: skip


def samples(name: str) -> Cases:
    """For an element-wise kernel."""
    template = find(f"phi::{name}Kernel")
    assert template
    for T, size in product(sorted(template.dtypes), [0, 1, 1000]):
        yield T, template.sample(T, size, np.random.default_rng(size))


for _name in (template.name.removeprefix("phi::")[: -len("Kernel")] for template in library()):
    if "::" not in _name and _name not in CASES:
        CASES[_name] = lambda name=_name: samples(name)  # type: ignore[misc]
