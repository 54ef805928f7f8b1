"""`torch::autograd::Function<T>`: a forward of one's own, and the backward that belongs to it.

`T::apply(x, 2)` calls `T::forward(ctx, x, 2)` with gradients off, and hangs the node that will call
`T::backward(ctx, gradients)` at what came out: if gradients are on, and one of the tensors among the
arguments requires one. What backward needs of forward goes through the *context*: tensors by
`save_for_backward`, so that the node that made a tensor doesn't keep itself alive, and so that it is
noticed when somebody writes to them in between; numbers by `saved_data`.

Source: `torch/csrc/autograd/custom_function.h` and `custom_function.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from registry_runtime.aten.autograd.grad_mode import AutoGradMode, is_enabled
from registry_runtime.aten.autograd.graph import (
    Edge,
    Gradients,
    Node,
    edges_of,
    is_differentiable_type,
    set_history,
)
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.tensor import Tensor, empty

BACKWARD_TWICE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they "
    "have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)


class SavedData(dict[str, Any]):
    """Values by their names, each in a place of its own."""


@dataclass(eq=False)
class AutogradContext:
    """What forward leaves for backward. `saved_data` holds values by name."""

    saved_data: SavedData = field(default_factory=SavedData)
    to_save: list[Tensor | None] = field(default_factory=list)
    saved: list[tuple[Tensor | None, int]] = field(default_factory=list)
    non_differentiable: list[Tensor] = field(default_factory=list)
    materialize_grads: bool = True
    next_edges: Sequence[Edge | None] = ()
    has_freed_buffers: bool = False

    def get_saved_variables(self) -> Gradients:
        """The tensors that were saved: none while forward runs. Raises TorchError where one was written
        to since, or where the way back was gone already."""
        if self.has_freed_buffers:
            raise TorchError(BACKWARD_TWICE)
        for tensor, version in self.saved:
            if tensor is not None and tensor.version != version:
                raise TorchError(
                    "one of the variables needed for gradient computation has been modified by an "
                    f"inplace operation: [torch.{tensor.dtype.name}Tensor {list(tensor.sizes)}] is "
                    f"at version {tensor.version}; expected version {version} instead."
                )
        return [tensor for tensor, _ in self.saved]

    def needs_input_grad(self, index: int) -> bool:
        """Whether the gradient of this tensor among forward's arguments is asked for."""
        if not 0 <= index < len(self.next_edges):
            raise TorchError(f"there is no tensor {index} among the arguments of forward")
        return self.next_edges[index] is not None


@dataclass(eq=False)
class CppNode(Node):
    """`CppNode<T>`: the node that calls `T::backward`.

    `is_variable_input` says which of forward's arguments were tensors: backward has a gradient to
    return for each argument, and edges lead back from the tensors only.
    """

    ctx: AutogradContext
    backward: Callable[[AutogradContext, Gradients], Gradients]
    is_variable_input: Sequence[bool]

    def apply(self, gradients: Gradients) -> Gradients:
        given = [
            self._zeros(index) if one is None and self.ctx.materialize_grads else one
            for index, one in enumerate(gradients)
        ]
        made, expected = list(self.backward(self.ctx, given)), len(self.is_variable_input)
        if all(one is None for one in made[expected:]):
            made = made[:expected]
        if len(made) != expected:
            raise TorchError(
                f"function {self.name} returned an incorrect number of gradients (expected "
                f"{expected}, got {len(made)})"
            )
        for index, (gradient, is_variable) in enumerate(
            zip(made, self.is_variable_input, strict=True), 1
        ):
            if gradient is not None and not is_variable:
                raise TorchError(
                    f"function {self.name} returned a gradient different that is defined at position "
                    f"{index}, std the corresponding forward input was not a Variable"
                )
        return [g for g, is_var in zip(made, self.is_variable_input, strict=True) if is_var]

    def release_variables(self) -> None:
        self.ctx.saved, self.ctx.has_freed_buffers = [], True

    def _zeros(self, index: int) -> Tensor:
        sizes, dtype = self.outputs[index]
        made = empty(sizes, dtype)
        made.numpy()[...] = 0
        return made


def apply_function(
    name: str,
    forward: Callable[[AutogradContext], Sequence[Tensor | None]],
    backward: Callable[[AutogradContext, Gradients], Gradients],
    arguments: Sequence[Tensor | None],
    is_variable_input: Sequence[bool],
) -> list[Tensor | None]:
    """`Function<T>::apply`: the outputs of forward, with their history. `arguments` are those of its
    arguments that are tensors. Raises TorchError."""
    requires = any(one is not None and one.requires_grad for one in arguments)
    is_executable = is_enabled() and requires
    edges = edges_of(arguments) if is_executable else []
    ctx = AutogradContext(next_edges=edges)
    node = CppNode(name, edges, ctx, backward, is_variable_input)
    with AutoGradMode(False):
        raw = forward(ctx)
    outputs = [_wrapped(one, arguments, ctx, node if is_executable else None) for one in raw]
    if is_executable:
        ctx.saved = [(one, one.version if one is not None else 0) for one in ctx.to_save]
    ctx.to_save = []
    return outputs


def _wrapped(
    output: Tensor | None,
    arguments: Sequence[Tensor | None],
    ctx: AutogradContext,
    node: CppNode | None,
) -> Tensor | None:
    """`_wrap_outputs`: what comes out has this history, or none, whatever forward has noted."""
    if output is None:
        if node is not None:
            raise TorchError("not understood: a forward that returns an undefined tensor")
        return None
    is_marked = any(output is one for one in ctx.non_differentiable)
    if any(output is one for one in arguments):
        output = copy(output)  # a view of itself, which may have another history
    output.requires_grad, output.grad_fn = False, None
    if node is not None and not is_marked and is_differentiable_type(output.dtype):
        set_history(output, node)
    elif node is not None:
        node.outputs.append((output.sizes, output.dtype))
    return output
