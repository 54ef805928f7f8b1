"""The gradient in NumPy, in double precision, all sequences of a step at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from registry_runtime.kernels import cudnn_lstm
from registry_runtime.kernels.cudnn_lstm import Weights, kept, laid_out, sigmoid, weights, wide
from registry_runtime.kernels.finite_differences import slopes
from registry_runtime.phi.kernel_template import KernelError


class Walk(NamedTuple):
    """One direction of one layer: its input, the states that each step began with, and its gates.

    x is (steps, batch, inputs), h and c are (steps, batch, units), gates (steps, 4, batch, units).
    """

    x: Any
    h: Any
    c: Any
    gates: Any


class Gradients(NamedTuple):
    """`sums` are those of what goes into the gates: for each walk (steps, batch, 4 * units)."""

    x: Any
    h: Any
    c: Any
    sums: list[Any]


def check(x: Any, init_h: Any, init_c: Any, *rest: Any) -> None:
    """Raises KernelError for tensors of other dims than the forward pass has them."""
    _, lengths, out, _, _, out_grad, last_h_grad, last_c_grad, *how = rest
    if len(x.shape) != 3 or len(init_h.shape) != 3:
        raise KernelError(f"x and init_h have 3 dims, not {len(x.shape)} and {len(init_h.shape)}")
    steps, batch, _ = x.shape
    outs = (steps, batch, (1 + how[1]) * how[2])
    states = (init_h.shape[0], batch, how[2])
    wanted: dict[str, tuple[Any, tuple[int, ...]]]
    wanted = {"init_h": (init_h, states), "init_c": (init_c, states), "out": (out, outs)}
    wanted |= {"out_grad": (out_grad, outs), "last_h_grad": (last_h_grad, states)}
    wanted |= {"last_c_grad": (last_c_grad, states)}
    if lengths is not None:
        wanted["sequence_length"] = (lengths, (batch,))
    for name, (tensor, dims) in wanted.items():
        if tuple(tensor.shape) != dims:
            raise KernelError(
                f"{name} has dims {list(tensor.shape)}; of x with {list(x.shape)} it must have "
                f"{list(dims)}"
            )


def order(steps: int, direction: int) -> range:
    """The steps as a direction takes them."""
    return range(steps - 1, -1, -1) if direction else range(steps)


def forward(
    x: Any, init_h: Any, init_c: Any, each: list[Weights], until: Any, *how: Any
) -> tuple[list[Walk], list[Any]]:
    """Every walk, layer by layer, and what each layer's output was multiplied by on its way up."""
    dropout, is_bidirec, units, layers, is_test, seed = how
    directions, (steps, batch, _) = 1 + is_bidirec, x.shape
    walks, factors = [], []
    for layer in range(layers):
        out = np.zeros((steps, batch, directions * units))
        for direction in range(directions):
            i = layer * directions + direction
            before = np.empty((2, steps, batch, units))
            walk = Walk(x, before[0], before[1], np.empty((steps, 4, batch, units)))
            h, c = init_h[i], init_c[i]
            for step in order(steps, direction):
                walk.h[step], walk.c[step] = h, c
                sums = x[step] @ each[i].of_input.T + h @ each[i].recurrent.T
                parts = np.split(sums + each[i].input_bias + each[i].recurrent_bias, 4, axis=1)
                gates = [np.tanh(p) if gate == 2 else sigmoid(p) for gate, p in enumerate(parts)]
                let_in, forget, new, let_out = walk.gates[step] = gates
                goes_on = (step < until)[:, None]
                c = np.where(goes_on, forget * c + let_in * new, c)
                h = np.where(goes_on, let_out * np.tanh(c), h)
                columns = slice(direction * units, (direction + 1) * units)
                out[step, :, columns] = np.where(goes_on, h, 0)
            walks.append(walk)
        factor = None if layer == layers - 1 else kept(dropout, is_test, seed, layer, out.shape)
        factors.append(1 if factor is None else factor)
        x = out * factors[-1]
    return walks, factors


def step_back(gates: Any, c: Any, h_grad: Any, c_grad: Any) -> tuple[Any, Any]:
    """The gradients of the sums, and of the cell that the step began with."""
    let_in, forget, new, let_out = gates
    shown = np.tanh(forget * c + let_in * new)
    c_grad = c_grad + h_grad * let_out * (1 - shown**2)
    sums_grad = [
        c_grad * new * let_in * (1 - let_in),
        c_grad * c * forget * (1 - forget),
        c_grad * let_in * (1 - new**2),
        h_grad * shown * let_out * (1 - let_out),
    ]
    return np.concatenate(sums_grad, axis=1), c_grad * forget


def arrays(*arguments: Any) -> tuple[Any, ...]:
    """The arguments with their tensors as arrays, in double precision. Raises KernelError."""
    x, init_h, init_c, weight_list, lengths, *rest = arguments
    x, init_h, init_c, _, weight_list = wide(x, init_h, init_c, None, weight_list)
    lengths = None if lengths is None else np.asarray(lengths)
    outs_and_grads = (np.asarray(tensor, np.float64) for tensor in rest[:6])
    found = (x, init_h, init_c, weight_list, lengths, *outs_and_grads, *rest[6:])
    check(*found)
    return found


def back(*arguments: Any) -> tuple[list[Weights], list[Walk], Gradients]:
    """The weights, the walks, and the gradients but for those of the weights. Takes arrays."""
    x, init_h, init_c, weight_list, lengths, *rest = arguments
    out_grad, *last, how = *rest[3:6], rest[6:]
    _, is_bidirec, units, layers, *_ = how
    each = weights(np, x, init_h, None, weight_list, *how)
    directions, (steps, batch, _) = 1 + is_bidirec, x.shape
    until = np.full(batch, steps) if lengths is None else lengths
    walks, factors = forward(x, init_h, init_c, each, until, *how)
    h_grad, c_grad = (grad.copy() for grad in last)
    sums = [np.zeros((steps, batch, 4 * units)) for _ in walks]
    for layer in reversed(range(layers)):
        out_grad = out_grad * factors[layer]
        x_grad: Any = 0
        for direction in range(directions):
            i = layer * directions + direction
            columns = slice(direction * units, (direction + 1) * units)
            for step in reversed(order(steps, direction)):
                goes_on = (step < until)[:, None]
                h = h_grad[i] + out_grad[step, :, columns]
                found, c = step_back(walks[i].gates[step], walks[i].c[step], h, c_grad[i])
                sums[i][step] = np.where(goes_on, found, 0)
                h_grad[i] = np.where(goes_on, sums[i][step] @ each[i].recurrent, h_grad[i])
                c_grad[i] = np.where(goes_on, c, c_grad[i])
            x_grad = x_grad + sums[i] @ each[i].of_input
        out_grad = x_grad
    return each, walks, Gradients(out_grad, h_grad, c_grad, sums)


def of_weights(weight_list: list[Any], walks: list[Walk], sums: list[Any], *how: Any) -> list[Any]:
    """What each sum's gradient says of each factor in it, laid out as the list of weights."""
    flat = np.empty(sum(weight.size for weight in weight_list))
    for grads, walk, grad in zip(
        laid_out(flat, walks[0].x.shape[2], *how), walks, sums, strict=True
    ):
        lines = grad.reshape(-1, grad.shape[2]).T
        grads.of_input[...] = lines @ walk.x.reshape(-1, walk.x.shape[2])
        grads.recurrent[...] = lines @ walk.h.reshape(-1, walk.h.shape[2])
        grads.input_bias[...] = grads.recurrent_bias[...] = lines.sum(1)
    return shared_out(flat, weight_list)


def shared_out(flat: Any, weight_list: list[Any]) -> list[Any]:
    """The flat tensor's parts, as views of the weights' dims."""
    ends = np.cumsum([np.prod(weight.shape, dtype=int) for weight in weight_list]).tolist()
    starts = [0, *ends]
    return [
        flat[start:end].reshape(weight.shape)
        for start, end, weight in zip(starts, ends, weight_list, strict=False)
    ]


def reference(*arguments: Any) -> Any:
    arguments = arrays(*arguments)
    _, walks, grads = back(*arguments)
    weight_grads = of_weights(arguments[3], walks, grads.sums, *arguments[11:])
    return grads.x, grads.h, grads.c, *weight_grads


def magnitude(*arguments: Any) -> Any:
    """A gate of the size of 1 is off by its last place, and what is made of it by as much."""
    arguments = arrays(*arguments)
    each, walks, grads = back(*arguments)
    is_bidirec = arguments[12]
    sums = [np.abs(grad) + 1 for grad in grads.sums]
    sizes = [Walk(*map(np.abs, walk)) for walk in walks]
    lowest = range(1 + is_bidirec)
    x = sum(sums[i] @ np.abs(each[i].of_input) for i in lowest)
    most = [
        (grad.max((0, 1), initial=1) * np.ones((grad.shape[1], 1))) @ np.abs(part.recurrent)
        for grad, part in zip(sums, each, strict=True)
    ]
    h, c = np.abs(grads.h) + np.stack(most), np.abs(grads.c) + 1
    return x, h, c, *of_weights(arguments[3], sizes, sums, *arguments[11:])


def by_differences(*arguments: Any) -> Any:
    """The slopes of what the forward pass puts out, times the gradients, in each of its inputs."""
    x, init_h, init_c, weight_list, lengths, *rest = arrays(*arguments)
    weight, how = rest[3:6], rest[6:]
    inputs = [x, init_h, init_c, *weight_list]

    def loss(i: int, tensor: Any) -> float:
        given = [*inputs[:i], tensor, *inputs[i + 1 :]]
        outs = cudnn_lstm.reference(*given[:3], None, given[3:], lengths, *how)
        return float(sum((out * w).sum() for out, w in zip(outs[:3], weight, strict=True)))

    return tuple(
        slopes(lambda tensor, i=i: loss(i, tensor), at)  # type: ignore[misc]
        for i, at in enumerate(inputs)
    )
