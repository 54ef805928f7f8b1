"""The context itself: the device context in it, and whom it is handed on to."""

from __future__ import annotations

from tree_sitter import Node

from visualizer.migration.bodies.body import Body
from visualizer.migration.bodies.variables import kept_in
from visualizer.migration.reading.calls import method_of_call
from visualizer.migration.reading.context_reads import Read

_DEVICE_CONTEXTS = (
    "platform::DeviceContext",
    "platform::CPUDeviceContext",
    "platform::CUDADeviceContext",
    "platform::XPUDeviceContext",
    "phi::CPUContext",
    "phi::GPUContext",
)


def device_context(body: Body, read: Read) -> None:
    """`ctx.template device_context<DeviceContext>()` is the first parameter."""
    rewriter = body.rewriter
    asked = "::".join(rewriter.aliases.in_full(tuple(read.type.split("::"))))
    known = (*rewriter.device_types, *_DEVICE_CONTEXTS, "")
    if asked not in known:
        rewriter.note(read.call, "device_context", f"dev_ctx is no {read.type} by itself")
    local = kept_in(body, read.call)
    if local is not None and local.kind == "&" and local.alone:
        assert local.declaration is not None
        body.take_out(local.declaration, "device_context", "dev_ctx")
        for use in local.uses:
            if rewriter.source.spell(use) != "dev_ctx":
                rewriter.put(use, "dev_ctx", rule="device_context", anchor="dev_ctx")
        return
    rewriter.put(read.call, "dev_ctx", rule="device_context", anchor="dev_ctx")


def handed_on(body: Body, use: Node) -> None:
    """The context as an argument: to a function of these files, which gets the device context."""
    rewriter = body.rewriter
    listed = use.parent
    call = listed.parent if listed is not None and listed.type == "argument_list" else None
    if call is not None and call.type == "call_expression" and not body.is_meta:
        _, called, _ = method_of_call(rewriter.source, call)
        if any(h.name == called for h in rewriter.fluid.declarations) or _is_a_member(body, called):
            rewriter.put(use, "dev_ctx", rule="device_context", anchor="dev_ctx")
            return
    reason = "the whole context is handed on: hand on what is needed of it"
    rewriter.note(use, "unknown", reason)


def _is_a_member(body: Body, called: str) -> bool:
    return any(called in kernel.methods for kernel in body.rewriter.fluid.kernels.values())
