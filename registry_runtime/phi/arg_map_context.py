"""How an operator's names find their places: a signature, and what may be asked to make it.

An operator of Fluid's knows its tensors and attributes by names, `Input`, `axis1`; a kernel of PHI's
knows them by their places. A `KernelSignature` is the list that goes between: the kernel's name, and
for each place the name of what belongs there. Most operators have one signature. Some have several,
and choose by what the call brings; their mapping function asks an `ArgumentMappingContext`, which
shows names and kinds and no element of any tensor.

Source: `paddle/phi/core/compat/arg_map_context.h`; what is asked of a call is answered as
`ExecutionArgumentMappingContext` does in `paddle/fluid/framework/operator.h`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from registry_runtime.cxx import Span
from registry_runtime.phi.enforce import InvalidArgument, NotFound

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KernelSignature:
    """`phi::KernelSignature`: a kernel, and an operator's names in the order of its parameters.

    `span` is where a mapping made it, None for one that was made in Python.
    """

    name: str
    input_names: Names = ()
    attr_names: Names = ()
    output_names: Names = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return (
            f"Kernel Signature - name: {self.name}; inputs: {', '.join(self.input_names)}; "
            f"attributes: {', '.join(self.attr_names)}; outputs: {', '.join(self.output_names)}"
        )


def kernel_signature(span: Span, *arguments: object) -> KernelSignature:
    """`phi::KernelSignature(name)` and `(name, {inputs}, {attributes}, {outputs})`."""
    if len(arguments) not in (1, 4):
        raise InvalidArgument(
            f"KernelSignature has constructors of 1 and 4 arguments, and got {len(arguments)}",
            hint="where there are no inputs or attributes, the braces are empty: {}",
        )
    name, *lists = arguments
    if not isinstance(name, str):
        raise InvalidArgument("a kernel's name is wanted here", argument=0)
    checked: list[Names] = []
    for index, names in enumerate(lists, 1):
        if not (isinstance(names, list | tuple) and all(isinstance(n, str) for n in names)):
            raise InvalidArgument("a list of names is wanted here", argument=index)
        checked.append(tuple(names))
    inputs, attrs, outputs = checked or ((), (), ())
    return KernelSignature(name, inputs, attrs, outputs, span)


@dataclass(frozen=True, slots=True)
class OpCall:
    """An operator as a program calls it: everything under a name.

    A name holds a list, since an operator's maker may allow several tensors under one. `outputs` says
    what kind of tensor is wanted under each name; None where every output is wanted, all of them
    DenseTensors.
    """

    op_type: str
    inputs: Mapping[str, Sequence[Any]]
    attrs: Mapping[str, Any]
    outputs: Mapping[str, Sequence[type]] | None = None


@dataclass(frozen=True, slots=True)
class ArgumentMappingContext:
    """`phi::ArgumentMappingContext` over one call. `Attr` raises NotFound.

    A question about all tensors of a name is true where there are none, as `std::all_of` is.
    """

    call: OpCall
    is_for_infer_shape: bool = False
    is_runtime: bool = True

    def HasInput(self, name: str) -> bool:
        found = self.call.inputs.get(name, ())
        return bool(found) and all(tensor is not None for tensor in found)

    def HasOutput(self, name: str) -> bool:
        return self.call.outputs is None or bool(self.call.outputs.get(name))

    def HasAttr(self, name: str) -> bool:
        return name in self.call.attrs

    def Attr(self, name: str) -> Any:
        if name not in self.call.attrs:
            there = ", ".join(self.call.attrs)
            raise NotFound(
                f"({name}) is not found in AttributeMap.",
                hint=f"{self.call.op_type} was called with {there or 'no attributes'}",
                argument=0,
            )
        return self.call.attrs[name]

    def InputSize(self, name: str) -> int:
        return len(self.call.inputs.get(name, ()))

    def OutputSize(self, name: str) -> int:
        return 1 if self.call.outputs is None else len(self.call.outputs.get(name, ()))

    def IsDenseTensorInput(self, name: str) -> bool:
        return self._input_is(name, "DenseTensor")

    def IsDenseTensorInputs(self, name: str) -> bool:
        return self._inputs_are(name, "DenseTensor")

    def IsSelectedRowsInput(self, name: str) -> bool:
        return self._input_is(name, "SelectedRows")

    def IsSelectedRowsInputs(self, name: str) -> bool:
        return self._inputs_are(name, "SelectedRows")

    def IsSparseCooTensorInput(self, name: str) -> bool:
        return self._input_is(name, "SparseCooTensor")

    def IsSparseCsrTensorInput(self, name: str) -> bool:
        return self._input_is(name, "SparseCsrTensor")

    def IsDenseTensorVectorInput(self, name: str) -> bool:
        return self._inputs_are(name, "TensorArray")

    def IsDenseTensorOutput(self, name: str) -> bool:
        return self._outputs_are(name, "DenseTensor")

    def IsSelectedRowsOutput(self, name: str) -> bool:
        return self._outputs_are(name, "SelectedRows")

    def IsSparseCooTensorOutput(self, name: str) -> bool:
        return self._outputs_are(name, "SparseCooTensor")

    def IsVocabOutput(self, name: str) -> bool:
        return False

    def IsForInferShape(self) -> bool:
        return self.is_for_infer_shape

    def IsRuntime(self) -> bool:
        return self.is_runtime

    def _input_is(self, name: str, kind: str) -> bool:
        return self.HasInput(name) and isinstance(self.call.inputs[name][0], _class(kind))

    def _inputs_are(self, name: str, kind: str) -> bool:
        return all(isinstance(tensor, _class(kind)) for tensor in self.call.inputs.get(name, ()))

    def _outputs_are(self, name: str, kind: str) -> bool:
        if self.call.outputs is None:
            return kind == "DenseTensor"
        return all(issubclass(wanted, _class(kind)) for wanted in self.call.outputs.get(name, ()))


@cache
def _class(name: str) -> type:
    # Tensors need NumPy, and most mappings are registered and never called.
    module = importlib.import_module(f"registry_runtime.phi.{_MODULES[name]}")
    found: type = getattr(module, name)
    return found


_MODULES = {
    "DenseTensor": "dense_tensor",
    "SelectedRows": "selected_rows",
    "SparseCooTensor": "sparse_tensor",
    "SparseCsrTensor": "sparse_tensor",
    "TensorArray": "tensor_array",
}

# What a mapping may ask.
QUERIES = tuple(name for name in vars(ArgumentMappingContext) if name[0].isupper())
