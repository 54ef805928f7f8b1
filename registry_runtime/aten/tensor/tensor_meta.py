"""`at::impl::MetaBase`: where an operator's `meta` puts what it found out about the outputs.

`meta` computes sizes, strides and type and never allocates: it calls `set_output_raw_strided`, which
somebody below fills in. The functional form of an operator makes a new tensor there, the in-place
form checks the tensor that it has, the `out=` form resizes the one that was passed.

Source: `aten/src/ATen/TensorMeta.h`, `c10/core/TensorOptions.h` of PyTorch 2.13.
"""

from __future__ import annotations

from typing import NamedTuple

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.contiguity import (
    MemoryFormat,
    channels_last_strides,
    contiguous_strides,
)
from registry_runtime.aten.tensor.device import CPU, Device
from registry_runtime.aten.tensor.resize import resize_output
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Sizes, Tensor, empty_strided


class TensorOptions(NamedTuple):
    """`c10::TensorOptions`, as far as an output needs it."""

    dtype: ScalarType
    device: Device = CPU
    memory_format: MemoryFormat | None = None

    def strides_of(self, sizes: Sizes) -> Sizes:
        """The strides of a tensor of these sizes in the memory format; contiguous without one."""
        if self.memory_format in (None, MemoryFormat.Contiguous):
            return contiguous_strides(sizes)
        return channels_last_strides(sizes)


class MetaBase:
    """What a structured kernel's `meta` may call."""

    def maybe_get_output(self, output_idx: int = 0) -> Tensor | None:
        """The output that the caller gave, or that has been set; None if there is none yet."""
        raise NotImplementedError

    def set_output_strided(
        self, output_idx: int, sizes: Sizes, strides: Sizes, options: TensorOptions
    ) -> None:
        """Say what output `output_idx` is, for a kernel that needs exactly these strides."""
        raise TorchError("set_output_strided not implemented.")

    def set_output_raw_strided(
        self, output_idx: int, sizes: Sizes, strides: Sizes, options: TensorOptions
    ) -> None:
        """Say what output `output_idx` is, for a kernel that works with any strides.

        `strides` (in elements; () means those of `options`) are taken only for a tensor that is
        new or resized.
        """
        raise TorchError("set_output_strided not implemented.")


def create_out(sizes: Sizes, strides: Sizes, options: TensorOptions) -> Tensor:
    """The new output of a functional operator; `strides` () means those of `options`."""
    if not strides:
        strides = options.strides_of(sizes)
    if len(sizes) != len(strides):
        raise TorchError(
            f"mismatch in length of strides and shape: {len(strides)} strides for {len(sizes)} sizes"
        )
    return empty_strided(sizes, strides, options.dtype, options.device)


def resize_out(out: Tensor, sizes: Sizes, strides: Sizes, options: TensorOptions) -> None:
    """Give the tensor passed as `out=` its sizes; its strides too, if it had to be resized.

    Raises TorchError for one of another type or device than `options`.
    """
    for what, wanted, got in (
        ("dtype", options.dtype.cpp, out.dtype.cpp),
        ("device", options.device, out.device),
    ):
        if wanted != got:
            raise TorchError(f"Expected out tensor to have {what} {wanted}, but got {got} instead")
    if resize_output(out, sizes):
        restride(out, strides, options)


def restride(tensor: Tensor, strides: Sizes, options: TensorOptions) -> None:
    """Give a tensor that was just resized these strides, or those of its memory format."""
    if strides:
        tensor.as_strided_(tensor.sizes, strides)
    elif options.memory_format is not None:
        tensor.as_strided_(tensor.sizes, options.strides_of(tensor.sizes))


def check_inplace(tensor: Tensor, sizes: Sizes, options: TensorOptions) -> None:
    """Raises TorchError if an in-place operator's result isn't what the tensor is."""
    for what, own, result in (
        ("dtype", tensor.dtype.cpp, options.dtype.cpp),
        ("device", tensor.device, options.device),
        ("size", list(tensor.sizes), list(sizes)),
    ):
        if own != result:
            raise TorchError(
                f"Bad in-place call: input tensor {what} {own} and output tensor {what} {result} "
                "should match"
            )
