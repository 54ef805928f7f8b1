"""An operator called by names, in the world where Fluid's kernels and PHI's stand side by side.

What Paddle did from 2022 on, with every operator (`OperatorWithKernel::RunImpl`): if PHI has a kernel
of the operator's name, or its argument mapping, PHI is asked first; for a key that PHI has no kernel
for, Fluid's own are. Either way the operator's own class says under which key to look and what comes
out, so that a program doesn't notice which of its operators have moved.

    key          GetExpectedKernelType
    kernel       the operator's signature and KernelFactory, or else AllOpKernels()
    shapes       InferShape, or the functor that calls PHI's InferMeta
    launch       a function of PHI's gets its arguments in order; a class gets the ExecutionContext

An operator that only PHI knows has no class, and goes straight to PHI (`phi.call.op_call`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from registry_runtime.cxx import CxxClass, CxxError, name_span
from registry_runtime.fluid.blame import registered_as, told
from registry_runtime.fluid.call_variables import Wanted, call_variables, place_of
from registry_runtime.fluid.compute import declared_only, refused, run_compute
from registry_runtime.fluid.execution_context import ExecutionContext, RuntimeContext, no_such_name
from registry_runtime.fluid.infer_shape_context import InferShapeContext
from registry_runtime.fluid.name_check import missing_reads
from registry_runtime.fluid.op_info import OperatorObject, OpInfo
from registry_runtime.fluid.op_kernel_type import ClassKernel, OpKernelType
from registry_runtime.fluid.op_story import OpStory, Step, Tell
from registry_runtime.fluid.operator_with_kernel import (
    choose_kernel,
    expected_kernel_type,
    infer_shape,
)
from registry_runtime.fluid.phi_choice import (
    PhiChoice,
    choose_phi_kernel,
    has_compatible_phi_kernel,
    phi_signature,
)
from registry_runtime.phi.arg_map_context import KernelSignature
from registry_runtime.phi.call.op_call import OpError, check_sizes
from registry_runtime.phi.contexts import context_for
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import NotFound
from registry_runtime.phi.kernel import KernelRegisteredType
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.place import Place

if TYPE_CHECKING:
    from registry_runtime.fluid.runtime import Runtime

__all__ = ["OpStory", "Step", "infer_op", "run_op", "tell_op"]


def run_op(
    fluid: Runtime,
    op_type: str,
    inputs: Mapping[str, Any],
    attrs: Mapping[str, Any] | None = None,
    outputs: Wanted = None,
    tell: Tell = lambda step: None,
) -> dict[str, Any]:
    """Call an operator: `inputs` are arrays, tensors, or lists of them, under the operator's names.

    `outputs` are the names that are wanted, or how many tensors under each; by default all that the
    maker lists, or for a gradient those that the grad op maker of its operator writes. Returns the
    outputs under their names, as arrays, or lists of them; on a plug-in's device as DenseTensors.
    Raises OpError, with the token of the text that is to blame if one is, and KernelError for what a
    kernel refuses that no text registered.
    """
    info = fluid.op_info_map.GetNullable(op_type)
    if (info is None or info.op_class is None) and has_compatible_phi_kernel(fluid, op_type):
        kinds = None if outputs is None else dict.fromkeys(outputs, DenseTensor)
        return fluid.phi.call_op(op_type, inputs, attrs, kinds)
    info, op = _created(fluid, op_type)
    call = call_variables(fluid, info, op_type, inputs, attrs or {}, outputs)
    with told(op_type, op.cxx_class):
        ctx = ExecutionContext(call, context_for(place_of(call.inputs)))
        key = expected_kernel_type(op, ctx)
        tell(Step("key", f"{op_type} is looked for under {key}", key))
        chosen = choose_phi_kernel(fluid, info, call, key, tell)
        kernel = None if chosen is not None else _fluid_kernel(fluid, op, key, tell)
        on = ExecutionContext(call, context_for(chosen.place if chosen else key.place))
        _infer_shape(fluid, op, info, call, tell)
        if kernel is not None:
            with registered_as(op_type, kernel.kernel_type):
                _check_reads(fluid, kernel.kernel_type, on)
                _run_class(kernel.kernel_type, on, tell)
        elif chosen is not None:
            with registered_as(op_type, chosen.kernel.function or op.cxx_class):
                _run_phi(fluid, chosen, on, tell)
    return {name: _result(found) for name, found in call.outputs.items()}


def tell_op(
    fluid: Runtime,
    op_type: str,
    inputs: Mapping[str, Any],
    attrs: Mapping[str, Any] | None = None,
    outputs: Sequence[str] | None = None,
) -> OpStory:
    """Make the call and tell each step; an error is part of the story."""
    steps: list[Step] = []
    try:
        made = run_op(fluid, op_type, inputs, attrs, outputs, steps.append)
    except KernelError as error:
        return OpStory(op_type, tuple(steps), error=error)
    return OpStory(op_type, tuple(steps), made)


def infer_op(
    fluid: Runtime,
    op_type: str,
    inputs: Mapping[str, Any],
    attrs: Mapping[str, Any] | None = None,
    outputs: Sequence[str] | None = None,
    *,
    is_runtime: bool = True,
) -> dict[str, Any]:
    """What an operator's outputs look like, by its InferShape: MetaTensors by their names.

    Inputs may be MetaTensors too, whose dims may be -1 if not `is_runtime`. Raises OpError.
    """
    info, op = _created(fluid, op_type)
    call = call_variables(fluid, info, op_type, inputs, attrs or {}, outputs, meta=True)
    with told(op_type, op.cxx_class):
        _infer_shape(fluid, op, info, call, lambda step: None, is_runtime)
    return {n: found[0] if len(found) == 1 else list(found) for n, found in call.outputs.items()}


def _created(fluid: Runtime, op_type: str) -> tuple[OpInfo, OperatorObject]:
    with told(op_type, None):
        info = fluid.op_info_map.Get(op_type)
        return info, info.Creator(op_type)


def _result(found: Sequence[Any]) -> Any:
    results = [one if one is None or one.held_at is not None else one.data for one in found]
    return results[0] if len(results) == 1 else results


# --- The kernel and the shapes --------------------------------------------------------------------


def _fluid_kernel(fluid: Runtime, op: OperatorObject, key: OpKernelType, tell: Tell) -> ClassKernel:
    kernels = fluid.op_kernels.get(op.type, {})
    classes = [(k.place.type is key.place.type, one.kernel_type) for k, one in kernels.items()]
    # Where a kernel is missing, it is missing in the list of those that there are.
    listed: CxxClass = next(
        (of for on_this_place in (True, False) for there, of in classes if there is on_this_place),
        op.cxx_class,
    )
    with registered_as(op.type, listed):
        kernel = choose_kernel(op.type, fluid.op_kernels, key)
    tell(Step("kernel", f"Fluid has {kernel} under that key", kernel))
    return kernel


def _infer_shape(
    fluid: Runtime,
    op: OperatorObject,
    info: OpInfo,
    call: RuntimeContext,
    tell: Tell,
    is_runtime: bool = True,
) -> None:
    def signature() -> KernelSignature:
        return phi_signature(fluid, info, call, for_infer_shape=True)[0]

    ctx = InferShapeContext(call, is_runtime, signature)
    infer_shape(op, info, ctx)
    function = info.infer_shape.function if info.infer_shape else None
    assert function is not None
    if forgotten := ctx.forgotten():
        if of_infer_meta := _infer_meta_left_open(ctx, forgotten):
            raise of_infer_meta
        several = "s" if len(forgotten) > 1 else ""
        first = forgotten[0].partition("[")[0]
        raise CxxError(
            f"{function.name} leaves the dims of output{several} {', '.join(forgotten)} open",
            name_span(function),
            f'say them on every way through it: ctx->SetOutputDim("{first}", …)',
        )
    dims = {n: [list(one.dims) for one in found if one] for n, found in call.outputs.items()}
    said = "; ".join(f"{n} {', '.join(map(str, d))}" for n, d in dims.items())
    tell(Step("shapes", f"{function.name} finds the dims: {said}", dims))


def _infer_meta_left_open(ctx: InferShapeContext, forgotten: list[str]) -> CxxError | None:
    """The error at an InferMeta with a body, if that is what should have said these dims."""
    boxes = [box for box in ctx.boxes if box.called is not None]
    if not boxes or boxes[-1].called is None:
        return None
    function = boxes[-1].called.function
    if not function.is_defined:
        return None
    error = CxxError(
        f"{function.name} leaves the dims of output{'s' * (len(forgotten) > 1)} "
        f"{', '.join(forgotten)} open",
        name_span(function),
        "say them on every way through it: out->set_dims(…), or out->share_meta(x)",
    )
    error.text = function.program.source.text
    return error


# --- The launch -----------------------------------------------------------------------------------


def _run_class(of: CxxClass, ctx: ExecutionContext, tell: Tell) -> None:
    if (unknown := refused(of)) is not None:
        said = f"{ctx.call.op_type}: {of} is {declared_only(of, unknown)}"
        raise OpError(said, unknown, of.program.source.text)
    moved = {
        n: [_moved(one, ctx.GetPlace()) for one in found] for n, found in ctx.call.inputs.items()
    }
    run_compute(of, replace(ctx, call=replace(ctx.call, inputs=moved)))
    tell(Step("launch", f"{of} reads its ExecutionContext and computes", str(of)))


def _check_reads(fluid: Runtime, of: CxxClass, ctx: ExecutionContext) -> None:
    """Raises CxxError where the class reads a name that the operator hasn't: in C++ it would meet a
    null pointer."""
    call = ctx.call
    slots = {"input": call.inputs, "output": call.outputs}
    for kind, read in missing_reads(fluid.world, call.op_type, of):
        if kind in slots:
            said = no_such_name(call.op_type, kind, read.name, slots[kind])
        else:
            listed = ", ".join(call.attrs) or "none"
            said = NotFound(
                f"({read.name}) is not found in AttributeMap.",
                hint=f"its attributes are {listed}",
            )
        error = CxxError(said.message, read.span, said.hint)
        error.text = of.program.source.text
        raise error


def _moved(variable: Any, place: Place) -> Any:
    """A tensor where the kernel computes: `PrepareData`, of a place alone."""
    elsewhere = isinstance(variable, DenseTensor) and variable.place != place
    return DenseTensor.at(variable, place) if elsewhere else variable


def _run_phi(fluid: Runtime, chosen: PhiChoice, ctx: ExecutionContext, tell: Tell) -> None:
    from registry_runtime.fluid.phi_launch import launch

    kernel, op_type = chosen.kernel, ctx.call.op_type
    if kernel.registered_type is KernelRegisteredType.STRUCTURE:
        if kernel.fn.structure is None:
            raise OpError(f"{op_type}: nobody knows the class {kernel.fn.name}")
        _run_class(kernel.fn.structure, ctx, tell)
        return
    if kernel.args_def.open_slot is not None:
        raise OpError(
            f"nobody knows what the kernel `{chosen.signature.name}` takes: its function is not "
            "declared where it is registered"
        )
    check_sizes(op_type, chosen.signature, kernel.args_def, chosen.blame)
    launch(fluid.phi, kernel, chosen.signature, chosen.blame, ctx)
    said = f"{kernel.fn.name} gets its arguments in order and computes"
    tell(Step("launch", said, kernel.fn.name))
