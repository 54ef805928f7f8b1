"""An operator that leaves its shapes to a function of PHI's: `BuildInferMetaContext`.

Its InferShape is a functor then, which packs the call's variables into an InferMetaContext, in the
order of the kernel, and calls that function with it. What the function says of the outputs is written
back by `InferShapeContext.settle`.

Source: `paddle/fluid/framework/infershape_utils.cc`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from registry_runtime.fluid.infer_shape_context import InferShapeContext, dims_of
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import PreconditionNotMet, Unimplemented
from registry_runtime.phi.infermeta_context import InferMetaContext
from registry_runtime.phi.meta_tensor import MetaConfig, MetaTensor
from registry_runtime.phi.selected_rows import SelectedRows


def BuildInferMetaContext(ctx: InferShapeContext, op_type: str) -> InferMetaContext:
    """The call's variables as an InferMeta takes them, in the order of the operator's signature.

    An attribute that the call doesn't have, and that no input stands for, is left out: an InferMeta
    may have no parameter for it.
    """
    if ctx.signature is None:
        raise PreconditionNotMet(f"nobody knows the signature of {op_type}")
    signature = ctx.signature()
    made = InferMetaContext(MetaConfig(ctx.is_runtime))
    ctx.boxes.append(made)
    for name in signature.input_names:
        given = ctx.call.inputs.get(name, ())
        made.EmplaceBackInputs([_meta(variable) for variable in given] or [None])
    for name in signature.attr_names:
        if name in ctx.call.attrs:
            made.EmplaceBackAttr(ctx.call.attrs[name])
        elif tensors := ctx.call.inputs.get(name):
            made.EmplaceBackAttr(tensors[0] if len(tensors) == 1 else list(tensors))
    for name in signature.output_names:
        wanted = ctx.call.outputs.get(name, ())
        metas = [None if variable is None else MetaTensor() for variable in wanted]
        ctx.metas.update(
            ((name, index), meta) for index, meta in enumerate(metas) if meta is not None
        )
        made.EmplaceBackOutputs(metas or [None])
    return made


def _meta(variable: Any) -> MetaTensor | None:
    if variable is None or isinstance(variable, MetaTensor):
        return variable
    tensor = variable.value if isinstance(variable, SelectedRows) else variable
    if not isinstance(tensor, DenseTensor):
        raise Unimplemented(f"InferMeta wants dense tensors, and this is a {type(tensor).__name__}")
    return replace(MetaTensor.of(tensor), dims=tuple(dims_of(variable)))
