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
last class and comes back to the second one by way of `super()`. So when `impl` runs, the object *is*
the iterator over its operands and hands itself to the stub.

Sources: torchgen's output for `add.Tensor` (`ATen/ops/add_meta.h`, `add_native.h`, `RegisterCPU.cpp`),
`torchgen/dest/register_dispatch_key.py`, `aten/src/ATen/native/BinaryOps.cpp`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from registry_runtime.aten.loops.vectorized_loop2d import LoopStory
from registry_runtime.aten.tensor.alpha_check import alpha_check
from registry_runtime.aten.tensor.copy import copy_
from registry_runtime.aten.tensor.device import DeviceType
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.tensor import Sizes, Tensor, empty_strided
from registry_runtime.aten.tensor.tensor_meta import (
    TensorOptions,
    check_inplace,
    create_out,
    resize_out,
)
from registry_runtime.aten.tensor_iterator import BuildStep, TensorIteratorBase

AddStub = Callable[[DeviceType, TensorIteratorBase, Scalar], None]
AddKernel = Callable[[TensorIteratorBase, Scalar], None]


@dataclass
class StructuredStory:
    """What one structured kernel did, for those who want to see it.

    `form` is the generated class; `calls` are the functions of the chain in the order in which they
    were entered; `build` the iterator's steps; `loops` what the loops did.
    """

    form: str = ""
    calls: list[str] = field(default_factory=list)
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


class Structured(TensorIteratorBase):
    """What the objects of every structured kernel have: they tell what they do."""

    told: StructuredStory | None = None
    loop_story: LoopStory | None = None  # where `cpu_kernel_vec` looks for one

    def tell(self) -> None:
        """Record what this object does, if somebody is listening."""
        if (stories := listening.get()) is not None:
            self.told = told = StructuredStory(type(self).__name__)
            self.story, self.loop_story = told.build, told.loops
            stories.append(told)

    def enter(self, where: str) -> None:
        if self.told is not None:
            self.told.calls.append(where)


class structured_add_Tensor(Structured):
    """`at::meta::structured_add_Tensor`: what `add` of two tensors is, on any device."""

    def meta(self, self_: Tensor, other: Tensor, alpha: Scalar) -> None:
        """`TORCH_META_FUNC2(add, Tensor)`. Raises TorchError for what `add` can't do."""
        self.enter("structured_add_Tensor::meta")
        self.build_borrowing_binary_op(self.maybe_get_output(), self_, other)
        alpha_check(self.dtype(), alpha)


class structured_ufunc_add_CPU(structured_add_Tensor):
    """`at::native::structured_ufunc_add_CPU`; `add_stub` is the object of that name in C++."""

    add_stub: AddStub  # set on the object, as each world has its own

    def impl(self, self_: Tensor, other: Tensor, alpha: Scalar, out: Tensor) -> None:
        """`TORCH_IMPL_FUNC(ufunc_add_CPU)`: all that it needs is the iterator, which it is."""
        self.enter("structured_ufunc_add_CPU::impl")
        self.add_stub(self.device_type(), self, alpha)


class Functional(Structured):
    """Overrides of the form that returns a new tensor."""

    def __init__(self) -> None:
        self.outputs_: list[Tensor | None] = [None]

    def maybe_get_output(self, output_idx: int = 0) -> Tensor | None:
        return self.outputs_[output_idx]

    def set_output_raw_strided(
        self, output_idx: int, sizes: Sizes, strides: Sizes, options: TensorOptions
    ) -> None:
        self.enter(f"{type(self).__name__}::set_output_raw_strided")
        self.outputs_[output_idx] = create_out(sizes, strides, options)
        # Afterwards, so that the iterator finds the output with maybe_get_output.
        super().set_output_raw_strided(output_idx, sizes, strides, options)

    set_output_strided = set_output_raw_strided


class _Given(Structured):
    """Overrides of the two forms whose output the caller gave."""

    def __init__(self, output: Tensor) -> None:
        self.outputs_ = [output]
        self.proxy_outputs_: list[Tensor | None] = [None]

    def maybe_get_output(self, output_idx: int = 0) -> Tensor | None:
        proxy = self.proxy_outputs_[output_idx]
        return self.outputs_[output_idx] if proxy is None else proxy

    def check(self, output: Tensor, sizes: Sizes, strides: Sizes, options: TensorOptions) -> None:
        raise NotImplementedError

    def set_output_raw_strided(
        self, output_idx: int, sizes: Sizes, strides: Sizes, options: TensorOptions
    ) -> None:
        self.enter(f"{type(self).__name__}::set_output_raw_strided")
        self.check(self.outputs_[output_idx], sizes, strides, options)
        super().set_output_raw_strided(output_idx, sizes, strides, options)

    def set_output_strided(
        self, output_idx: int, sizes: Sizes, strides: Sizes, options: TensorOptions
    ) -> None:
        """For a kernel that needs these very strides: a proxy takes the place of other ones."""
        output = self.outputs_[output_idx]
        self.check(output, sizes, strides, options)
        self.proxy_outputs_[output_idx] = maybe_create_proxy(output, sizes, strides, options)
        super().set_output_raw_strided(output_idx, sizes, strides, options)

    def copy_proxies(self) -> None:
        """What the wrapper does last: a proxy's elements go to the output itself."""
        for output, proxy in zip(self.outputs_, self.proxy_outputs_, strict=True):
            if proxy is not None:
                copy_(output, proxy)


class _Out(_Given):
    def check(self, output: Tensor, sizes: Sizes, strides: Sizes, options: TensorOptions) -> None:
        resize_out(output, sizes, strides, options)


class _Inplace(_Given):
    def check(self, output: Tensor, sizes: Sizes, strides: Sizes, options: TensorOptions) -> None:
        check_inplace(output, sizes, options)


class structured_ufunc_add_CPU_functional(Functional, structured_ufunc_add_CPU):
    """`add.Tensor`."""


class structured_ufunc_add_CPU_out(_Out, structured_ufunc_add_CPU):
    """`add.out`."""


class structured_ufunc_add_CPU_inplace(_Inplace, structured_ufunc_add_CPU):
    """`add_.Tensor`."""


class structured_ufunc_add_CUDA(structured_add_Tensor):
    """`at::native::structured_ufunc_add_CUDA`: calls its kernel without asking a stub.

    There is nothing to choose on CUDA. `add_kernel` is the function that the file also registers.
    """

    add_kernel: AddKernel

    def impl(self, self_: Tensor, other: Tensor, alpha: Scalar, out: Tensor) -> None:
        """`TORCH_IMPL_FUNC(ufunc_add_CUDA)`."""
        self.enter("structured_ufunc_add_CUDA::impl")
        self.add_kernel(self, alpha)


class structured_ufunc_add_CUDA_functional(Functional, structured_ufunc_add_CUDA):
    """`add.Tensor` on CUDA."""


class structured_ufunc_add_CUDA_out(_Out, structured_ufunc_add_CUDA):
    """`add.out` on CUDA."""


class structured_ufunc_add_CUDA_inplace(_Inplace, structured_ufunc_add_CUDA):
    """`add_.Tensor` on CUDA."""


class structured_add_Tensor_meta_functional(Functional, structured_add_Tensor):
    """`add.Tensor` on meta: `meta` is all of it."""


class structured_add_Tensor_meta_out(_Out, structured_add_Tensor):
    """`add.out` on meta."""


class structured_add_Tensor_meta_inplace(_Inplace, structured_add_Tensor):
    """`add_.Tensor` on meta."""


def maybe_create_proxy(
    output: Tensor, sizes: Sizes, strides: Sizes, options: TensorOptions
) -> Tensor | None:
    """A tensor with these strides, unless `output` has them."""
    if output.strides == strides:
        return None
    return empty_strided(sizes, strides, options.dtype, options.device)
