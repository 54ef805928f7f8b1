"""Whether a class kernel runs, found out without building what it hands the arithmetic to.

A body that names nothing unknown may still ask for an input that the operator hasn't, or leave an
output without memory. So its operator is called as `unfold run` calls it, on a few made-up elements:
names, InferShape and the choice of a kernel are the call's own, and `Compute` is interpreted. Only what
it hands on to Python isn't launched, for that would have to be compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from registry_runtime.fluid.native import checking
from registry_runtime.fluid.op_kernel_type import OpKernelType
from registry_runtime.fluid.run_op import tell_op
from registry_runtime.lab.fluid.trial import operands, template_of
from registry_runtime.lab.refused import Refused
from registry_runtime.phi.data_type import trans_to_phi_data_type
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.place import AllocationType

if TYPE_CHECKING:
    from registry_runtime.fluid.registered import Registration
    from registry_runtime.fluid.runtime import Runtime

_SIZE = 2


def dry_run(fluid: Runtime, registration: Registration) -> Mapping[str, str]:
    """By the kernel's data type, why it isn't run, or nothing where it is. Empty for what can't be
    tried by itself: a device's kernel, one whose operator is in another file, and one that nobody can
    make data for."""
    op_type, key = registration.op_type, registration.key
    if not registration.runnable or not isinstance(key, OpKernelType):
        return {}
    is_known = fluid.op_info_map.Has(op_type) and template_of(fluid, op_type) is not None
    if key.place.type is not AllocationType.CPU or not is_known:
        return {}
    return {str(trans_to_phi_data_type(key.data_type)): _refusal(fluid, registration, key)}


def _refusal(fluid: Runtime, registration: Registration, key: OpKernelType) -> str:
    op_type = registration.op_type
    if fluid.op_kernels.get(op_type, {}).get(key) is not registration.entered:
        return "another registration has taken its place"
    dtype = str(trans_to_phi_data_type(key.data_type))
    try:
        given = operands(fluid, op_type, dtype, _SIZE)
        with checking():
            story = tell_op(fluid, op_type, given.inputs, given.attrs)
    except KernelError as error:
        return Refused.of(error)
    if story.error is not None:
        return Refused.of(story.error)
    chosen = [step.fact for step in story.steps if step.kind == "kernel"]
    return "" if registration.entered in chosen else "calls of it lead to another kernel"
