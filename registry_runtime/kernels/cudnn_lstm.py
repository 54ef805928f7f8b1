"""`cudnn_lstm`: layers of cells that remember, over sequences, one step after the other.

A cell has four gates, each a sum of products with the step's input and with its own last output: i
lets the new value g in, f keeps the old one, and o lets it out. A second direction reads each sequence
from its end. The weights lie as cuDNN wants them: for each layer and direction the input's and the
recurrent matrix, of (4 gates * units, inputs), and behind all matrices the two biases of each. A
sequence that is over passes its state on unchanged, and puts out 0.

In training, what goes from layer to layer is dropped at random. cuDNN has its own random numbers and
keeps them in `state_out`, and in `reserve` what its gradient wants to see again. Ours come from the
seed alone, which in Paddle stands for a random one if it is 0, and both buffers stay empty.

Source: `paddle/phi/kernels/gpu/cudnn_lstm_kernel.cu`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from registry_runtime.kernels import cuda_source, gpu
from registry_runtime.kernels.template import (
    Context,
    KernelTemplate,
    OptionalTensor,
    OptionalTensors,
    Out,
    SecondWay,
    random_array,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.multiary import CudnnLSTMInferMeta
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.meta_tensor import MetaTensor


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    init_h: DenseTensor,
    init_c: DenseTensor,
    w: OptionalTensor,
    weight_list: OptionalTensors,
    sequence_length: OptionalTensor,
    dropout_prob: float,
    is_bidirec: bool,
    hidden_size: int,
    num_layers: int,
    is_test: bool,
    seed: int,
    out: Out,
    last_h: Out,
    last_c: Out,
    reserve: Out,
    state_out: Out,
) -> None: ...


class Weights(NamedTuple):
    """Of one layer and direction: 4 rows of matrices, one under the other, and of biases."""

    of_input: Any
    recurrent: Any
    input_bias: Any
    recurrent_bias: Any


def weights(xp: Any, x: Any, init_h: Any, w: Any, weight_list: Any, *how: Any) -> list[Weights]:
    """Each layer's and direction's, out of the flat tensor or the list. Raises KernelError."""
    _, is_bidirec, hidden, layers, is_test, _ = how
    directions = 1 + is_bidirec
    if init_h.shape[0] != layers * directions or init_h.shape[2] != hidden:
        raise KernelError(
            f"init_h has dims {list(init_h.shape)}; {layers} layers of {directions} directions and "
            f"{hidden} units have [{layers * directions}, {x.shape[1]}, {hidden}]"
        )
    if is_test and w is not None:
        flat = w.reshape(-1)
    elif weight_list is not None:
        flat = xp.concatenate([tensor.reshape(-1) for tensor in weight_list])
    else:
        raise KernelError("weight_list is missing: only where is_test does w take its place")
    return laid_out(flat, x.shape[2], *how)


def laid_out(flat: Any, inputs: int, *how: Any) -> list[Weights]:
    """The parts of the flat tensor, which they are views of. Raises KernelError."""
    _, is_bidirec, hidden, layers, *_ = how
    directions = 1 + is_bidirec
    shapes: list[tuple[int, ...]] = [
        (4 * hidden, columns)
        for layer in range(layers)
        for columns in (inputs if layer == 0 else directions * hidden, hidden) * directions
    ]
    shapes += [(4 * hidden,)] * (2 * layers * directions)
    ends = np.cumsum([math.prod(shape) for shape in shapes]).tolist()
    if flat.size != ends[-1]:
        raise KernelError(f"there are {flat.size} weights; these layers have {ends[-1]}")
    parts = [
        flat[end - math.prod(shape) : end].reshape(shape)
        for shape, end in zip(shapes, ends, strict=True)
    ]
    half = len(parts) // 2
    return [Weights(*parts[i : i + 2], *parts[half + i : half + i + 2]) for i in range(0, half, 2)]


def kept(dropout_prob: float, is_test: bool, seed: int, layer: int, shape: tuple[int, ...]) -> Any:
    """What each element that goes on to the next layer is multiplied by; None for 1."""
    if is_test or dropout_prob == 0:
        return None
    lets_through = np.random.default_rng((seed % 2**32, layer)).random(shape) >= dropout_prob
    return lets_through / (1 - dropout_prob) if dropout_prob < 1 else np.zeros(shape)


CUDA = """
extern "C" __global__ void lstm_step(
    const T* x, const T* h, const T* c, const T* of_input, const T* recurrent, const T* input_bias,
    const T* recurrent_bias, const int* lengths, long long step, T* h_out, T* c_out, T* out, T* kept,
    long long batch, long long inputs, long long units, long long apart) {
  long long n = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (n >= batch * units) return;
  long long row = over(n, units), unit = n - row * units;
  out += row * apart + unit;
  if (lengths && step >= lengths[row]) {
    h_out[n] = h[n], c_out[n] = c[n], *out = T(0);
    return;
  }
  T gates[4];
  for (int gate = 0; gate < 4; ++gate) {
    long long line = gate * units + unit;
    T sum = input_bias[line] + recurrent_bias[line];
    for (long long i = 0; i < inputs; ++i) sum += x[row * inputs + i] * of_input[line * inputs + i];
    for (long long i = 0; i < units; ++i) sum += h[row * units + i] * recurrent[line * units + i];
    gates[gate] = gate == 2 ? T(tanh(sum)) : T(1) / (T(1) + T(exp(-sum)));
    if (kept) kept[row * 4 * units + line] = gates[gate];
  }
  T cell = gates[1] * c[n] + gates[0] * gates[2];
  c_out[n] = cell;
  h_out[n] = *out = gates[3] * T(tanh(cell));
}
"""


NOTHING = np.uintp(0)  # a null pointer


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=T)


def cupy_build(cupy: Any, T: DataType) -> Any:
    kernel = gpu.compiled(cupy, cuda_text(T)).get_function("lstm_step")

    def run(
        x: Any, init_h: Any, init_c: Any, w: Any, weight_list: Any, lengths: Any, *rest: Any
    ) -> None:
        *how, out, last_h, last_c, _, _ = rest
        dropout, is_bidirec, units, layers, is_test, seed = how
        each = weights(cupy, x, init_h, w, weight_list, *how)
        directions, (steps, batch, _) = 1 + is_bidirec, x.shape
        lengths = NOTHING if lengths is None else lengths
        grid = (-(-batch * units // cuda_source.THREADS),)
        for layer in range(layers if out.size else 0):
            made = out if layer == layers - 1 else cupy.empty(out.shape, out.dtype)
            for direction in range(directions):
                i = layer * directions + direction
                # Each step reads one pair of states and writes the other.
                states = [(init_h[i], init_c[i])]
                states += [tuple(cupy.empty((batch, units), x.dtype) for _ in "hc") for _ in "ab"]
                now = states[0]
                order = range(steps) if direction == 0 else range(steps - 1, -1, -1)
                for count, step in enumerate(order):
                    then = states[1 + count % 2]
                    place = made[step].reshape(-1)[direction * units :]
                    sizes = (batch, x.shape[2], units, directions * units)
                    kernel(
                        grid,
                        (cuda_source.THREADS,),
                        (x[step], *now, *each[i], lengths, step, *then, place, NOTHING, *sizes),
                    )
                    now = then
                last_h[i], last_c[i] = now
            factor = None if made is out else kept(dropout, is_test, seed, layer, out.shape)
            x = made if factor is None else made * cupy.asarray(factor.astype(x.dtype))
        if not out.size:
            last_h[...], last_c[...] = init_h, init_c

    return run


def reference(
    x: Any, init_h: Any, init_c: Any, w: Any, weight_list: Any, lengths: Any, *how: Any
) -> Any:
    x, init_h, init_c, w, weight_list = wide(x, init_h, init_c, w, weight_list)
    dropout, is_bidirec, units, layers, is_test, seed = how
    each = weights(np, x, init_h, w, weight_list, *how)
    directions, (steps, batch, _) = 1 + is_bidirec, x.shape
    until = np.full(batch, steps) if lengths is None else np.asarray(lengths)
    last_h, last_c = init_h.copy(), init_c.copy()
    for layer in range(layers):
        out = np.zeros((steps, batch, directions * units))
        for direction in range(directions):
            i = layer * directions + direction
            h, c = last_h[i], last_c[i]
            for step in range(steps)[:: -1 if direction else 1]:
                sums = x[step] @ each[i].of_input.T + h @ each[i].recurrent.T
                sums += each[i].input_bias + each[i].recurrent_bias
                let_in, forget, new, let_out = np.split(sums, 4, axis=1)
                goes_on = (step < until)[:, None]
                c = np.where(goes_on, sigmoid(forget) * c + sigmoid(let_in) * np.tanh(new), c)
                h = np.where(goes_on, sigmoid(let_out) * np.tanh(c), h)
                columns = slice(direction * units, (direction + 1) * units)
                out[step, :, columns] = np.where(goes_on, h, 0)
            last_h[i], last_c[i] = h, c
        factor = None if layer == layers - 1 else kept(dropout, is_test, seed, layer, out.shape)
        x = out if factor is None else out * factor
    return x, last_h, last_c, np.empty(0), np.empty(0)


def wide(x: Any, init_h: Any, init_c: Any, w: Any, weight_list: Any) -> Iterator[Any]:
    for tensor in (x, init_h, init_c, w):
        yield None if tensor is None else np.asarray(tensor, np.float64)
    yield weight_list and [np.asarray(tensor, np.float64) for tensor in weight_list]


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def by_sequences(
    x: Any, init_h: Any, init_c: Any, w: Any, weight_list: Any, lengths: Any, *how: Any
) -> Any:
    """One sequence after the other, cut to its length and turned round, unit by unit, on floats."""
    x, init_h, init_c, w, weight_list = wide(x, init_h, init_c, w, weight_list)
    dropout, is_bidirec, units, layers, is_test, seed = how
    each = weights(np, x, init_h, w, weight_list, *how)
    directions, (steps, batch, _) = 1 + is_bidirec, x.shape
    until = [steps] * batch if lengths is None else np.asarray(lengths).tolist()
    last_h, last_c = init_h.copy(), init_c.copy()
    for layer in range(layers):
        out = np.zeros((steps, batch, directions * units))
        for row in range(batch):
            for direction in range(directions):
                i = layer * directions + direction
                times = range(until[row])
                for step in reversed(times) if direction else times:
                    old, inputs = last_h[i, row].copy(), x[step, row]
                    for unit in range(units):
                        gates = [
                            _sum(each[i], gate * units + unit, inputs, old) for gate in range(4)
                        ]
                        let_in, forget, _, let_out = (0.5 + 0.5 * math.tanh(s / 2) for s in gates)
                        cell = forget * last_c[i, row, unit] + let_in * math.tanh(gates[2])
                        last_c[i, row, unit] = cell
                        last_h[i, row, unit] = let_out * math.tanh(cell)
                    begin = direction * units
                    out[step, row, begin : begin + units] = last_h[i, row]
        factor = None if layer == layers - 1 else kept(dropout, is_test, seed, layer, out.shape)
        x = out if factor is None else out * factor
    return x, last_h, last_c, np.empty(0), np.empty(0)


def _sum(weights: Weights, line: int, inputs: Any, old: Any) -> float:
    of_input = (a * b for a, b in zip(weights.of_input[line], inputs, strict=True))
    recurrent = (a * b for a, b in zip(weights.recurrent[line], old, strict=True))
    biases = (weights.input_bias[line], weights.recurrent_bias[line])
    return math.fsum([*of_input, *recurrent, *biases])


def magnitude(*arguments: Any) -> Any:
    """What is summed before a gate closes is of the size of 1, whatever comes out."""
    return tuple(np.abs(result) + 1 for result in reference(*arguments))


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    units = max(1, min(32, size // 16))
    batch = max(1, min(8, size // (4 * units)))
    steps = max(1, min(128, size // (units * batch)))
    layers, directions = 2, 2
    x = random_array(T, (steps, batch, units), rng)
    h, c = (random_array(T, (layers * directions, batch, units), rng) for _ in range(2))
    shapes: list[tuple[int, ...]] = [(4 * units, units)] * (2 * directions)
    for _ in range(directions):
        shapes += [(4 * units, directions * units), (4 * units, units)]
    shapes += [(4 * units,)] * (2 * layers * directions)
    small = T.numpy.type(units**-0.5)
    weight_list = [random_array(T, shape, rng) * small for shape in shapes]
    lengths = rng.integers(1, steps, batch, np.int32, endpoint=True)
    return x, h, c, None, weight_list, lengths, 0.0, True, units, layers, False, 0


def resize(*arguments: Any) -> tuple[MetaTensor, ...]:
    *_, reserve, state_out = outs = arguments[12:]
    for buffer in (reserve, state_out):
        buffer.set_dims((0,))
    return outs


_LENGTHS = frozenset({DataType.INT32})
CudnnLSTMKernel = KernelTemplate(
    name="phi::CudnnLSTMKernel",
    signature=signature,
    dtypes=frozenset({DataType.FLOAT32, DataType.FLOAT64}),
    infer_meta=CudnnLSTMInferMeta,
    reference=reference,
    second_way=SecondWay("Python's floats, one sequence and one unit at a time", by_sequences),
    builders={"GPU": gpu.function(cupy_build, cuda_text)},
    sample=sample,
    accepts={"sequence_length": _LENGTHS},
    resize=resize,
    roundings=256,
    magnitude=magnitude,
)
