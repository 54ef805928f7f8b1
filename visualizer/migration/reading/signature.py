"""A kernel's parameters, from the names that the op maker lists.

PHI knows a parameter by its place: first the context, then the inputs, the attributes, the outputs,
each in the order of the maker. A gradient has no maker of that kind; its inputs are the forward's
inputs, then its outputs, then the gradients of those, and its attributes are the forward's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from tree_sitter import Node

from visualizer.migration.fluid_names import NEVER_PARAMETERS
from visualizer.migration.reading.declarations import Attribute, Maker, Variable
from visualizer.migration.reading.fluid_text import FluidText
from visualizer.migration.reading.names import parameter_name

Kind = Literal["input", "attribute", "output"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter, under the operator's name and under its own.

    cxx_type: an attribute's type in Fluid. dynamic: the input that may bring the attribute instead.
    node: where the maker adds it, None if no maker does. rows: it is SelectedRows to the kernels.
    as_tensor: the maker says that the attribute may come as one.
    """

    kind: Kind
    fluid_name: str
    name: str
    optional: bool = False
    many: bool = False
    cxx_type: str = ""
    dynamic: str = ""
    in_an_if: bool = False
    node: Node | None = None
    source: FluidText | None = None
    rows: bool = False
    as_tensor: bool = False

    @property
    def anchor(self) -> str:
        """The name under which a draft knows where the parameter stands in the function's head."""
        return f"{self.kind} {self.fluid_name}"

    @property
    def several(self) -> str:
        """The vector that a duplicable one is; where it may be missing, it must be asked first."""
        return f"{self.name}.get()" if self.optional else self.name

    def declared(self, tensor: str = "DenseTensor") -> str:
        """`const DenseTensor& x`; with tensor = "MetaTensor", as an InferMeta has it."""
        return f"{self.type(tensor)} {self.name}"

    def type(self, tensor: str = "DenseTensor") -> str:
        """Its type in a declaration; with tensor = "phi::DenseTensor", as outside of phi."""
        if self.rows:
            tensor = tensor.replace("DenseTensor", "SelectedRows")
        if self.kind == "output":
            return f"std::vector<{tensor}*>" if self.many else f"{tensor}*"
        if self.kind == "attribute":
            return _attribute_type(self, "phi::" if tensor.startswith("phi::") else "")
        is_meta = tensor == "MetaTensor"
        plain = f"std::vector<const {tensor}*>" if self.many else tensor
        if self.optional and not (is_meta and not self.many):
            return f"const paddle::optional<{plain}>&"
        return f"const {plain}&"


_BY_VALUE = ("bool", "int", "int32_t", "int64_t", "float", "double", "size_t")


def scalar_type(cxx_type: str) -> str:
    """What of PHI's is an attribute of that type or a tensor: one number, or a list of them."""
    return "IntArray" if "vector" in cxx_type else "Scalar"


def _attribute_type(parameter: Parameter, space: str) -> str:
    """`space` is "phi::" where PHI's names need it."""
    if parameter.dynamic:
        return f"const {space}{scalar_type(parameter.cxx_type)}&"
    if parameter.cxx_type == "DataType":
        return f"{space}DataType"
    if parameter.cxx_type in _BY_VALUE:
        return parameter.cxx_type
    return f"const {parameter.cxx_type}&"


@dataclass(frozen=True, slots=True)
class Signature:
    """An operator's kernel: `name` is PHI's, `op_type` Fluid's.

    by_maker: whether a maker listed the names; without one they are in the order of their use.
    default_fits: whether the signature that Fluid makes of the maker's names gets to this kernel.
    """

    op_type: str
    name: str
    parameters: tuple[Parameter, ...]
    is_gradient: bool
    by_maker: bool
    default_fits: bool

    def with_rows(self, fluid_names: Collection[str]) -> Signature:
        """The same, in which those inputs and outputs are SelectedRows."""
        listed = (
            replace(p, rows=p.kind != "attribute" and p.fluid_name in fluid_names)
            for p in self.parameters
        )
        return replace(self, parameters=tuple(listed))

    def of(self, kind: Kind) -> tuple[Parameter, ...]:
        """The parameters of one kind, in their order."""
        return tuple(p for p in self.parameters if p.kind == kind)

    def find(self, kind: Kind, fluid_name: str) -> Parameter | None:
        """The one with that name in Fluid."""
        return next((p for p in self.of(kind) if p.fluid_name == fluid_name), None)

    def dynamic_for(self, input_name: str) -> Parameter | None:
        """The attribute that this input may bring instead."""
        return next((p for p in self.of("attribute") if input_name == p.dynamic), None)


_TYPES = {
    "const Scalar&": "paddle/phi/common/scalar.h",
    "const IntArray&": "paddle/phi/common/int_array.h",
    "const paddle::optional": "paddle/utils/optional.h",
}


def headers(signature: Signature) -> list[str]:
    """What a declaration with these parameters needs, besides tensors."""
    types = [p.type() for p in signature.parameters]
    found = [h for name, h in _TYPES.items() if any(t.startswith(name) for t in types)]
    rows = any(p.rows for p in signature.parameters)
    return [*found, "paddle/phi/core/selected_rows.h"] if rows else found


def _kernel_name(op_type: str) -> str:
    """PHI's name for an operator: without the `_v2` that Fluid gave to a better second one."""
    base, grad = (op_type[:-5], "_grad") if op_type.endswith("_grad") else (op_type, "")
    return base.removesuffix("_v2") + grad


def of_forward(
    op_type: str, maker: Maker, reads: set[str], dynamic: dict[str, str], data_types: set[str]
) -> Signature:
    """From an op maker. `reads` are the names that a kernel asks for, `dynamic` the attributes that
    an input may bring, by name, `data_types` the attributes that are an element type's number."""
    inputs = [
        _variable("input", v)
        for v in maker.inputs
        if v.name not in dynamic.values() and not (_is_extra(v.flags) and v.name not in reads)
    ]
    attributes = [
        _attribute(a, dynamic, data_types)
        for a in maker.attributes
        if a.name in reads or not (_is_extra(a.flags) or a.name in NEVER_PARAMETERS)
    ]
    outputs = [
        _variable("output", v)
        for v in maker.outputs
        if not (_is_extra(v.flags) and v.name not in reads)
    ]
    told = {v.name: v.flags for v in (*maker.inputs, *maker.outputs)}
    told |= {a.name: a.flags for a in maker.attributes}
    fits = not dynamic and all(
        not _is_extra(told[p.fluid_name])
        and p.fluid_name not in NEVER_PARAMETERS
        and not (p.kind == "input" and p.optional)
        for p in (*inputs, *attributes, *outputs)
    )
    parameters = _distinct((*inputs, *attributes, *outputs))
    return Signature(op_type, _kernel_name(op_type), parameters, False, True, fits)


def of_gradient(
    op_type: str,
    maker: Maker,
    forward: Maker,
    attribute_types: dict[str, str],
    data_types: set[str],
) -> Signature:
    """From a grad op maker and the maker of the operator that it is the gradient of.
    `attribute_types`: as what the kernel reads attributes that only the grad op has."""
    told = {v.name: v.flags for v in (*forward.inputs, *forward.outputs)}
    inputs = sorted(maker.inputs, key=lambda v: _PLACES_OF.get(v.came_from[0], 3))
    ordered: list[Parameter] = []
    for variable in inputs:
        flags = told.get(variable.came_from[1], frozenset())
        ordered.append(_variable("input", variable, flags))
    attributes = list(forward.attributes) if maker.all_attributes else []
    known = {a.name: a for a in forward.attributes}
    for own in maker.attributes:
        if all(own.name != a.name for a in attributes):
            same = known.get(own.name)
            spelled = same.type if same else attribute_types.get(own.name, "float")
            attributes.append(Attribute(own.name, spelled, own.node, own.source, own.flags))
    attributes = [
        a for a in attributes if not _is_extra(a.flags) and a.name not in NEVER_PARAMETERS
    ]
    ordered += [_attribute(a, {}, data_types) for a in attributes]
    for variable in maker.outputs:
        ordered.append(_variable("output", variable, told.get(variable.came_from[1], frozenset())))
    return Signature(op_type, _kernel_name(op_type), _distinct(ordered), True, True, False)


def of_use(
    op_type: str, used: Iterable[tuple[Kind, str, str, bool]], data_types: set[str]
) -> Signature:
    """Without a maker: what the kernel asks for (kind, name, type, many), in that order."""
    listed: dict[tuple[Kind, str], Parameter] = {}
    for kind, name, spelled, many in used:
        spelled = "DataType" if name in data_types else spelled
        listed.setdefault(
            (kind, name), Parameter(kind, name, parameter_name(name), False, many, spelled)
        )
    ordered = sorted(listed.values(), key=lambda p: ("input", "attribute", "output").index(p.kind))
    is_gradient = op_type.endswith("_grad")
    parameters = _distinct(ordered)
    return Signature(op_type, _kernel_name(op_type), parameters, is_gradient, False, False)


_PLACES_OF = {"Input": 0, "Output": 1, "OutputGrad": 2}


def _is_extra(flags: frozenset[str]) -> bool:
    return bool(flags & {"AsExtra", "AsQuant"})


def _variable(kind: Kind, variable: Variable, more: frozenset[str] = frozenset()) -> Parameter:
    flags = variable.flags | more
    return Parameter(
        kind,
        variable.name,
        parameter_name(variable.name),
        kind == "input" and ("AsDispensable" in flags or variable.in_an_if),
        "AsDuplicable" in flags,
        in_an_if=variable.in_an_if,
        node=variable.node,
        source=variable.source,
    )


def _attribute(attribute: Attribute, dynamic: dict[str, str], data_types: set[str]) -> Parameter:
    return Parameter(
        "attribute",
        attribute.name,
        parameter_name(attribute.name),
        cxx_type="DataType" if attribute.name in data_types else attribute.type,
        dynamic=dynamic.get(attribute.name, ""),
        as_tensor="SupportTensor" in attribute.flags,
        node=attribute.node,
        source=attribute.source,
    )


def _distinct(parameters: Iterable[Parameter]) -> tuple[Parameter, ...]:
    """An input `Scale` beside an attribute `scale`: the later one says what it is."""
    taken = {"dev_ctx"}
    found: list[Parameter] = []
    for parameter in parameters:
        name = parameter.name
        if name in taken:
            name = (
                f"{name}_{ {'input': 'in', 'attribute': 'attr', 'output': 'out'}[parameter.kind] }"
            )
        taken.add(name)
        found.append(_renamed(parameter, name))
    return tuple(found)


def _renamed(parameter: Parameter, name: str) -> Parameter:
    return parameter if parameter.name == name else replace(parameter, name=name)
