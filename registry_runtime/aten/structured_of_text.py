"""A structured kernel whose two halves stand in a text, called though no operator leads to it.

torchgen would write the class below them, and the function that makes an object of it, calls `meta`,
and then `impl`. Here that is done for classes that have no such: the object's outputs are new tensors,
and both bodies are run on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from registry_runtime.aten.bodies import run
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.structured import IteratorObject
from registry_runtime.aten.stub.stub_choice import StubChoice, told_to
from registry_runtime.aten.tensor.tensor import Sizes, Tensor
from registry_runtime.aten.tensor.tensor_meta import TensorOptions, create_out
from registry_runtime.aten.tensor_iterator import TensorIteratorBase
from registry_runtime.aten.world import World
from registry_runtime.cxx import CxxClass, CxxFunction, unknown_part


class _Functional(IteratorObject):
    """The form that returns a new tensor."""

    made: Tensor | None = None

    def maybe_get_output(self, output_idx: int = 0) -> Tensor | None:
        return self.made

    def set_output_raw_strided(
        self, output_idx: int, sizes: Sizes, strides: Sizes, options: TensorOptions
    ) -> None:
        self.made = create_out(sizes, strides, options)
        # Afterwards, so that the iterator finds the output with maybe_get_output.
        TensorIteratorBase.set_output_raw_strided(self, output_idx, sizes, strides, options)


def call_structured(
    world: World, meta_class: str, impl_class: str, arguments: Sequence[Any]
) -> Tensor:
    """A new tensor, as `structured_sub_Tensor` describes and `structured_sub_CPU` fills it. Raises
    TorchError."""
    meta, impl = _half(world, meta_class, "meta"), _half(world, impl_class, "impl")
    of = CxxClass(impl.name.rpartition("::")[0], (), impl.span, impl.program)
    op = _Functional(of)
    for half in (meta, impl):
        unknown = unknown_part(half, op)
        if unknown is not None:
            name = "::".join(half.name.split("::")[-2:])
            raise TorchError(f"{name} can't be run: nothing is known of `{unknown}`")
    run(meta.call_on, op, *arguments)
    if op.made is None:
        raise TorchError("meta has made no iterator, and so there is no output")
    called: list[StubChoice] = []
    with told_to(world.stub_stories, called):
        run(impl.call_on, op, *arguments, op.made)
    if not called:
        raise TorchError("impl has filled nothing: no kernel was called")
    return op.made


def _half(world: World, of: str, name: str) -> CxxFunction:
    """The latest of the functions that texts define as a member of a class, in whatever namespace."""
    found = [
        function
        for full, functions in world.members.items()
        if f"::{full}".endswith(f"::{of}::{name}")
        for function in functions
    ]
    if not found:
        raise TorchError(f"there is no {of}::{name}")
    return found[-1]
