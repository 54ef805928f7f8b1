"""Results whose derivative nobody knows: they have a node all the same, that says so on the way back.

Where an operator has no kernel for Autograd, PyTorch's own fallback hands the call on, and hangs a node
at the results that warns and makes no gradient (`autograd_not_implemented_fallback.cpp`, its mode
`Warn`). An operator of PyTorch's own has a derivative there (`derivatives.yaml`); none of those is
here, and so the way back stops with an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from registry_runtime.aten.autograd.grad_mode import is_enabled
from registry_runtime.aten.autograd.graph import (
    Gradients,
    Node,
    edges_of,
    is_differentiable_type,
    set_history,
)
from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.local_keys import tls_local_dispatch_key_set
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.tensor import Tensor


@dataclass(eq=False)
class WarnNotImplemented(Node):
    """The fallback's node: it tells `warn`, and the gradients of its inputs are undefined."""

    warn: Callable[[str], object]

    def apply(self, gradients: Gradients) -> Gradients:
        self.warn(not_implemented(self.name))
        return [None] * len(self.next_edges)


def not_implemented(operator: str) -> str:
    """What PyTorch warns of on the way back."""
    return (
        f"{operator}: an autograd kernel was not registered to the Autograd key(s) but we are trying "
        "to backprop through it. This may lead to silently incorrect behavior. This behavior is "
        "deprecated and will be removed in a future version of PyTorch. If your operator is "
        "differentiable, please ensure you have registered an autograd kernel to the correct Autograd "
        "key (e.g. DispatchKey::Autograd, DispatchKey::CompositeImplicitAutograd). If your operator "
        "is not differentiable, or to squash this warning and use the previous behavior, please "
        "register torch::CppFunction::makeFallthrough() to DispatchKey::Autograd."
    )


@dataclass(eq=False)
class _NotHere(Node):
    """The node of an operator of PyTorch's own."""

    def apply(self, gradients: Gradients) -> Gradients:
        raise TorchError(
            f"not understood: the derivative of {self.name}, which PyTorch has and this runtime hasn't",
            hint="call it below Autograd, and write the derivative in a backward of your own",
        )


_AUTOGRAD = DispatchKey.AutogradFunctionality
_noting: ContextVar[bool] = ContextVar("noting", default=True)


@contextmanager
def fallback_notes_nothing() -> Iterator[None]:
    """`set_autograd_fallback_mode("nothing")` for a block: the fallback only hands on."""
    token = _noting.set(False)
    try:
        yield
    finally:
        _noting.reset(token)


def warning_node(
    operator: str, arguments: Sequence[Any], warn: Callable[[str], object]
) -> Node | None:
    """The fallback's node for a call with these arguments; None where nothing is to be noted."""
    tensors = [*tensors_in(arguments)]
    if not (_noting.get() and is_enabled() and any(one.requires_grad for one in tensors)):
        return None
    return WarnNotImplemented(operator, edges_of(tensors), warn)


def note_results(node: Node, results: Sequence[Any]) -> None:
    """The node becomes the history of those results that have none yet."""
    for result in tensors_in(results):
        if is_differentiable_type(result.dtype) and not result.requires_grad:
            set_history(result, node)


def noted_as_pytorchs(operator: str, arguments: Sequence[Any], result: Any) -> Any:
    """The result of an operator that a body has called: of PyTorch's own with a node, if its Autograd
    kernel would have made one. Raises TorchError where that would have refused to write in place."""
    tensors = [*tensors_in(arguments)]
    is_noted = is_enabled() and any(one.requires_grad for one in tensors)
    excluded = tls_local_dispatch_key_set().excluded
    if not (is_noted and operator.startswith("aten::")) or excluded.has(_AUTOGRAD):
        return result
    node, in_place = _NotHere(operator, edges_of(tensors)), operator.partition(".")[0].endswith("_")
    for one in tensors_in([result]):
        if in_place and one.requires_grad and one.grad_fn is None:
            raise TorchError(
                "a leaf Variable that requires grad is being used in an in-place operation."
            )
        is_new = not one.requires_grad and not any(one is given for given in tensors)
        if (is_new or in_place) and is_differentiable_type(one.dtype):
            set_history(one, node)
    return result


def tensors_in(values: Sequence[Any]) -> Iterator[Tensor]:
    """The tensors among them, and in lists among them."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, list | tuple):
            yield from tensors_in(value)
