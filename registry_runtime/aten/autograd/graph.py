"""The graph that autograd builds while a program computes, and the way back through it.

A result that was computed from tensors that require a gradient has a *node*, its `grad_fn`: the
function that makes the gradients of the inputs of the gradient of the output. A node's *edges* lead to
where those belong: to the node of an input that was a result itself, or to a tensor that nobody
computed, a leaf. Going back, the node that was made last is run first, and what comes to a node along
several edges is added up.

Sources: `torch/csrc/autograd/node.h`, `engine.cpp`, `input_buffer.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from registry_runtime.aten.autograd.grad_mode import AutoGradMode
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.copy import to
from registry_runtime.aten.tensor.scalar_type import (
    ScalarType,
    is_complex_type,
    is_floating_type,
)
from registry_runtime.aten.tensor.tensor import Sizes, Tensor

Gradients = list[Tensor | None]  # None is an undefined tensor


class Edge(NamedTuple):
    """Where a gradient goes: to an output of a node, or to a leaf. `sizes` and `dtype` are those of the
    tensor that it is of."""

    node: Node | None
    output: int
    leaf: Tensor | None
    sizes: Sizes
    dtype: ScalarType


_made = count()


@dataclass(eq=False)
class Node:
    """`torch::autograd::Node`. What is derived from it says what its function makes of gradients.

    `outputs` are sizes and types of the tensors that it is the `grad_fn` of.
    """

    name: str
    next_edges: Sequence[Edge | None]
    sequence_nr: int = field(default_factory=lambda: next(_made), init=False)
    outputs: list[tuple[Sizes, ScalarType]] = field(default_factory=list, init=False)

    def apply(self, gradients: Gradients) -> Gradients:
        """One gradient for each edge, of those that come in for the outputs. Raises TorchError."""
        raise NotImplementedError

    def release_variables(self) -> None:
        """What was kept for going back is given free."""


def is_differentiable_type(T: ScalarType) -> bool:
    """Only what has fractions has a derivative."""
    return is_floating_type(T) or is_complex_type(T)


def edges_of(tensors: Sequence[Tensor | None]) -> list[Edge | None]:
    """`collect_next_edges`: None for a tensor that requires no gradient, or is undefined."""
    return [_edge(one) if one is not None and one.requires_grad else None for one in tensors]


def _edge(tensor: Tensor) -> Edge:
    leaf = tensor if tensor.grad_fn is None else None
    return Edge(tensor.grad_fn, tensor.output_nr, leaf, tensor.sizes, tensor.dtype)


def set_history(tensor: Tensor, node: Node) -> None:
    """The tensor is the node's next output from now on."""
    tensor.requires_grad, tensor.grad_fn = True, node
    tensor.output_nr = len(node.outputs)
    node.outputs.append((tensor.sizes, tensor.dtype))


def gradients_of(output: Tensor, incoming: Tensor, inputs: Sequence[Tensor]) -> Gradients:
    """`torch.autograd.grad(output, inputs, incoming, allow_unused=True)`: None for an input that the
    output was not computed from, or whose gradient is undefined. Raises TorchError."""
    if incoming.sizes != output.sizes:
        raise TorchError(
            f"Mismatch in shape: grad_output[0] has a shape of {_shape(incoming.sizes)} and "
            f"output[0] has a shape of {_shape(output.sizes)}."
        )
    if not output.requires_grad:
        raise TorchError("element 0 of tensors does not require grad and does not have a grad_fn")
    found: dict[int, Tensor] = {}
    waiting: dict[Node, dict[int, Tensor]] = {}
    _send(_edge(output), incoming, waiting, found)
    with AutoGradMode(False):
        while waiting:
            node = max(waiting, key=lambda one: one.sequence_nr)
            buffer = waiting.pop(node)
            given = [buffer.get(index) for index in range(len(node.outputs))]
            made = _validated(node, node.apply(given))
            node.release_variables()
            for edge, gradient in zip(node.next_edges, made, strict=True):
                if edge is not None:
                    _send(edge, gradient, waiting, found)
    return [found.get(id(one)) for one in inputs]


def _send(
    edge: Edge,
    gradient: Tensor | None,
    waiting: dict[Node, dict[int, Tensor]],
    found: dict[int, Tensor],
) -> None:
    if edge.node is None:
        into, at = found, id(edge.leaf)
    else:
        into, at = waiting.setdefault(edge.node, {}), edge.output
    if gradient is not None:
        into[at] = _sum(into[at], gradient) if at in into else gradient


def _validated(node: Node, gradients: Gradients) -> Gradients:
    """`validate_outputs`: each gradient is of the shape and the type of what it belongs to."""
    made: Gradients = []
    for index, (edge, gradient) in enumerate(zip(node.next_edges, gradients, strict=True)):
        if edge is None or gradient is None:
            made.append(gradient)
            continue
        if gradient.sizes != edge.sizes:
            if not _is_expandable_to(edge.sizes, gradient.sizes):
                raise TorchError(
                    f"Function {node.name} returned an invalid gradient at index {index} - got "
                    f"{list(gradient.sizes)} but expected shape compatible with {list(edge.sizes)}"
                )
            gradient = _sum_to(gradient, edge.sizes)
        made.append(to(gradient, edge.dtype))
    return made


def _is_expandable_to(sizes: Sizes, larger: Sizes) -> bool:
    ends = zip(reversed(sizes), reversed(larger), strict=False)
    return len(sizes) <= len(larger) and all(n in (1, m) for n, m in ends)


def _sum_to(gradient: Tensor, sizes: Sizes) -> Tensor:
    """What was broadcast is added up again."""
    array = _elements(gradient)
    added = array.ndim - len(sizes)
    axes = tuple(range(added)) + tuple(
        added + axis for axis, size in enumerate(sizes) if size != array.shape[added + axis]
    )
    summed = array.sum(axis=axes, keepdims=True, dtype=array.dtype)
    return Tensor.from_array(np.asarray(summed.reshape(sizes)))


def _sum(one: Tensor, other: Tensor) -> Tensor:
    return Tensor.from_array(np.asarray(_elements(one) + _elements(other)))


def _elements(gradient: Tensor) -> Any:
    array = gradient.numpy()
    if array.dtype.kind not in "fc":
        raise TorchError(f"not understood: the sum of gradients of type {gradient.dtype.name}")
    return array


def _shape(sizes: Sizes) -> str:
    return f"torch.Size({list(sizes)})"
