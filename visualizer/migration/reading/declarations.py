"""What a Fluid operator's files declare, and what registers it.

Fluid says everything with classes, and their base tells what each is for: OpKernel computes,
OperatorWithKernel infers shapes, OpProtoAndCheckerMaker lists names, SingleGradOpMaker says how the
gradient's call is made. Everything else is a declaration like any other: what kernels call.

The macros at the end say which of them belong to which operator. REGISTER_OP_CPU_KERNEL and its
sisters have the backend in their name; REGISTER_OP_KERNEL is told a library and a place, which PHI
made one backend of. PD_REGISTER_STRUCT_KERNEL put Fluid's classes into PHI's registry, as they were:
it takes a class that is a template over the type and the context, and lists the types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.reading.fluid_text import FluidText, walk
from visualizer.migration.reading.names import (
    Aliases,
    method_of_call,
    parts_of_call,
    qualified,
    template_arguments,
)


@dataclass(frozen=True, slots=True)
class Class:
    """A class of Fluid's: `item` is the whole declaration, with its template and its semicolon.
    `special` are the arguments that a specialisation of a template is for, `template` its type
    parameters' names."""

    source: FluidText
    name: str
    special: tuple[str, ...]
    item: Span
    node: Node
    template: tuple[str, ...]
    base: str
    base_arguments: tuple[str, ...]
    methods: dict[str, Node]  # function_definition by name, in the class or outside of it

    @property
    def compute(self) -> Node | None:
        """What a kernel does when it runs."""
        return self.methods.get("Compute") or self.methods.get("operator()")

    @property
    def key(self) -> str:
        """`FlipKernel<platform::CPUDeviceContext, T>`: what no other class is called."""
        return f"{self.name}<{', '.join(self.special)}>" if self.special else self.name

    @property
    def arguments(self) -> tuple[str, ...]:
        """By which names the arguments go that a registration gives."""
        return self.special or self.template

    def serves(self, arguments: Iterable[str]) -> bool:
        """Whether a template's specialisation is one for these."""
        pairs = zip(self.special, arguments, strict=False)
        return all(own in self.template or _last(own) == _last(given) for own, given in pairs)


def _last(name: str) -> str:
    return name.rpartition("::")[2]


@dataclass(frozen=True, slots=True)
class Variable:
    """An input or an output, as the op maker or the grad op maker adds it. `node` is the call."""

    name: str
    node: Node
    source: FluidText
    flags: frozenset[str] = frozenset()
    came_from: tuple[str, str] = ("", "")  # ("OutputGrad", "Out"), for a grad op's
    in_an_if: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    name: str
    type: str
    node: Node
    source: FluidText
    flags: frozenset[str] = frozenset()


@dataclass(slots=True)
class Maker:
    """The names of an operator, in the order of its maker. `template`: its class's type parameters;
    `all_attributes`: the forward's, too. A gradient's `op_type`, or the `suffix` that makes it of the
    forward's."""

    node: Node
    source: FluidText
    template: tuple[str, ...] = ()
    inputs: list[Variable] = field(default_factory=list)
    outputs: list[Variable] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    all_attributes: bool = False
    op_type: str = ""
    suffix: str = ""
    unnamed: list[Node] = field(default_factory=list)  # adds something under no plain name

    def of(self, arguments: Iterable[str]) -> Maker:
        """The maker with these template arguments: of `OpMaker<float>` an attribute is a float."""
        given = dict(zip(self.template, arguments, strict=False))
        attributes = [replace(a, type=given.get(a.type, a.type)) for a in self.attributes]
        return replace(self, attributes=attributes)


@dataclass(frozen=True, slots=True)
class RegisteredClass:
    """`context` is the argument behind those that the registration spells, where a macro adds one."""

    name: str
    arguments: tuple[Node, ...]
    node: Node
    context: str = ""


@dataclass(frozen=True, slots=True)
class KernelRegistration:
    """`REGISTER_OP_CPU_KERNEL(trace, …)`: `statement` has its semicolon. `customized`: the number by
    which Fluid knew this kernel from another one of the same key."""

    op_type: str
    backend: str
    layout: str
    classes: tuple[RegisteredClass, ...]
    source: FluidText
    statement: Node
    customized: str = ""


@dataclass(frozen=True, slots=True)
class OperatorRegistration:
    op_type: str
    classes: tuple[RegisteredClass, ...]
    source: FluidText
    statement: Node

    @property
    def names(self) -> tuple[str, ...]:
        """Those of its classes."""
        return tuple(c.name for c in self.classes)

    def maker(self, fluid: Fluid) -> Maker | None:
        """What makes its OpProto, if that is in these files."""
        for one in self.classes:
            if (found := fluid.makers.get(one.name)) is not None:
                return found.of(self.source.spell(node) for node in one.arguments)
        return None


Key = tuple[str, str]  # the class that a declaration is a member of, and its name


@dataclass(frozen=True, slots=True)
class Declaration:
    """What is none of the classes above. `name` is "" for what declares no name. `owner`: the
    operator's class that it is a member of, which other functions may call it by."""

    name: str
    item: Span
    node: Node
    source: FluidText
    owner: str = ""

    @property
    def key(self) -> Key:
        """By which it is found."""
        return self.owner, self.name


@dataclass(slots=True)
class Fluid:
    """All that the files of an operator hold; `kernels` by their keys."""

    sources: tuple[FluidText, ...]
    aliases: tuple[Aliases, ...]
    kernels: dict[str, Class] = field(default_factory=dict)
    operators: dict[str, Class] = field(default_factory=dict)
    makers: dict[str, Maker] = field(default_factory=dict)
    grad_makers: dict[str, Maker] = field(default_factory=dict)
    declarations: list[Declaration] = field(default_factory=list)
    kernel_registrations: list[KernelRegistration] = field(default_factory=list)
    operator_registrations: list[OperatorRegistration] = field(default_factory=list)

    def kernel(self, source: FluidText, registered: RegisteredClass) -> Class | None:
        """The class that is registered: the specialisation that serves its arguments, if there is
        one."""
        given = [source.spell(node) for node in registered.arguments]
        given += [registered.context] if registered.context else []
        named = [c for c in self.kernels.values() if c.name == registered.name]
        special = next((c for c in named if c.special and c.serves(given)), None)
        return special or next((c for c in named if not c.special), None)

    def source_of(self, node: Node) -> FluidText:
        """The file in which a node stands: a method may be defined in another than its class."""
        root = node
        while root.parent is not None:
            root = root.parent
        return next(source for source in self.sources if source.root.id == root.id)


# --- A class as it is declared --------------------------------------------------------------------


def read_class(source: FluidText, item: Node, node: Node) -> Class | None:
    """A class by its declaration: `item` is all of it, `node` the class in its template. None if it
    has no name."""
    name = node.child_by_field_name("name")
    if name is None:
        return None
    base = ""
    arguments: tuple[str, ...] = ()
    clause = next((c for c in node.children if c.type == "base_class_clause"), None)
    if clause is not None:
        bases = [c for c in clause.named_children if c.type != "access_specifier"]
        if bases:
            base = qualified(source, bases[0]).parts[-1]
            arguments = tuple(source.spell(a) for a in template_arguments(bases[0]))
    special = template_arguments(name) if name.type == "template_type" else ()
    plain = name.child_by_field_name("name") if special else name
    return Class(
        source,
        source.spell(plain or name),
        tuple(source.spell(argument) for argument in special),
        with_semicolon(item),
        node,
        type_parameters(source, item),
        base,
        arguments,
        dict(_methods(source, node)),
    )


def type_parameters(source: FluidText, item: Node) -> tuple[str, ...]:
    """The names of a template's parameters."""
    listed = item.child_by_field_name("parameters") if item.type == "template_declaration" else None
    found: list[str] = []
    for parameter in listed.named_children if listed is not None else ():
        names = [n for n in walk(parameter) if n.type in ("type_identifier", "identifier")]
        if names:
            found.append(source.spell(names[-1]))
    return tuple(found)


def _methods(source: FluidText, node: Node) -> Iterator[tuple[str, Node]]:
    body = node.child_by_field_name("body")
    for member in body.named_children if body is not None else ():
        function = inside_template(member)
        if function.type != "function_definition":
            continue
        declarator = function.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "function_declarator":
            declarator = declarator.named_children[-1] if declarator.named_children else None
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        if name is not None:
            yield source.spell(name), function


def is_functor(found: Class) -> bool:
    """A class that is called with an ExecutionContext: for kernels to which types are all one."""
    call = found.methods.get("operator()")
    head = call.child_by_field_name("declarator") if call is not None else None
    return not found.base and head is not None and b"ExecutionContext" in (head.text or b"")


def inside_template(node: Node) -> Node:
    """What a template declares, or the node itself."""
    while node.type == "template_declaration":
        node = node.named_children[-1]
    return node


def declared_name(node: Node) -> Node | None:
    """The name in a declaration, whatever pointers and parameters stand around it."""
    here = node.child_by_field_name("declarator")
    while here is not None and here.type not in ("identifier", "qualified_identifier"):
        here = here.child_by_field_name("declarator") or (
            here.named_children[-1] if here.named_children else None
        )
    return here


def with_semicolon(node: Node) -> Span:
    """A declaration's whole stretch."""
    after = node.next_sibling
    return Span(node.start_byte, after.end_byte if after and after.type == ";" else node.end_byte)


# --- Registrations --------------------------------------------------------------------------------


_BACKENDS = {
    "REGISTER_OP_CPU_KERNEL": ("CPU", "ALL_LAYOUT"),
    "REGISTER_OP_CUDA_KERNEL": ("GPU", "ALL_LAYOUT"),
    "REGISTER_OP_XPU_KERNEL": ("XPU", "ALL_LAYOUT"),
    "REGISTER_OP_CPU_KERNEL_FUNCTOR": ("CPU", "ALL_LAYOUT"),
    "REGISTER_OP_CUDA_KERNEL_FUNCTOR": ("GPU", "ALL_LAYOUT"),
}


_LIBRARIES = {"CUDNN": ("GPUDNN", "ALL_LAYOUT"), "MKLDNN": ("OneDNN", "ONEDNN")}
_PLACES = {"CPUPlace": "CPU", "CUDAPlace": "GPU", "XPUPlace": "XPU"}


def read_registration(fluid: Fluid, source: FluidText, statement: Node) -> bool:
    """A statement that may be one of the macros; then the registration is added to `fluid`."""
    if statement.type == "function_definition":  # as the grammar has a macro with braces behind it
        return _read_structures(fluid, source, statement)
    if statement.type != "expression_statement":
        return False
    call = statement.named_children[0] if statement.named_children else None
    if call is None or call.type != "call_expression":
        return True
    _, macro, _ = method_of_call(source, call)
    arguments = parts_of_call(call)[1]
    if not arguments:
        return True
    op_type = source.spell(arguments[0])
    if macro in ("REGISTER_OPERATOR", "REGISTER_OP_WITHOUT_GRADIENT"):
        classes = tuple(_registered(source, a) for a in arguments[1:])
        registration = OperatorRegistration(op_type, classes, source, statement)
        fluid.operator_registrations.append(registration)
    elif macro in _BACKENDS:
        registered = tuple(_registered(source, a) for a in arguments[1:])
        backend, layout = _BACKENDS[macro]
        if macro.endswith("_FUNCTOR"):  # a data type before each class
            registered = tuple(
                RegisteredClass(c.name, (t,), c.node)
                for t, c in zip(arguments[1::2], registered[1::2], strict=False)
            )
        fluid.kernel_registrations.append(
            KernelRegistration(op_type, backend, layout, registered, source, statement)
        )
    elif macro in _OF_A_LIBRARY and len(arguments) > _OF_A_LIBRARY[macro]:
        first = _OF_A_LIBRARY[macro]
        place = qualified(source, arguments[2]).parts[-1]
        library = source.spell(arguments[1])
        backend, layout = _LIBRARIES.get(library, (_PLACES.get(place, "CPU"), "ALL_LAYOUT"))
        registered = tuple(_registered(source, a) for a in arguments[first:])
        customized = source.spell(arguments[4]) if first > 4 else ""
        fluid.kernel_registrations.append(
            KernelRegistration(op_type, backend, layout, registered, source, statement, customized)
        )
    return True


# Where the classes begin among the arguments.
_OF_A_LIBRARY = {"REGISTER_OP_KERNEL": 3, "REGISTER_OP_KERNEL_WITH_CUSTOM_TYPE": 5}


def _read_structures(fluid: Fluid, source: FluidText, definition: Node) -> bool:
    """`PD_REGISTER_STRUCT_KERNEL(cvm, CPU, ALL_LAYOUT, ops::CVMOpKernel, float, double) {}`"""
    head = definition.child_by_field_name("declarator")
    name = head.child_by_field_name("declarator") if head is not None else None
    listed = head.child_by_field_name("parameters") if head is not None else None
    if name is None or listed is None or source.spell(name) != "PD_REGISTER_STRUCT_KERNEL":
        return False
    given = [n.child_by_field_name("type") for n in listed.named_children if n.type != "comment"]
    nodes = [node for node in given if node is not None]
    if len(nodes) < 5:
        return False
    op_type, backend, layout = (source.spell(node) for node in nodes[:3])
    class_name = qualified(source, nodes[3]).parts[-1]
    context = f"phi::{backend}Context"
    classes = tuple(RegisteredClass(class_name, (n,), nodes[3], context) for n in nodes[4:])
    registration = KernelRegistration(op_type, backend, layout, classes, source, definition)
    fluid.kernel_registrations.append(registration)
    return True


def _registered(source: FluidText, node: Node) -> RegisteredClass:
    name = qualified(source, node).parts[-1]
    return RegisteredClass(name, tuple(template_arguments(node)), node)
