"""What to try GPU kernels with: data types, shapes, axes, flags; for each kernel, by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from typing import Any

import numpy as np

from registry_runtime.kernels import find, library
from registry_runtime.kernels.device_code import POOL
from registry_runtime.kernels.fused_attention.gradient import arguments_after
from registry_runtime.kernels.fused_attention.signature import INPUTS
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from tests.kernels.attention_cases import ATTENTIONS, attention_arguments
from tests.kernels.lamb_arguments import PLAIN
from tests.kernels.lamb_arguments import inputs as lamb_inputs
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
    names = (template.name.removesuffix("Kernel") for template in library())
    (name,) = (
        name
        for name in names
        if name.rpartition("::")[2] == make.__name__ and name.startswith("phi::")
    )
    CASES[name.removeprefix("phi::")] = make
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
def SequenceMask() -> Cases:
    for T, out in product([DataType.FLOAT32, DataType.INT64], NUMBERS):
        x = np.random.default_rng(0).integers(-2, 70, (3, 50)).astype(T.numpy)
        yield T, (x, None, 60, out)
        yield T, (x, None, -1, out)
        yield T, (x, np.array([5], np.int32), -1, out)
    yield DataType.INT32, (np.zeros((0, 3), np.int32), None, -1, DataType.BOOL)


@cases
def Pow2DecayWithLinearWarmup() -> Cases:
    for T, step in product([DataType.FLOAT32, DataType.FLOAT64], [-5, -1, 0, 9, 10, 99, 200]):
        yield T, (np.ones(1, T.numpy), np.array([step]), 10, 100, 0.1, 0.001)


SIGNALS = [((1, 8), 8, 3), ((2, 40), 5, 2), ((3, 700), 64, 16), ((0, 9), 4, 1), ((2, 9), 1, 20)]
SPECTRA = {DataType.FLOAT32: DataType.COMPLEX64, DataType.FLOAT64: DataType.COMPLEX128}


@cases
def Stft() -> Cases:
    for T, (shape, n, hop), *how in product(SPECTRA, SIGNALS, [False, True], [False, True]):
        yield T, (random(T, shape), random(T, (n,)), n, hop, *how)


@cases
def StftGrad() -> Cases:
    for T, (x, window, n, hop, normalized, onesided) in Stft():
        shape = (len(x), n // 2 + 1 if onesided else n, 1 + (x.shape[1] - n) // hop)
        yield T, (x, window, random(SPECTRA[T], shape), n, hop, normalized, onesided)


@cases
def SequencePool() -> Cases:
    kinds = ["AVERAGE", "SUM", "SQRT", "MAX", "LAST", "FIRST"]
    for T, kind, columns in product(SPECTRA, kinds, [(3,), (2, 300), (0,)]):
        x = DenseTensor(random(T, (9, *columns)), lod=((0, 3, 3, 4, 9),))
        yield T, (x, False, kind, 9.5)
        yield T, (x, True, kind, 0.0)


@cases
def SequencePoolGrad() -> Cases:
    for T, (x, is_test, kind, pad) in SequencePool():
        grad, index = random(T, (4, *x.dims[1:])), None
        if kind == "MAX":
            index = np.broadcast_to(np.array([1, -1, 3, 5], np.int32)[:, None], (4, 3)).copy()
            index = np.resize(index, grad.shape).astype(np.int32)
        yield T, (DenseTensor(x.data, lod=((1, 3, 3, 4, 8),)), index, grad, is_test, kind, pad)


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
    """For an element-wise kernel; of floats also such small ones that they have no full precision."""
    template = find(f"phi::{name}Kernel")
    assert template
    for T, size in product(sorted(template.dtypes), [0, 1, 1000]):
        yield T, template.sample(T, size, np.random.default_rng(size))
    for T in sorted(template.dtypes & {DataType.FLOAT32, DataType.FLOAT64}):
        smallest = np.finfo(T.numpy).tiny
        args = template.sample(T, 1000, np.random.default_rng(7))
        yield (
            T,
            tuple(
                x * smallest if isinstance(x, np.ndarray) and x.dtype == T.numpy else x
                for x in args
            ),
        )
        if name == "Exp":
            yield T, (np.linspace(-20, 3, 1000, dtype=T.numpy) + np.log(smallest),)


def layouts(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    """Views of two arrays of 1000 elements that broadcast, and don't lie in one piece, or not where
    16 bytes may be taken at once."""
    yield a[1:], b[1:]
    yield a[1:], b[:-1]
    yield a[::2], b[:500]
    yield a[::-1], b
    yield a[:1], b
    yield a[:960].reshape(4, 5, 6, 8), b[:6].reshape(6, 1)
    yield a[:960].reshape(8, 5, 4, 6).T, b[:6].reshape(6, 1, 1, 1)
    yield a[:960].reshape(2, 2, 3, 2, 5, 8).transpose(5, 3, 1, 0, 4, 2), b[:8].reshape(8, *[1] * 5)


LAID_OUT = [
    *product(["Add", "Equal", "Relu", "Scale", "Cast"], [DataType.FLOAT32, DataType.INT8]),
    ("Multiply", DataType.COMPLEX128),
    ("Divide", DataType.FLOAT16),
    ("BitwiseNot", DataType.BOOL),
]


def laid_out(name: str, T: DataType) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The kernel's instance, and arguments on the device that lie in memory in all ways."""
    template = find(f"phi::{name}Kernel")
    assert template
    if T not in template.dtypes:
        return
    instance = template.instantiate(T, "GPUContext")
    x, *others = instance.sample_inputs(1000, np.random.default_rng(1))
    two = bool(others) and hasattr(others[0], "__cuda_array_interface__")
    for a, b in layouts(x, others[0] if two else x):
        yield instance, (a, b) if two else (a, *others)


BATCHES = [(6, 5), (3, 4, 2, 5), (700, 1), (300, 40), (1, 3), (2, 1), (0, 3), (4, 0)]


@cases
def FusedBatchNormAct() -> Cases:
    for T, shape in product([DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT16], BATCHES):
        U = DataType.FLOAT64 if T is DataType.FLOAT64 else DataType.FLOAT32
        scale, bias, mean, variance = (random(U, shape[-1:]) * n for n in (1, 2, 3, 4))
        numbers = (scale, bias, mean, np.square(variance))
        yield T, (random(T, shape) * T.numpy.type(3), *numbers, 0.9, 1e-5, "relu")


@cases
def FusedBatchNormActGrad() -> Cases:
    forward = find("phi::fusion::FusedBatchNormActKernel")
    assert forward
    for T, (x, scale, bias, *rest) in FusedBatchNormAct():
        outs = forward.instantiate(T, "GPUContext").reference(x, scale, bias, *rest)
        y, _, _, mean, variance, reserve_space = outs
        made = (y, mean, variance, reserve_space)
        yield T, (x, scale, bias, *made, random(T, x.shape[::-1]).T, 0.9, 1e-5, "relu")


@cases
def FusionGroup() -> Cases:
    POOL.set(
        "all_there_is", "a = -x0 / (exp(x1) + 1.5); y1 = sqrt(square(a) + 2); y0 = a - x1 * x2"
    )
    POOL.set("copies", "y0 = x0")
    half, single, double = 4, 5, 6  # of framework.proto
    numbers = {half: DataType.FLOAT16, single: DataType.FLOAT32, double: DataType.FLOAT64}
    for shape in [(), (7,), (30, 50), (0, 3)]:
        for ins, outs in [((single,) * 3, (single,) * 2), ((half, single, half), (double, half))]:
            tensors = [random(numbers[number], shape) for number in ins]
            yield DataType.FLOAT32, (tensors, list(outs), list(ins), "all_there_is", 0)
        for T, number in [(DataType.FLOAT16, half), (DataType.FLOAT64, double)]:
            yield T, ([random(T, shape)] * 3, [number] * 2, [number] * 3, "fused_elementwise_0", 0)
        yield DataType.FLOAT32, ([random(numbers[half], shape)], [single], [half], "copies", 0)


@cases
def FusedAttention() -> Cases:
    for T in (DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT16):
        for how in ATTENTIONS:
            yield T, attention_arguments(T, **how)


@cases
def FusedAttentionGrad() -> Cases:
    for T, forward in FusedAttention():
        inputs = dict(zip(INPUTS, forward, strict=True))
        if inputs["cache_kv"] is None and not inputs["is_test"]:
            yield T, arguments_after(T, forward, random(T, forward[0].shape[::-1]).T.copy())


LAYERS = [(1, False), (2, True), (3, False)]


def lstm_arguments(T: DataType, x: Any, units: int, layers: int, directions: int) -> list[Any]:
    """x, the first states, no flat weights, and a list of them."""
    each = layers * directions
    inputs = [x.shape[2]] + [directions * units] * (layers - 1)
    rows = 4 * units
    shapes = [s for i in inputs for _ in range(directions) for s in ((rows, i), (rows, units))]
    weights = [random(T, shape) / T.numpy.type(2) for shape in [*shapes, *[(rows,)] * 2 * each]]
    state = (each, x.shape[1], units)
    return [x, random(T, state), random(T, state[::-1]).T.copy(), None, weights]


@cases
def CudnnLSTM() -> Cases:
    for T, (layers, is_bidirec) in product([DataType.FLOAT32, DataType.FLOAT64], LAYERS):
        for shape, units in [((4, 3, 5), 6), ((1, 70, 2), 4), ((3, 1, 1), 1)]:
            args = lstm_arguments(T, random(T, shape), units, layers, 1 + is_bidirec)
            how = (is_bidirec, units, layers)
            lengths = np.arange(shape[1], dtype=np.int32) % shape[0] + 1
            yield T, (*args, None, 0.0, *how, False, 0)
            yield T, (*args, lengths, 0.5, *how, False, 7)
            flat = np.concatenate([weight.ravel() for weight in args[4]])
            yield T, (*args[:3], flat, None, lengths, 0.5, *how, True, 0)


@cases
def CudnnLSTMGrad() -> Cases:
    forward = find("phi::CudnnLSTMKernel")
    assert forward
    for T, (x, h, c, w, weights, *rest) in CudnnLSTM():
        if weights is None:
            continue
        outs = forward.instantiate(T, "GPUContext").reference(x, h, c, w, weights, *rest)
        out, last_h, last_c, *_ = outs
        grads = (random(T, t.shape[::-1]).T.copy() for t in (out, last_h, last_c))
        yield T, (x, h, c, weights, rest[0], out, *outs[3:], *grads, *rest[1:])


@cases
def DistributedFusedLamb() -> Cases:
    T, half = DataType.FLOAT32, DataType.FLOAT16
    one_of_each = [(T, (5, 3)), (half, (7,)), (T, (3,))]
    long = [(T, (40_000,)), (half, (2, 17_000)), (T, (1,))]  # more than a block adds up
    for kinds in (one_of_each, long, one_of_each[:1], one_of_each[1:2]):
        params, grads = ([random(U, shape[::-1]).T for U, shape in kinds] for _ in "pg")
        given = lamb_inputs(params, grads, [len(shape) > 1 for _, shape in kinds])
        moment = random(T, given.moment1.shape)
        given = given._replace(moment1=moment, moment2=np.square(moment))
        for max_norm, clip_after, norm in product([-1.0, 2.0], [True, False], [True, False]):
            a = PLAIN._replace(max_global_grad_norm=max_norm, clip_after_allreduce=clip_after)
            yield T, (*given, *a._replace(use_master_param_norm=norm))
        yield T, (*given, *PLAIN._replace(acc_steps=2))
        zeros = [np.zeros_like(param) for param in params]  # which have no norm
        yield T, (*lamb_inputs(zeros, grads, [True] * len(kinds)), *PLAIN)
        grads[0][...] = np.nan
        yield T, (*lamb_inputs(params, grads, [True] * len(kinds)), *PLAIN)


ON_A_GPU = [template for template in library() if "GPU" in template.backends]
for _name in (template.name.removeprefix("phi::")[: -len("Kernel")] for template in ON_A_GPU):
    if not _name.startswith("custom_cpu::") and _name not in CASES:
        CASES[_name] = lambda name=_name: samples(name)  # type: ignore[misc]
