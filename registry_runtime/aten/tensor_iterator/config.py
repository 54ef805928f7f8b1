"""What an operator asks of its iterator: the operands, outputs first, and a handful of flags.

The flags are where operators differ. `add` lets its inputs meet in a common type and casts the
result; `neg` insists on one type; a comparison computes in the common type and writes bools.

Source: `aten/src/ATen/TensorIterator.h` and `.cpp` of PyTorch 2.13, whose configurations are macros:
each expansion is a fresh one, as each call is here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.device import Device
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Sizes, Tensor


@dataclass(slots=True)
class TensorIteratorConfig:
    """`at::TensorIteratorConfig`. An undefined output is None: the iterator allocates it.

    Flags, by what they let the iterator do:
    `check_mem_overlap` refuses outputs that overlap themselves or, in part, an input.
    `check_all_same_dtype` refuses operands of different types; promoting or casting turns it off.
    `check_all_same_device` refuses operands on different devices, and `allow_cpu_scalars` lets one
    0-dimensional CPU tensor join a kernel elsewhere.
    `promote_inputs_to_common_dtype` computes in the type that the inputs promote to;
    `promote_integer_inputs_to_float` makes that the default floating-point type for integers.
    `cast_common_dtype_to_outputs` lets an output have another type than the computation;
    `enforce_safe_casting_to_output` refuses one of a lower kind.
    `resize_outputs` resizes outputs of the wrong shape instead of refusing them.
    `enforce_linear_iteration` keeps C order, `is_reduction` lets outputs be smaller than the shape.
    """

    tensors: list[Tensor | None] = field(default_factory=list)
    num_outputs: int = 0
    const_tensor_indices: tuple[int, ...] = ()
    static_shape: Sizes | None = None
    static_dtype: ScalarType | None = None
    static_device: Device | None = None
    check_mem_overlap: bool = True
    allow_cpu_scalars: bool = False
    is_reduction: bool = False
    resize_outputs: bool = True
    check_all_same_dtype: bool = True
    check_all_same_device: bool = True
    enforce_safe_casting_to_output: bool = False
    enforce_linear_iteration: bool = False
    promote_inputs_to_common_dtype: bool = False
    promote_integer_inputs_to_float: bool = False
    cast_common_dtype_to_outputs: bool = False

    def __post_init__(self) -> None:
        if self.promote_inputs_to_common_dtype or self.cast_common_dtype_to_outputs:
            self.check_all_same_dtype = False

    def add_output(self, output: Tensor | None) -> TensorIteratorConfig:
        """One more output. Raises TorchError after an input was added."""
        if len(self.tensors) > self.num_outputs:
            raise TorchError(
                "Keep in mind that you have to add all outputs first before adding any input. For "
                "more details, see https://github.com/pytorch/pytorch/wiki/How-to-use-TensorIterator."
            )
        self.tensors.append(output)
        self.num_outputs += 1
        return self

    def add_input(self, tensor: Tensor) -> TensorIteratorConfig:
        """One more input."""
        self.tensors.append(tensor)
        return self

    def add_const_input(self, tensor: Tensor) -> TensorIteratorConfig:
        """One more input, which the kernel promises only to read."""
        self.const_tensor_indices += (len(self.tensors),)
        return self.add_input(tensor)

    def declare_static_dtype(self, dtype: ScalarType) -> TensorIteratorConfig:
        """Outputs that are undefined get this type. Raises TorchError with `check_all_same_dtype`."""
        if self.check_all_same_dtype:
            raise TorchError(
                "check_all_same_dtype(false) must be called before declare_static_dtype(...)"
            )
        self.static_dtype = dtype
        return self

    def declare_static_device(self, device: Device) -> TensorIteratorConfig:
        """Outputs that are undefined are made on this device."""
        self.static_device = device
        return self

    def declare_static_shape(
        self, shape: Sizes, squash_dims: tuple[int, ...] = ()
    ) -> TensorIteratorConfig:
        """Iterate over this shape, `squash_dims` reduced to 1, and check none of the operands'.

        Raises TorchError with `resize_outputs`, or for a dimension that the shape hasn't.
        """
        if self.resize_outputs:
            raise TorchError("resize_outputs() must be called before declare_static_shape(...)")
        sizes = list(shape)
        for dim in squash_dims:
            if not 0 <= dim < len(sizes):
                raise TorchError(f"squash_dim {dim} must be in [0, {len(sizes)}).")
            sizes[dim] = 1
        self.static_shape = tuple(sizes)
        return self


def BINARY_OP_CONFIG() -> TensorIteratorConfig:
    """What `add`, `sub`, `mul` … ask for."""
    return TensorIteratorConfig(
        allow_cpu_scalars=True,
        promote_inputs_to_common_dtype=True,
        cast_common_dtype_to_outputs=True,
        enforce_safe_casting_to_output=True,
    )


def BINARY_FLOAT_OP_CONFIG() -> TensorIteratorConfig:
    """As `BINARY_OP_CONFIG`, but integers become floating point: `div`, `atan2`."""
    return TensorIteratorConfig(
        allow_cpu_scalars=True,
        promote_inputs_to_common_dtype=True,
        cast_common_dtype_to_outputs=True,
        enforce_safe_casting_to_output=True,
        promote_integer_inputs_to_float=True,
    )


def UNARY_OP_CONFIG() -> TensorIteratorConfig:
    """What `neg`, `abs` … ask for: one type for input and output."""
    return TensorIteratorConfig()


def UNARY_FLOAT_OP_CONFIG() -> TensorIteratorConfig:
    """What `sin`, `exp` … ask for: integers become floating point."""
    return TensorIteratorConfig(
        promote_inputs_to_common_dtype=True,
        cast_common_dtype_to_outputs=True,
        enforce_safe_casting_to_output=True,
        promote_integer_inputs_to_float=True,
    )


def NULLARY_OP_CONFIG() -> TensorIteratorConfig:
    """What `fill_` and random numbers ask for: an output and no input."""
    return TensorIteratorConfig(check_all_same_dtype=False, resize_outputs=False)


def comparison_op_config(out: Tensor | None) -> TensorIteratorConfig:
    """What `eq`, `lt` … ask for: bools if the output is theirs to make, a cast if it isn't bool."""
    config = TensorIteratorConfig(
        allow_cpu_scalars=True,
        promote_inputs_to_common_dtype=True,
        cast_common_dtype_to_outputs=out is not None and out.dtype is not ScalarType.Bool,
    )
    return config if out is not None else config.declare_static_dtype(ScalarType.Bool)
