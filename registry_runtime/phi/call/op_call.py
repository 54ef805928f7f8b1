"""An operator called by names, as Fluid calls it, carried out by PHI.

Fluid's `OperatorWithKernel` does four things with a call before PHI takes over: it asks the operator's
mapping for a signature, or takes the default one; finds a kernel of the signature's name; compares the
signature's lists with what that kernel was registered to take; and fills the kernel's places by name.
The comparison is where a missing mapping shows, since the names in an operator's own order are seldom
as many as the kernel has parameters.

An attribute's name may lead to an input: a kernel's Scalar or IntArray can be made of a tensor.

Source: `GetExpectedPhiKernelArgs` and `BuildPhiKernelContext` in `paddle/fluid/framework/operator.cc`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from registry_runtime.cxx import CxxError, CxxFunction, Span, name_span
from registry_runtime.near import nearest
from registry_runtime.phi.arg_map_context import ArgumentMappingContext, KernelSignature, OpCall
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.infermeta_context import InferMetaContext
from registry_runtime.phi.infermeta_fn import InferMetaFn
from registry_runtime.phi.kernel import AttributeType, KernelArgsDef, KernelRegisteredType
from registry_runtime.phi.kernel_registrar import World
from registry_runtime.phi.kernel_template import KernelError, as_tuple
from registry_runtime.phi.meta_tensor import MetaConfig, MetaTensor
from registry_runtime.phi.parameter_types import type_of

__all__ = ["OpError", "call_op", "infer_op", "signature_of"]


class OpError(KernelError):
    """An operator's call can't become a kernel's."""


def signature_of(
    world: World,
    op_type: str,
    inputs: Mapping[str, Any],
    attrs: Mapping[str, Any] | None = None,
    outputs: Mapping[str, Any] | None = None,
    *,
    is_for_infer_shape: bool = False,
    is_runtime: bool = True,
    default: KernelSignature | None = None,
) -> KernelSignature:
    """The signature of this call. Raises OpError where there is none, or the mapping fails.

    `default` is what the operator's maker says, for one that has no mapping.
    """
    call = OpCall(
        op_type,
        {name: [_seen(op_type, name, v) for v in _slot(value)] for name, value in inputs.items()},
        attrs or {},
        None if outputs is None else {name: _slot(kind) for name, kind in outputs.items()},
    )
    fn = world.argument_mapping_fn(op_type)
    if fn is None:
        known = world.default_signatures.GetNullable(op_type) or default
        if known is None:
            raise OpError(_no_signature(world, op_type))
        return known
    source = _source(fn)
    try:
        made = fn(ArgumentMappingContext(call, is_for_infer_shape, is_runtime))
    except CxxError as error:
        hint = f"; {error.hint}" if error.hint else ""
        raise OpError(f"{op_type}: {error.message}{hint}", error.span, source) from None
    except EnforceNotMet as error:
        raise OpError(f"{op_type}: {error.message}") from None
    if not isinstance(made, KernelSignature):
        raise OpError(f"the argument mapping of {op_type} returns no KernelSignature")
    return made


def call_op(
    world: World,
    call: Callable[..., Any],
    op_type: str,
    inputs: Mapping[str, Any],
    attrs: Mapping[str, Any],
    outputs: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """`Runtime.call_op`, by `call`, which is `Runtime.call`."""
    signature = signature_of(world, op_type, inputs, attrs, outputs)
    blame = Blame(signature, _source(world.argument_mapping_fn(op_type)))
    args_def = _args_def(world, op_type, signature, blame)
    arguments = [
        _input(op_type, inputs, name, args_def.input_defs[i].type_index, blame)
        for i, name in enumerate(signature.input_names)
    ]
    arguments += [
        _attribute(op_type, inputs, attrs, name, args_def.attribute_defs[i].type_index, blame)
        for i, name in enumerate(signature.attr_names)
    ]
    results = as_tuple(call(signature.name, *arguments))
    named = dict(zip(signature.output_names, results, strict=True))
    return {name: result for name, result in named.items() if outputs is None or name in outputs}


def infer_op(
    world: World,
    op_type: str,
    inputs: Mapping[str, Any],
    attrs: Mapping[str, Any],
    is_runtime: bool,
) -> dict[str, MetaTensor]:
    """`Runtime.infer_op`."""
    signature = signature_of(
        world, op_type, inputs, attrs, is_for_infer_shape=True, is_runtime=is_runtime
    )
    blame = Blame(signature, _source(world.argument_mapping_fn(op_type)))
    context = InferMetaContext(MetaConfig(is_runtime))
    for name in signature.input_names:
        values = [] if inputs.get(name) is None else _slot(inputs[name])
        context.EmplaceBackInputs([_meta(op_type, name, value) for value in values] or [None])
    for name in signature.attr_names:
        context.EmplaceBackAttr(_attribute(op_type, inputs, attrs, name, None, blame))
    made = {name: MetaTensor() for name in signature.output_names}
    for meta in made.values():
        context.EmplaceBackOutput(meta)
    try:
        fn = world.meta_fns.Get(world.op_utils.GetBaseKernelName(op_type))
        fn.Call(context)
    except CxxError as error:
        hint = f"; {error.hint}" if error.hint else ""
        text = error.text or fn.function.program.source.text
        raise OpError(f"{op_type}: {error.message}{hint}", error.span, text) from None
    except EnforceNotMet as error:
        raise OpError(f"{op_type}: {error.message}") from None
    _check_shaped(op_type, fn, made)
    return made


def _check_shaped(op_type: str, fn: InferMetaFn, made: Mapping[str, MetaTensor]) -> None:
    """Raises OpError at the function, where it says nothing of an output's dims.

    Of a body in the text, that is: some of Paddle's own leave an output to the kernel, on purpose.
    """
    for name, meta in made.items():
        if not meta.shaped and fn.function.is_defined:
            raise OpError(
                f"{op_type}: {fn.name} leaves the dims of output {name} open; say them on every way "
                "through it: out->set_dims(…), or out->share_meta(x)",
                name_span(fn.function),
                fn.function.program.source.text,
            )


# --- What stands under a name ---------------------------------------------------------------------


def _slot(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _seen(op_type: str, name: str, value: Any) -> Any:
    """A value as the mapping sees it: a tensor of some kind."""
    if isinstance(value, MetaTensor):
        return DenseTensor()
    return None if value is None else tensor_of(op_type, name, value)


def tensor_of(op_type: str, name: str, value: Any) -> Any:
    """What Python gave for an input, as a tensor of PHI's; one that is a tensor stays what it is.

    Raises OpError for what is neither a tensor nor an array.
    """
    if hasattr(value, "has_allocation"):
        return value
    if not (hasattr(value, "dtype") and hasattr(value, "shape")):
        raise OpError(
            f"{op_type}: input {name} must be a tensor, an array or a list of them, "
            f"and is {type(value).__name__}"
        )
    try:
        return DenseTensor.of(value)
    except TypeError as error:
        raise OpError(f"{op_type}: input {name}: {error}") from None


def _meta(op_type: str, name: str, value: Any) -> MetaTensor | None:
    if value is None or isinstance(value, MetaTensor):
        return value
    tensor = _seen(op_type, name, value)
    if isinstance(tensor, DenseTensor):
        return MetaTensor.of(tensor)
    raise OpError(
        f"{op_type}: input {name} is a {type(tensor).__name__}: InferMeta wants dense ones"
    )


def _input(op_type: str, inputs: Mapping[str, Any], name: str, cpp_type: str, blame: Blame) -> Any:
    values = [] if inputs.get(name) is None else _slot(inputs[name])
    if not values:
        if type_of(cpp_type).is_optional:
            return None
        raise blame.error(_missing(op_type, "input", name, inputs), name)
    if type_of(cpp_type).is_list:
        return list(values)
    if len(values) > 1:
        raise blame.error(
            f"{op_type}: {name} holds {len(values)} tensors, the kernel takes one", name
        )
    return values[0]


def _attribute(
    op_type: str,
    inputs: Mapping[str, Any],
    attrs: Mapping[str, Any],
    name: str,
    wanted: AttributeType | None,
    blame: Blame,
) -> Any:
    if name in attrs:
        return attrs[name]
    takes_tensor = wanted is None or str(wanted) in _FROM_TENSORS
    if takes_tensor and inputs.get(name) is not None:
        elements = [e for value in _slot(inputs[name]) for e in _elements(value)]
        return elements[0] if len(elements) == 1 and str(wanted) != "IntArray" else elements
    raise blame.error(_missing(op_type, "attribute", name, attrs), name)


_FROM_TENSORS = ("Scalar", "IntArray")


def _elements(value: Any) -> list[Any]:
    found: list[Any] = np.asarray(value).ravel().tolist()
    return found


def _missing(op_type: str, kind: str, name: str, given: Mapping[str, Any]) -> str:
    near = nearest(name, given, 0.6)
    there = f"it has {', '.join(given)}" if given else f"it has no {kind}s"
    hint = f"did you mean {name} where you passed {near}?" if near else f"pass {name}"
    said = f"the signature names the {kind} {name}, which the call doesn't have"
    return f"{op_type}: {said}: {there}; {hint}"


# --- The signature against the kernel -------------------------------------------------------------


class Blame:
    """Where a signature was made, to point at the name in it that is wrong.

    `by_maker` says that no mapping made it, but the operator's own lists of names.
    """

    def __init__(self, signature: KernelSignature, source: str, *, by_maker: bool = False) -> None:
        self._span, self._source, self.by_maker = signature.span, source, by_maker

    def error(self, message: str, name: str) -> OpError:
        span = self._span
        if span is None:
            return OpError(message)
        text = self._source[span.start : span.end]
        for spelling in (f'"{name}"', f'"{name.removesuffix("@GRAD")}"'):
            at = text.find(spelling)
            if at >= 0:
                start = span.start + at
                return OpError(message, Span(start, start + len(spelling)), self._source)
        return OpError(message, span, self._source)


def _args_def(
    world: World, op_type: str, signature: KernelSignature, blame: Blame
) -> KernelArgsDef:
    kernels = world.factory.kernels.get(signature.name, {})
    if not kernels:
        raise not_registered(op_type, signature, blame, world.factory.kernels)
    for kernel in kernels.values():
        args_def = kernel.args_def
        known = args_def.open_slot is None
        if known and kernel.registered_type is KernelRegisteredType.FUNCTION:
            break
    else:
        raise OpError(f"nobody knows what the kernel `{signature.name}` takes: it is declared only")
    check_sizes(op_type, signature, args_def, blame)
    return args_def


def check_sizes(
    op_type: str, signature: KernelSignature, args_def: KernelArgsDef, blame: Blame
) -> None:
    """Compare the signature's three lists with what the kernel takes. Raises OpError.

    Where the operator has no mapping, this is where that is noticed.
    """
    for names, defs, said, has in (
        (signature.input_names, args_def.input_defs, "inputs_args", "input"),
        (signature.output_names, args_def.output_defs, "outputs_args", "output"),
        (signature.attr_names, args_def.attribute_defs, "attribute_args", "attribute"),
    ):
        if len(names) != len(defs):
            short = "attr" if has == "attribute" else has
            raise blame.error(
                f"{op_type}: The size of {said} names ({len(names)}) must be equal to the size of "
                f"kernel {has}_defs ({len(defs)}). [Hint: Expected {short}_names.size() == "
                f"{short}_defs.size(), but received {short}_names.size():{len(names)} != "
                f"{short}_defs.size():{len(defs)}.]{_instead(op_type, blame)}",
                signature.name,
            )


def _instead(op_type: str, blame: Blame) -> str:
    if not blame.by_maker:
        return ""
    return (
        f"; these are the names of {op_type}'s maker: register an argument mapping for it "
        f"(PD_REGISTER_ARG_MAPPING_FN({op_type}, …))"
    )


def not_registered(
    op_type: str, signature: KernelSignature, blame: Blame, kernels: Iterable[str]
) -> OpError:
    """The error for a signature that names a kernel that nobody has registered."""
    near = nearest(signature.name, kernels)
    hint = f"did you mean `{near}`?" if near else "open the file that registers it first"
    message = f"{op_type}: The kernel `{signature.name}` is not registered; {hint}"
    return blame.error(message, signature.name)


def _no_signature(world: World, op_type: str) -> str:
    said = f"Operator `{op_type}`'s kernel signature is not registered."
    name = world.op_utils.GetBaseKernelName(op_type)
    if name in world.factory.kernels:
        return f"{said} There is a kernel `{name}`: register an argument mapping for {op_type}"
    return f"{said} Nor is there a kernel `{name}`: open the files that register the two"


def _source(fn: object) -> str:
    return fn.program.source.text if isinstance(fn, CxxFunction) else ""
