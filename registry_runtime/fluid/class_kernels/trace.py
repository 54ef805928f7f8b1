"""`TraceKernel` and `TraceGradKernel` as classes: `cpp_samples/fluid/trace_op.h`, line by line.

Nothing outside of `Compute` says what is taken. The gradient asks for no "Input" at all; of that only
the dims are wanted, and the output has those by then.

Source: `paddle/fluid/operators/trace_op.h`.
"""

from __future__ import annotations

import sys
from typing import Any

from registry_runtime.fluid.class_kernels.op_kernel import OpKernel
from registry_runtime.fluid.execution_context import ExecutionContext
from registry_runtime.phi.op_utils import GradVarName


class TraceKernel(OpKernel):
    """`paddle::operators::TraceKernel<DeviceContext, T>`."""

    __slots__ = ()

    def Compute(self, context: ExecutionContext) -> None:
        from registry_runtime.kernels.trace import TraceKernel as Computing

        input = context.Input("Input")
        out = context.Output("Out")

        offset = context.Attr("offset", "int")
        dim1 = context.Attr("axis1", "int")
        dim2 = context.Attr("axis2", "int")

        dev_ctx = context.device_context()
        data = dev_ctx.Alloc(out, self.T)  # out->mutable_data<T>(context.GetPlace())

        # A matrix's trace has one axis in Fluid, and none in PHI: the memory is the same.
        same = data.reshape(()) if len(input.dims) == 2 else data
        Computing.instantiate(self.T, dev_ctx.name).launch(input, offset, dim1, dim2, out=same)


class TraceGradKernel(OpKernel):
    """`paddle::operators::TraceGradKernel<DeviceContext, T>`."""

    __slots__ = ()

    def Compute(self, context: ExecutionContext) -> None:
        from registry_runtime.kernels.trace import TraceGradKernel as Computing

        d_out = context.Input(GradVarName("Out"))
        d_x = context.Output(GradVarName("Input"))

        offset = context.Attr("offset", "int")
        dim1 = context.Attr("axis1", "int")
        dim2 = context.Attr("axis2", "int")

        dev_ctx = context.device_context()
        data = dev_ctx.Alloc(d_x, self.T)

        instance = Computing.instantiate(self.T, dev_ctx.name)
        instance.launch(_without_memory(data), d_out, offset, dim1, dim2, out=data)


# The same classes with their template's parameters turned, for PHI's macro.
TraceStructKernel, TraceGradStructKernel = TraceKernel, TraceGradKernel


def _without_memory(like: Any) -> Any:
    """An array of these dims and this type with one element behind it: nobody reads the others."""
    library: Any = sys.modules[type(like).__module__.partition(".")[0]]  # NumPy or CuPy
    return library.broadcast_to(library.zeros((), like.dtype), like.shape)
