"""From an operator's name to a kernel's: the maps that joined Fluid to PHI.

`OpUtilsMap` holds two things of an operator: under which name PHI has it (`elementwise_add` is `add`),
and the function that maps its arguments. Who has no function gets a default signature, which was made
of the operator's own list of names, in its order.

The first registration of a name stays, and later ones are passed over in silence; only a second
default signature is an error. Source: `paddle/phi/core/compat/op_utils.h` of Paddle 3.3.1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from registry_runtime.phi.arg_map_context import ArgumentMappingContext, KernelSignature
from registry_runtime.phi.enforce import AlreadyExists, NotFound

ArgumentMappingFn = Callable[[ArgumentMappingContext], object]


def GradVarName(var_name: str) -> str:
    """The name of a variable's gradient: `Out@GRAD`."""
    return f"{var_name}@GRAD"


class OpUtilsMap:
    """`phi::OpUtilsMap`."""

    def __init__(self) -> None:
        self._fluid_op_to_phi_kernel: dict[str, str] = {}
        self._phi_kernel_to_fluid_op: dict[str, str] = {}
        self._arg_mapping_fns: dict[str, ArgumentMappingFn] = {}

    def Contains(self, op_type: str) -> bool:
        return op_type in self._fluid_op_to_phi_kernel or op_type in self._arg_mapping_fns

    def InsertBaseKernelName(self, op_type: str, base_kernel_name: str) -> None:
        self._fluid_op_to_phi_kernel.setdefault(op_type, base_kernel_name)

    def InsertFluidOplName(self, op_type: str, base_kernel_name: str) -> None:
        self._phi_kernel_to_fluid_op.setdefault(base_kernel_name, op_type)

    def HasArgumentMappingFn(self, op_type: str) -> bool:
        return op_type in self._arg_mapping_fns

    def InsertArgumentMappingFn(self, op_type: str, fn: ArgumentMappingFn) -> None:
        self._arg_mapping_fns.setdefault(op_type, fn)

    def GetBaseKernelName(self, op_type: str) -> str:
        """PHI's name for the operator, which is its own where nobody registered another."""
        return self._fluid_op_to_phi_kernel.get(op_type, op_type)

    def GetArgumentMappingFn(self, op_type: str) -> ArgumentMappingFn | None:
        return self._arg_mapping_fns.get(op_type)

    def fluid_op_to_phi_kernel(self) -> Mapping[str, str]:
        return self._fluid_op_to_phi_kernel

    def phi_kernel_to_fluid_op(self) -> Mapping[str, str]:
        return self._phi_kernel_to_fluid_op

    def clear(self) -> None:
        """Forget everything. Not in PHI, where nothing is taken back."""
        for held in (
            self._fluid_op_to_phi_kernel,
            self._phi_kernel_to_fluid_op,
            self._arg_mapping_fns,
        ):
            held.clear()


class DefaultKernelSignatureMap:
    """`phi::DefaultKernelSignatureMap`: for operators without a mapping function."""

    def __init__(self) -> None:
        self._map: dict[str, KernelSignature] = {}

    def Has(self, op_type: str) -> bool:
        return op_type in self._map

    def Get(self, op_type: str) -> KernelSignature:
        """Raises NotFound."""
        if op_type not in self._map:
            raise NotFound(f"Operator `{op_type}`'s kernel signature is not registered.")
        return self._map[op_type]

    def GetNullable(self, op_type: str) -> KernelSignature | None:
        return self._map.get(op_type)

    def Insert(self, op_type: str, signature: KernelSignature) -> None:
        """Raises AlreadyExists."""
        if op_type in self._map:
            raise AlreadyExists(f"Operator ({op_type})'s Kernel Signature has been registered.")
        self._map[op_type] = signature


# Operators of Fluid's first years whose names the API of 2.0 took for something else. While both
# lived, PHI had none of these for them: `matmul` the kernel is the operator `matmul_v2`. The list is
# gone from 3.3.1, which calls the old one `legacy_matmul`.
_DEPRECATED = """
    diag flatten flatten_grad isinf isnan unsqueeze unsqueeze_grad squeeze squeeze_grad isfinite fill
    matmul matmul_grad matmul_grad_grad max max_grad min min_grad prod prod_grad any all reshape
    reshape_grad expand expand_as expand_grad expand_as_grad one_hot top_k top_k_grad linear_interp
    linear_interp_grad bilinear_interp bilinear_interp_grad trilinear_interp trilinear_interp_grad
    nearest_interp nearest_interp_grad bicubic_interp bicubic_interp_grad crop crop_grad
    generate_proposals
"""
deprecated_op_names = frozenset(_DEPRECATED.split())
