"""The gradient in CUDA: the forward pass once more, and five kernels that undo a step of it each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from registry_runtime.kernels import cuda_source, cudnn_lstm, gpu
from registry_runtime.kernels.cudnn_lstm import NOTHING, Weights, kept, laid_out, weights
from registry_runtime.kernels.cudnn_lstm_grad.reference import check, order, shared_out
from registry_runtime.phi.data_type import DataType

CUDA = """
extern "C" __global__ void lstm_step_back(
    const T* gates, const T* c, const T* out_grad, const int* lengths, long long step, const T* h_grad,
    T* c_grad, T* sums_grad, long long batch, long long units, long long apart) {
  long long n = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (n >= batch * units) return;
  long long row = over(n, units), unit = n - row * units, at = row * 4 * units + unit;
  if (lengths && step >= lengths[row]) {
    for (int gate = 0; gate < 4; ++gate) sums_grad[at + gate * units] = T(0);
    return;
  }
  T let_in = gates[at], forget = gates[at + units];
  T fresh = gates[at + 2 * units], let_out = gates[at + 3 * units];
  T shown = T(tanh(forget * c[n] + let_in * fresh));
  T h = h_grad[n] + out_grad[row * apart + unit];
  T cell = c_grad[n] + h * let_out * (T(1) - shown * shown);
  sums_grad[at] = cell * fresh * let_in * (T(1) - let_in);
  sums_grad[at + units] = cell * c[n] * forget * (T(1) - forget);
  sums_grad[at + 2 * units] = cell * let_in * (T(1) - fresh * fresh);
  sums_grad[at + 3 * units] = h * shown * let_out * (T(1) - let_out);
  c_grad[n] = cell * forget;
}
extern "C" __global__ void lstm_state_back(
    const T* sums_grad, const T* recurrent, const int* lengths, long long step, T* h_grad,
    long long batch, long long units) {
  long long n = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (n >= batch * units) return;
  long long row = over(n, units), unit = n - row * units;
  if (lengths && step >= lengths[row]) return;
  T sum = 0;
  for (long long line = 0; line < 4 * units; ++line)
    sum += sums_grad[row * 4 * units + line] * recurrent[line * units + unit];
  h_grad[n] = sum;
}
extern "C" __global__ void lstm_input_back(
    const T* sums_grad, const T* of_input, T* x_grad, int adds, long long rows, long long inputs,
    long long lines) {
  long long n = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (n >= rows * inputs) return;
  long long row = over(n, inputs), i = n - row * inputs;
  T sum = adds ? x_grad[n] : T(0);
  for (long long line = 0; line < lines; ++line)
    sum += sums_grad[row * lines + line] * of_input[line * inputs + i];
  x_grad[n] = sum;
}
extern "C" __global__ void lstm_weight_back(
    const T* sums_grad, const T* factor, T* grad, long long rows, long long inputs, long long lines) {
  long long n = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (n >= lines * inputs) return;
  long long line = over(n, inputs), i = n - line * inputs;
  T sum = 0;
  for (long long row = 0; row < rows; ++row)
    sum += sums_grad[row * lines + line] * (factor ? factor[row * inputs + i] : T(1));
  grad[n] = sum;
}
"""


def cuda_text(T: DataType) -> str:
    return cudnn_lstm.cuda_text(T) + CUDA


class Walk(NamedTuple):
    """One direction of one layer: the states that each step began with, and its gates."""

    h: Any  # (steps, batch, units)
    c: Any
    gates: Any  # (steps, batch, 4 * units)


class Layer(NamedTuple):
    x: Any
    walks: list[Walk]
    factor: Any  # of what it put out, on its way up; None for 1


Launch = Callable[..., None]  # the kernel's name, how many threads, and its arguments


def cupy_build(cupy: Any, T: DataType) -> Any:
    module = gpu.compiled(cupy, cuda_text(T))

    def launch(name: str, threads: int, *args: Any) -> None:
        if threads:
            grid = (-(-threads // cuda_source.THREADS),)
            module.get_function(name)(grid, (cuda_source.THREADS,), args)

    def run(*arguments: Any) -> None:
        tensors, how, outs = arguments[:11], arguments[11:17], arguments[17:]
        check(*tensors, *how)
        x, init_h, init_c, weight_list, lengths, _, _, _, out_grad, *last_grads = tensors
        x_grad, h_grad, c_grad, *weight_grads = outs
        each = weights(cupy, x, init_h, None, weight_list, *how)
        lengths = NOTHING if lengths is None else lengths
        layers = forward(cupy, launch, x, (init_h, init_c), each, lengths, *how)
        h_grad[...], c_grad[...] = last_grads
        flat = cupy.empty((sum(part.size for one in each for part in one),), x.dtype)
        grads = laid_out(flat, x.shape[2], *how)
        count = len(layers[0].walks)
        for number in reversed(range(len(layers))):
            layer, of_layer = layers[number], slice(number * count, (number + 1) * count)
            if layer.factor is not None:
                out_grad = out_grad * layer.factor
            below = cupy.empty(layer.x.shape, x.dtype) if number else x_grad
            states = list(zip(h_grad[of_layer], c_grad[of_layer], strict=True))
            undo(
                *(cupy, launch, layer, each[of_layer], lengths),
                *(out_grad, states, below, grads[of_layer]),
            )
            out_grad = below
        for out, grad in zip(weight_grads, shared_out(flat, weight_list), strict=True):
            out[...] = grad

    return run


def forward(
    cupy: Any,
    launch: Launch,
    x: Any,
    inits: tuple[Any, Any],
    each: list[Weights],
    lengths: Any,
    *how: Any,
) -> list[Layer]:
    """The forward pass, which this time keeps what it went through."""
    dropout, is_bidirec, units, layers, is_test, seed = how
    directions, (steps, batch, _) = 1 + is_bidirec, x.shape
    found = []
    for number in range(layers):
        out = cupy.empty((steps, batch, directions * units), x.dtype)
        walks = []
        for direction in range(directions):
            i = number * directions + direction
            # A state more than steps: each begins with the one at its place, or, from the end,
            # with the one behind it.
            states = [cupy.empty((steps + 1, batch, units), x.dtype) for _ in inits]
            for state, init in zip(states, inits, strict=True):
                state[steps * direction] = init[i]
            gates = cupy.empty((steps, batch, 4 * units), x.dtype)
            for step in order(steps, direction):
                now, then = step + direction, step + 1 - direction
                launch(
                    *("lstm_step", batch * units),
                    *(x[step], *(state[now] for state in states), *each[i], lengths, step),
                    *(state[then] for state in states),
                    *(out[step].reshape(-1)[direction * units :], gates[step]),
                    *(batch, x.shape[2], units, directions * units),
                )
            before = [state[direction : direction + steps] for state in states]
            walks.append(Walk(before[0], before[1], gates))
        last = number == layers - 1
        factor = None if last else kept(dropout, is_test, seed, number, out.shape)
        factor = None if factor is None else cupy.asarray(factor.astype(x.dtype))
        found.append(Layer(x, walks, factor))
        x = out if factor is None else out * factor
    return found


def undo(
    cupy: Any,
    launch: Launch,
    layer: Layer,
    each: list[Weights],
    lengths: Any,
    out_grad: Any,
    states_grad: list[tuple[Any, Any]],
    x_grad: Any,
    weight_grads: list[Weights],
) -> None:
    """One layer's steps, from the last to the first, and its products. `states_grad` change too."""
    steps, batch, inputs = layer.x.shape
    for direction, (h, c, gates) in enumerate(layer.walks):
        units, (h_grad, c_grad) = h.shape[2], states_grad[direction]
        lines, apart, rows = 4 * units, len(each) * units, steps * batch
        sums = cupy.empty(gates.shape, gates.dtype)
        for step in reversed(order(steps, direction)):
            place = out_grad[step].reshape(-1)[direction * units :]
            launch(
                *("lstm_step_back", batch * units, gates[step], c[step], place, lengths, step),
                *(h_grad, c_grad, sums[step], batch, units, apart),
            )
            launch(
                *("lstm_state_back", batch * units, sums[step], each[direction].recurrent),
                *(lengths, step, h_grad, batch, units),
            )
        launch(
            *("lstm_input_back", rows * inputs, sums, each[direction].of_input, x_grad),
            *(np.int32(direction), rows, inputs, lines),
        )
        factors = (layer.x, h, NOTHING, NOTHING)
        for factor, grad in zip(factors, weight_grads[direction], strict=True):
            launch(
                *("lstm_weight_back", grad.size, sums, factor, grad),
                *(rows, grad.size // lines, lines),
            )
