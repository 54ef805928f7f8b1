"""Structured kernels: one description of the result, one computation, and three forms around them.

An operator such as `add` exists as `add` (new result), `add_` (into self) and `add.out`. PyTorch writes
two functions for all three: `meta` finds out what the result is, `impl` fills it in. The forms differ
in where the output comes from, and that is what a generated class overrides. For `add` on the CPU:

    MetaBase                               set_output_raw_strided, maybe_get_output: open
    TensorIteratorBase                     takes over the output that was set
    structured_add_Tensor                  meta
    structured_ufunc_add_CPU               impl
    structured_ufunc_add_CPU_functional    set_output_raw_strided makes the output

`meta` builds the iterator; on the way the iterator calls `set_output_raw_strided`, which lands in the
last class and comes back to the second one. So when `impl` runs, the object *is* the iterator over its
operands and hands itself to the stub.

The first two are here, and bound; the others are the text's, which says what they do. What Python's
part calls that a class may override, goes to the text's function.

Sources: torchgen's output for `add.Tensor` (`ATen/ops/add_meta.h`, `add_native.h`, `RegisterCPU.cpp`),
`torchgen/dest/register_dispatch_key.py`, `aten/src/ATen/TensorMeta.h`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from registry_runtime.aten.bodies import run
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.loops.vectorized_loop2d import LoopStory
from registry_runtime.aten.tensor.tensor import Sizes, Tensor
from registry_runtime.aten.tensor.tensor_meta import MetaBase, TensorOptions
from registry_runtime.aten.tensor_iterator import BuildStep, TensorIteratorBase
from registry_runtime.cxx import Base, Class, CxxClass, CxxFunction, CxxObject, NamedType, overrider


@dataclass
class StructuredStory:
    """What one structured kernel did, for those who want to see it.

    `form` is the generated class; `calls` are the functions of the chain in the order in which they
    were entered, and `entered` how many of the iterator's steps had been taken by then; `build` those
    steps; `loops` what the loops did.
    """

    form: str = ""
    calls: list[str] = field(default_factory=list)
    entered: list[int] = field(default_factory=list)
    build: list[BuildStep] = field(default_factory=list)
    loops: LoopStory = field(default_factory=LoopStory)


listening: ContextVar[list[StructuredStory] | None] = ContextVar("listening", default=None)


@contextmanager
def told_to(stories: list[StructuredStory]) -> Iterator[None]:
    """Inside, every structured kernel of this thread adds its story to `stories`."""
    token = listening.set(stories)
    try:
        yield
    finally:
        listening.reset(token)


class StructuredObject(CxxObject, MetaBase):
    """An object of a structured kernel's class: where the text overrides, its function runs."""

    told: StructuredStory | None = None

    def __init__(self, cxx_class: CxxClass) -> None:
        super().__init__(cxx_class)
        if (stories := listening.get()) is not None:
            self.told = StructuredStory(cxx_class.name.rpartition("::")[2])
            stories.append(self.told)

    def entering(self, function: CxxFunction) -> None:
        # Who returns something only looks.
        if self.told is not None and function.type and function.type.returns == NamedType("void"):
            self.told.calls.append("::".join(function.name.split("::")[-2:]))
            self.told.entered.append(len(self.told.build))

    def maybe_get_output(self, output_idx: int = 0) -> Tensor | None:
        output: Tensor | None = self._overridden("maybe_get_output", output_idx)
        return output

    def set_output_raw_strided(
        self, output_idx: int, sizes: Sizes, strides: Sizes, options: TensorOptions
    ) -> None:
        self._set_output("set_output_raw_strided", output_idx, sizes, strides, options)

    def set_output_strided(
        self, output_idx: int, sizes: Sizes, strides: Sizes, options: TensorOptions
    ) -> None:
        self._set_output("set_output_strided", output_idx, sizes, strides, options)

    def _set_output(self, name: str, *values: object) -> None:
        # torchgen's overriders take names for the dimensions, of which a tensor has none here.
        if overrider(self.cxx_class, name, len(values)) is None:
            named = overrider(self.cxx_class, name, len(values) + 1)
            if named is not None:
                run(named.call_on, self, *values, ())
                return
        self._overridden(name, *values)

    def _overridden(self, name: str, *values: object) -> Any:
        function = overrider(self.cxx_class, name, len(values))
        if function is None:
            return getattr(super(), name)(*values)
        return run(function.call_on, self, *values)


class IteratorObject(StructuredObject, TensorIteratorBase):
    """One of a class that is an iterator, as those of all elementwise operators are."""

    loop_story: LoopStory | None = None  # where `cpu_kernel_vec` looks for one

    def __init__(self, cxx_class: CxxClass) -> None:
        super().__init__(cxx_class)
        if self.told is not None:
            self.story, self.loop_story = self.told.build, self.told.loops


_SET_OUTPUT = (
    "void (int64_t, IntArrayRef, IntArrayRef, TensorOptions)",
    "void (int64_t, IntArrayRef, IntArrayRef, TensorOptions, DimnameList)",  # as in PyTorch
)
_VIRTUAL = {
    "maybe_get_output": ("const Tensor& (int64_t)",),
    "set_output_raw_strided": _SET_OUTPUT,
    "set_output_strided": _SET_OUTPUT,
}


def _abstract(*values: object) -> object:
    raise TorchError("nothing is an object of this class: it is one to derive from")


# The classes that a text's may be derived from.
BASES: Mapping[str, Class] = {
    name: Class(
        _abstract, registers=False, base=Base(make, _VIRTUAL, frozenset({"maybe_get_output"}))
    )
    for name, make in (
        ("at::impl::MetaBase", StructuredObject),
        ("at::TensorIteratorBase", IteratorObject),
    )
}
