"""An entry of Fluid's registries, told: an operator's names and what goes with it, a kernel's two keys.

Of an operator there is much to tell that no type says: its maker was run, and the OpProto holds what
that said; its grad op maker can be run on a made-up call, to see what call it writes; the class in
whose body it stands asks for names. Of a kernel there is little: its key, the class, and what the
class's body will ask its context for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from registry_runtime.cxx import CxxClass, CxxError, CxxFunction, Span
from registry_runtime.fluid.grad_op_maker import OpDesc
from registry_runtime.fluid.made_up_gradient import made_up_gradient
from registry_runtime.fluid.name_check import asked_names
from registry_runtime.fluid.op_info import OpInfo
from registry_runtime.fluid.op_kernel_type import OpKernelType
from registry_runtime.fluid.op_proto import NO_DEFAULT, NOWHERE, Attr, OpProto, Var
from registry_runtime.phi.backend import CustomRegisteredDeviceMap
from registry_runtime.phi.enforce import EnforceNotMet

_MARKS = ("duplicable", "intermediate", "dispensable", "extra", "quant", "support_tensor")


@dataclass(frozen=True, slots=True)
class ProtoRow:
    """One name of an operator. `default` is as Python writes it, empty where a call must give it;
    `span` is the call in the maker's body that added it, None for what every operator has."""

    kind: str
    name: str
    type: str
    flags: tuple[str, ...]
    default: str
    comment: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class KeyMember:
    """One member of a kernel's key: what it is in Fluid's, and what PHI's keeps of it."""

    name: str
    in_fluid: str
    in_phi: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Names that the body of a class asks for: inputs, outputs, attributes, each once, in order."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attrs: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.inputs or self.outputs or self.attrs)


def short(spelling: str) -> str:
    """A class or a type without the namespaces in which Paddle's own stand."""
    return _NAMESPACES.sub("", spelling)


_NAMESPACES = re.compile(
    r"(?:::)?\b(?:paddle::(?:operators|framework|platform|imperative)|phi(?:::dtype)?)::"
)


def key_label(key: OpKernelType | str) -> str:
    """A kernel's key in short, `{float; AnyLayout; cpu; PLAIN}`; of an operator, `operator`."""
    if isinstance(key, str):
        return key
    layout = str(key.data_layout).removeprefix("Undefined(").removesuffix(")")
    place = str(key.place).removeprefix("Place(").removesuffix(")")
    return f"{{{short(str(key.data_type))}; {layout}; {place}; {key.library_type!s}}}"


def proto_rows(proto: OpProto, *, of_every_operator: bool = False) -> list[ProtoRow]:
    """An operator's names in the maker's order; with those that Fluid adds to every operator's, if
    asked."""
    rows = [_var("input", var) for var in proto.inputs]
    rows += [_var("output", var) for var in proto.outputs]
    rows += [_attr(attr) for attr in proto.attrs]
    return [row for row in rows if of_every_operator or row.span is not None]


def _var(kind: str, var: Var) -> ProtoRow:
    return ProtoRow(kind, var.name, "", _flags(var), "", var.comment, _place(var))


def _attr(attr: Attr) -> ProtoRow:
    default = "" if attr.default is NO_DEFAULT else default_text(attr.default)
    return ProtoRow("attr", attr.name, attr.type, _flags(attr), default, attr.comment, _place(attr))


def default_text(value: object) -> str:
    """A default as C++ would have it in braces: `1`, `true`, `"NCHW"`, `{1, 1}`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return f"{{{', '.join(map(default_text, value))}}}"
    return str(value)


def _flags(of: Var | Attr) -> tuple[str, ...]:
    return tuple(mark for mark in _MARKS if getattr(of, mark, False))


def _place(of: Var | Attr) -> Span | None:
    return None if of.span == NOWHERE else of.span


def gradient_call(op_type: str, info: OpInfo) -> OpDesc | str | None:
    """The call that the grad op maker writes, of a call in which each variable is called as the name
    that it stands under. A sentence where that fails; None where there is no maker, or it is empty."""
    try:
        return made_up_gradient(op_type, info)
    except (CxxError, EnforceNotMet) as error:
        return str(error)


def asked_for(of: CxxClass, within: CxxFunction | None = None) -> Asked:
    """What the bodies of a class ask for by name; if one of them is given, that one."""
    bounds = _body(within) if within is not None else None
    found: dict[str, dict[str, None]] = {"input": {}, "output": {}, "attribute": {}}
    for kind, call in asked_names(of):
        if bounds is None or bounds.start <= call.span.start < bounds.end:
            found[kind][call.name] = None
    return Asked(*(tuple(names) for names in found.values()))


def _body(function: CxxFunction) -> Span:
    """From `{` to `}`; an empty span for a function that is only declared."""
    bodies = (d.body for d in function.declarations if d.body is not None)
    body = next(bodies, None)
    return NOWHERE if body is None else function.program.source.span(body)


def infer_meta_name(info: OpInfo) -> str:
    """The function of PHI's that an InferShapeFunctor calls: what PD_INFER_META was given."""
    if info.infer_meta is None:
        return ""
    function = info.infer_meta.function
    body = _body(function)
    found = re.search(r"&\s*([\w:]+)", function.program.source.text[body.start : body.end])
    return found[1] if found else ""


def infers_shapes(info: OpInfo) -> str:
    """The function that says what comes out; empty for an operator that has none."""
    return info.infer_shape.function.name if info.infer_shape else ""


def no_kernel_needs(info: OpInfo) -> Sequence[str]:
    """Inputs of which nothing but the shape is wanted, so that their memory may go."""
    return info.no_need_buffer_vars or ()


def key_members(key: OpKernelType, devices: CustomRegisteredDeviceMap) -> Iterator[KeyMember]:
    """The five members of Fluid's key, beside the three of PHI's that they became."""
    phi = key.phi_kernel_key(devices)
    by_library = phi.backend.name != key.place.type.name
    yield KeyMember("data type", str(key.data_type), f"dtype {phi.dtype}")
    yield KeyMember(
        "place",
        str(key.place),
        "gone: the backend says it" if by_library else f"backend {phi.backend}",
    )
    yield KeyMember("layout", str(key.data_layout), f"layout {phi.layout}")
    yield KeyMember(
        "library",
        str(key.library_type),
        f"backend {phi.backend}" if by_library else "gone: the backend says it",
    )
    yield KeyMember("customized", str(key.customized_type_value), "gone")
