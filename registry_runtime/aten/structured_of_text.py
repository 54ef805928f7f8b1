"""A structured kernel whose two halves stand in a text, called though no operator leads to it.

torchgen would write the classes around them, and the function that makes an object of the last one,
calls `meta`, and then `impl`. Here that is done for classes that only the text knows: the object is the
text's `this`, and both bodies are run on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.linking import run
from registry_runtime.aten.structured import Functional, Structured
from registry_runtime.aten.stub.stub_choice import StubChoice, told_to
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.world import World
from registry_runtime.cxx import unknown_part


def call_structured(
    world: World, meta_class: str, impl_class: str, arguments: Sequence[Any]
) -> Tensor:
    """A new tensor, as `structured_sub_Tensor` describes and `structured_sub_CPU` fills it. Raises
    TorchError."""
    with_meta = type(meta_class, (Structured,), {})
    with_impl = type(impl_class, (with_meta,), {})
    op = type(f"{impl_class}_functional", (Functional, with_impl), {})()
    _half(world, op, meta_class, "meta")(*arguments)
    output: Tensor | None = op.maybe_get_output(0)
    if output is None:
        raise TorchError("meta has made no iterator, and so there is no output")
    called: list[StubChoice] = []
    with told_to(world.stub_stories, called):
        _half(world, op, impl_class, "impl")(*arguments, output)
    if not called:
        raise TorchError("impl has filled nothing: no kernel was called")
    return output


def _half(world: World, op: Structured, of: str, name: str) -> Callable[..., object]:
    functions = world.members.get(f"{of}::{name}", ())
    if not functions:
        raise TorchError(f"there is no {of}::{name}")
    unknown = unknown_part(functions[-1], op)
    if unknown is not None:
        raise TorchError(f"{of}::{name} can't be run: nothing is known of `{unknown}`")
    return partial(run, functions[-1].call_on, op)
