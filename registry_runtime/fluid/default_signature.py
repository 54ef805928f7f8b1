"""The signature of an operator that nobody wrote a mapping for: its maker's names, in their order.

For the names to fit the kernel's parameters, what a kernel never has is left out: inputs that may be
missing (a kernel that takes one needs a mapping to say so), what is marked extra or quant, the
attributes that every operator has, and `use_mkldnn` and `use_cudnn`, which choose a kernel and mean
nothing inside of it.

Source: `KernelArgsNameMakerByOpProto` in `paddle/fluid/framework/phi_utils.cc`.
"""

from __future__ import annotations

from registry_runtime.cxx import Span
from registry_runtime.fluid.op_proto import OpProto
from registry_runtime.phi.arg_map_context import KernelSignature

_NEVER_A_PARAMETER = frozenset(
    {
        *("use_mkldnn", "use_cudnn"),
        *("op_role", "op_role_var", "op_namescope", "op_callstack", "op_device"),
    }
)


def default_signature(proto: OpProto, kernel_name: str) -> KernelSignature:
    """The signature by an operator's own list of names, for PHI's kernel of this name.

    Its `span` reaches from the first of the maker's calls that count to the last.
    """
    inputs = [v for v in proto.inputs if not (v.extra or v.quant or v.dispensable)]
    attrs = [
        attr
        for attr in proto.attrs
        if not (attr.extra or attr.quant or attr.name in _NEVER_A_PARAMETER)
    ]
    outputs = [v for v in proto.outputs if not (v.extra or v.quant)]
    spans = [one.span for one in (*inputs, *outputs)] + [attr.span for attr in attrs]
    spans = [span for span in spans if span.end]
    return KernelSignature(
        kernel_name,
        tuple(v.name for v in inputs),
        tuple(attr.name for attr in attrs),
        tuple(v.name for v in outputs),
        Span(min(s.start for s in spans), max(s.end for s in spans)) if spans else None,
    )
