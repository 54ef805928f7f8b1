"""A class kernel's `Compute`, run: the body that the text has, on the variables of one call.

The interpreter reads `context.Input<Tensor>("X")`, loops, numbers, and calls of other functions of the
text. What the text only declares is linked from `native`. A kernel whose body needs anything else is
*declared only*, and `refused` says which token it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from registry_runtime.cxx import (
    CxxClass,
    CxxError,
    CxxFunction,
    CxxObject,
    Pointer,
    Span,
    linked_calls,
    unknown_call,
)
from registry_runtime.cxx.places import pointer_into
from registry_runtime.fluid.execution_context import ExecutionContext
from registry_runtime.phi.contexts import context_for
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.memory import ELEMENT_TYPES, Address, Memory
from registry_runtime.phi.place import Place


@dataclass(slots=True, eq=False, repr=False)
class OutputTensor(DenseTensor):
    """A tensor that a Compute is to fill. `written` is its memory where the body has a pointer to it;
    `is_filled` says that a function in Python did all of it."""

    written: Memory | None = None
    is_filled: bool = False

    def mutable_data(self, dtype: DataType, place: Place) -> Pointer | Address:
        """Memory for elements of this type, and what points to it."""
        context_for(place).Alloc(self, dtype)
        return self.pointer()

    def pointer(self) -> Pointer | Address:
        """To the elements."""
        of = ELEMENT_TYPES.get(self.dtype)
        if self.backend == "GPU" or of is None:
            return Address(self.dtype)
        if self.written is None or self.written.of != of:
            self.written = Memory(self.data, of)
        return pointer_into(self.written, is_const=False)

    @property
    def unwritten(self) -> int:
        """Of how many elements nobody has said what they are."""
        if self.is_filled:
            return 0
        return self.written.unwritten if self.written is not None else self.numel


def compute_function(kernel_type: CxxClass) -> CxxFunction | None:
    """The class's `Compute`, or its nearest base's; None where the text has none."""
    return kernel_type.method("Compute")


def refused(kernel_type: CxxClass) -> Span | None:
    """What of the body can't be run: the first such token, or the class's name where there is no body
    at all. None for a body that can."""
    compute = compute_function(kernel_type)
    if compute is None:
        return kernel_type.span
    return unknown_call(compute, CxxObject(kernel_type))


def linked(kernel_type: CxxClass) -> tuple[str, ...]:
    """The functions that its body calls and that `native` has, without their namespaces."""
    compute = compute_function(kernel_type)
    if compute is None:
        return ()
    return tuple(name.rpartition("::")[2] for name in linked_calls(compute, CxxObject(kernel_type)))


def declared_only(kernel_type: CxxClass, unknown: Span) -> str:
    """Why a class isn't run, of whose body this can't be."""
    if unknown == kernel_type.span:
        return "declared only: its Compute isn't in this text"
    text = kernel_type.program.source.text[unknown.start : unknown.end]
    return f"declared only: `{' '.join(text.split())}` in its Compute isn't understood"


def run_compute(kernel_type: CxxClass, ctx: ExecutionContext) -> None:
    """Run the body. Raises CxxError, which knows its text, for what the body or a check refuses."""
    compute = compute_function(kernel_type)
    assert compute is not None
    made = {name: [_output(one) for one in found] for name, found in ctx.call.outputs.items()}
    running = replace(ctx, call=replace(ctx.call, outputs=made))
    compute.call_on(CxxObject(kernel_type), running)
    for name, found in ctx.call.outputs.items():
        for one, output in zip(found, made[name], strict=True):
            _take_over(kernel_type, compute, name, one, output)


def _output(variable: object) -> object:
    if type(variable) is not DenseTensor:
        return variable
    data, layout, lod = variable.data, variable.layout, variable.lod
    return OutputTensor(data, layout, lod, variable.held_at, variable.declared)


def _take_over(
    kernel_type: CxxClass, compute: CxxFunction, name: str, variable: object, output: object
) -> None:
    if not isinstance(output, OutputTensor) or not isinstance(variable, DenseTensor):
        return
    if not output.has_allocation():
        said = f"{kernel_type} gave its output {name} no memory"
        hint = "it must call mutable_data<T>(context.GetPlace())"
    elif output.unwritten:
        said = (
            f"{kernel_type} left {output.unwritten} of {output.numel} elements of {name} unwritten"
        )
        hint = "they would hold what the memory's last owner left there"
    else:
        variable.data, variable.held_at = output.data, output.held_at
        variable.layout, variable.lod = output.layout, output.lod
        return
    error = CxxError(said, compute.span, hint)
    error.text = kernel_type.program.source.text
    raise error
