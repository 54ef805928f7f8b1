"""The class that Fluid's kernels derive from: one function, and an element type to be found by."""

from __future__ import annotations

from dataclasses import dataclass

from registry_runtime.fluid.execution_context import ExecutionContext
from registry_runtime.phi.data_type import DataType


@dataclass(frozen=True, slots=True)
class OpKernel:
    """`framework::OpKernel<T>`. An object is made for each call and keeps nothing."""

    T: DataType

    def Compute(self, context: ExecutionContext) -> None:
        """Read everything from `context`, and fill its outputs.

        Raises EnforceNotMet for what the context refuses, KernelError for what can't be computed.
        """
        raise NotImplementedError
