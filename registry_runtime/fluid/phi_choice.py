"""Whether PHI has the kernel of an operator's call: what is asked before any kernel of Fluid's.

A kernel moves to PHI alone, without its operator. So each call asks: is there a kernel of the
operator's name, or a mapping that says which it is? Then which signature, and which kernel under the
three members that PHI keeps of the key? What PHI can't do is Fluid's, if Fluid has a kernel for just
this key; and if it has none for the operator at all, PHI's kernel for the CPU is taken.

Source: `OperatorWithKernel::RunImpl` and `ChoosePhiKernel` in `paddle/fluid/framework/operator.cc`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from registry_runtime.cxx import CxxFunction
from registry_runtime.fluid.execution_context import RuntimeContext
from registry_runtime.fluid.name_check import operator_names
from registry_runtime.fluid.op_info import OpInfo
from registry_runtime.fluid.op_kernel_type import OpKernelType
from registry_runtime.fluid.op_story import Step, Tell
from registry_runtime.phi.arg_map_context import KernelSignature
from registry_runtime.phi.call.op_call import Blame, OpError, not_registered
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.op_utils import deprecated_op_names
from registry_runtime.phi.place import CPU_PLACE, Place

if TYPE_CHECKING:
    from registry_runtime.fluid.runtime import Runtime


@dataclass(frozen=True, slots=True)
class PhiChoice:
    """A kernel of PHI's, the place where it runs, and the signature that puts the operator's names into
    its order; `blame` knows where that was said."""

    kernel: Kernel
    place: Place
    signature: KernelSignature
    blame: Blame


def has_compatible_phi_kernel(fluid: Runtime, op_type: str) -> bool:
    """`KernelFactory::HasCompatiblePhiKernel` as it was while Fluid's operators lived.

    The old meaning of a deprecated name was never PHI's.
    """
    if op_type in deprecated_op_names:
        return False
    phi = fluid.phi
    return phi.op_utils.Contains(op_type) or phi.factory.HasCompatiblePhiKernel(op_type)


def choose_phi_kernel(
    fluid: Runtime, info: OpInfo, call: RuntimeContext, key: OpKernelType, tell: Tell
) -> PhiChoice | None:
    """None where Fluid is asked. Raises OpError for a signature that can't be made, or that names a
    kernel that nobody registered, and NotFound where neither PHI nor Fluid has a kernel for the key."""
    op_type = call.op_type
    if not has_compatible_phi_kernel(fluid, op_type):
        return None
    signature, blame = phi_signature(fluid, info, call)
    tell(Step("signature", str(signature), signature))
    factory, fluid_kernels = fluid.phi.factory, fluid.op_kernels.get(op_type, {})
    if signature.name not in factory.kernels:
        if key not in fluid_kernels:
            error = not_registered(op_type, signature, blame, factory.kernels)
            at = fluid.phi.base_name_place(op_type) if blame.by_maker else None
            raise error if at is None else OpError(str(error), *at)
        said = f"PHI has no kernel `{signature.name}`, so Fluid is asked"
        tell(Step("kernel", said, None))
        return None
    phi_key = key.phi_kernel_key(fluid.phi.devices)
    kernel, place = factory.SelectKernel(signature.name, phi_key), key.place
    if kernel is not None:
        tell(Step("kernel", f"PHI has a kernel `{signature.name}` for {phi_key}", kernel))
    elif fluid_kernels:
        said = f"PHI has no kernel `{signature.name}` for {phi_key}, so Fluid is asked"
        tell(Step("kernel", said, None))
        return None
    else:
        result = factory.SelectKernelOrThrowError(signature.name, phi_key)
        kernel = result.kernel
        if result.has_fallback_cpu:
            place = CPU_PLACE
        instead = "for the CPU" if result.has_fallback_cpu else "without that library"
        said = f"PHI has no kernel `{signature.name}` for {phi_key}, and its own {instead} is taken"
        tell(Step("kernel", said, kernel))
    return PhiChoice(kernel, place, signature, blame)


def phi_signature(
    fluid: Runtime, info: OpInfo, call: RuntimeContext, *, for_infer_shape: bool = False
) -> tuple[KernelSignature, Blame]:
    """The mapping's signature for this call, or the maker's. Raises OpError."""
    op_type = call.op_type
    signature = fluid.phi.op_signature(
        op_type,
        inputs=call.inputs,
        attrs=call.attrs,
        outputs=dict.fromkeys(call.outputs, DenseTensor),
        is_for_infer_shape=for_infer_shape,
        default=fluid.default_signature(op_type),
    )
    fn = fluid.phi.argument_mapping_fn(op_type)
    if isinstance(fn, CxxFunction):
        return signature, Blame(signature, fn.program.source.text)
    text = info.op_class.program.source.text if info.op_class else ""
    return signature, Blame(signature, text, by_maker=True)


def signature_of_all_names(fluid: Runtime, op_type: str) -> KernelSignature:
    """The signature of a made-up call, with a dense tensor under each of the operator's names, and its
    attributes as they are by default. Raises OpError."""
    names = operator_names(fluid.world, op_type)
    info = fluid.op_info_map.Get((names.forward if names else "") or op_type)
    return fluid.phi.op_signature(
        op_type,
        inputs={} if names is None else {name: DenseTensor() for name in names.inputs},
        attrs={} if info.checker is None else info.checker.GetDefaultAttrsMap(),
        outputs=None if names is None else dict.fromkeys(names.outputs, DenseTensor),
        default=fluid.default_signature(op_type),
    )
