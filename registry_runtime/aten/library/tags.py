"""What PyTorch may be told of an operator besides its schema (`aten/src/ATen/native/tags.yaml`)."""

from __future__ import annotations

from enum import IntEnum, auto


class Tag(IntEnum):
    """`at::Tag`, in the order of PyTorch 2.13."""

    core = 0
    cudagraph_unsafe = auto()
    data_dependent_output = auto()
    dynamic_output_shape = auto()
    flexible_layout = auto()
    generated = auto()
    inplace = auto()
    inplace_view = auto()
    maybe_aliasing_or_mutating = auto()
    needs_contiguous_strides = auto()
    needs_exact_strides = auto()
    needs_fixed_stride_order = auto()
    nondeterministic_bitwise = auto()
    nondeterministic_seeded = auto()
    out = auto()
    out_variant = auto()
    pointwise = auto()
    pt2_compliant_tag = auto()
    reduction = auto()
    view_copy = auto()

    def __str__(self) -> str:
        return self.name
