"""How a call of one of Fluid's operators finds its kernel, told: each place that is looked in.

Two registries may have it. PHI is asked first, under the three members that are left of the key; what
PHI has no kernel for is looked up in AllOpKernels(), where all five members count. What is told here
is worked out from the key alone: nothing is run, and where a mapping must be asked which kernel it is,
it is asked about a call with dense tensors under all the names that an operator must have.

Source: `OperatorWithKernel::RunImpl` and `ChooseKernel` in `paddle/fluid/framework/operator.cc`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from registry_runtime.fluid.op_kernel_type import (
    ClassKernel,
    LibraryType,
    OpKernelType,
    VarType,
)
from registry_runtime.fluid.operator_with_kernel import choose_kernel
from registry_runtime.fluid.phi_choice import has_compatible_phi_kernel, signature_of_all_names
from registry_runtime.phi.backend import Backend
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import trans_to_proto_var_type
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.op_utils import deprecated_op_names
from registry_runtime.phi.place import TransToPhiPlace

if TYPE_CHECKING:
    from registry_runtime.fluid.runtime import Runtime
    from registry_runtime.phi.arg_map_context import KernelSignature


@dataclass(frozen=True, slots=True)
class Selection:
    """How a key was looked for. `kernel` is Fluid's or PHI's, or None, and then `error` says why."""

    op_type: str
    key: OpKernelType
    steps: tuple[str, ...]
    kernel: ClassKernel | Kernel | None
    on_cpu_instead: bool = False
    error: str = ""

    @property
    def outcome(self) -> str:
        """`found in Fluid`, `found in PHI`, `fell back to PHI's for the CPU` or `not found`."""
        if self.kernel is None:
            return "not found"
        if self.on_cpu_instead:
            return "fell back to PHI's for the CPU"
        return f"found in {'Fluid' if isinstance(self.kernel, ClassKernel) else 'PHI'}"

    @property
    def function(self) -> str:
        """The class or the function that computes; empty if there is none."""
        if isinstance(self.kernel, Kernel):
            return self.kernel.fn.name
        return str(self.kernel or "")


def explain_selection(fluid: Runtime, op_type: str, key: OpKernelType) -> Selection:
    """The way of a call for which `GetExpectedKernelType` gives this key."""
    steps: list[str] = []
    try:
        kernel, instead = _look(fluid, op_type, key, steps.append)
    except (EnforceNotMet, OpError) as error:
        kind = f"({type(error).__name__}) " if isinstance(error, EnforceNotMet) else ""
        hint = f"; {error.hint}" if isinstance(error, EnforceNotMet) and error.hint else ""
        return Selection(op_type, key, tuple(steps), None, error=f"{kind}{error}{hint}")
    return Selection(op_type, key, tuple(steps), kernel, instead)


def op_kernel_type(fluid: Runtime, key: KernelKey) -> OpKernelType:
    """The key that PHI's was made of: `TransOpKernelTypeToPhiKernelKey`, backwards.

    Raises EnforceNotMet for a backend that has no place, and ValueError for a data type that Fluid
    doesn't have.
    """
    library = _LIBRARIES.get(key.backend, LibraryType.kPlain)
    layout = DataLayout.kMKLDNN if library is LibraryType.kMKLDNN else key.layout
    try:
        data_type = VarType(trans_to_proto_var_type(key.dtype))
    except (KeyError, ValueError):
        raise ValueError(f"Fluid has no data type for {key.dtype}") from None
    place = TransToPhiPlace(key.backend, fluid.phi.devices)
    return OpKernelType(data_type, place, layout, library)


_LIBRARIES = {
    Backend.GPUDNN: LibraryType.kCUDNN,
    Backend.ONEDNN: LibraryType.kMKLDNN,
    Backend.KPS: LibraryType.kKP,
}


def _look(
    fluid: Runtime, op_type: str, key: OpKernelType, tell: Callable[[str], None]
) -> tuple[ClassKernel | Kernel, bool]:
    info = fluid.op_info_map.GetNullable(op_type)
    if info is None:
        tell(f"OpInfoMap has no operator {op_type}: a call by that name ends here")
    elif info.op_class is None:
        tell(f"OpInfoMap has {op_type}, and no class to make it of")
    else:
        override = info.op_class.method("GetExpectedKernelType")
        by = override.name if override else "the inputs' data type and the place, by default"
        tell(f"OpInfoMap has {op_type}, of class {info.op_class}; its key is made by {by}")
    fluid.op_info_map.Get(op_type).Creator(op_type)  # which raises what such a call meets
    kernels = fluid.op_kernels.get(op_type, {})
    signature = _signature(fluid, op_type, tell)
    if signature is not None:
        name, phi_key = signature.name, key.phi_kernel_key(fluid.phi.devices)
        tell(f"of {key} PHI keeps {phi_key}")
        found = fluid.phi.factory.SelectKernel(name, phi_key)
        tell(f"KernelFactory has {'the' if found else 'no'} kernel `{name}` for that")
        if found is not None:
            return found, False
        if not kernels:
            result = fluid.phi.factory.SelectKernelOrThrowError(name, phi_key, False, tell)
            return result.kernel, result.has_fallback_cpu
    there = "no kernels" if not kernels else f"{len(kernels)} kernel{'s' * (len(kernels) > 1)}"
    tell(f"AllOpKernels() has {there} of {op_type}; all five members of the key count there")
    return choose_kernel(op_type, fluid.op_kernels, key), False


def _signature(fluid: Runtime, op_type: str, tell: Callable[[str], None]) -> KernelSignature | None:
    """Which kernel of PHI's the operator goes to; None where PHI isn't asked."""
    if op_type in deprecated_op_names:
        tell(f"the old meaning of the name {op_type} was never PHI's")
        return None
    if not has_compatible_phi_kernel(fluid, op_type):
        tell(f"PHI has no kernel {op_type} and no argument mapping for it: only Fluid is asked")
        return None
    signature = signature_of_all_names(fluid, op_type)
    by = (
        "its argument mapping"
        if fluid.phi.op_utils.Contains(op_type)
        else "its maker's names, in their order"
    )
    tell(f"PHI is asked first: {by} gives the signature {signature}")
    return signature
