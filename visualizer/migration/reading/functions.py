"""Inside of a function: which declaration a name means, and what is asked of the context.

A kernel reads its input once, `ctx.Input<Tensor>("X")`, into a local variable, and names that
variable from there on; another block may have one of the same name. So the uses of each variable are
found by C++'s scopes: a name means the innermost declaration before it. The context is a variable
like any other, and every migration turns on its uses. A read is such a use: the call, the method, the
name that it gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.fluid_text import FluidText
from visualizer.migration.reading.names import (
    first_name,
    method_of_call,
    parts_of_call,
    template_arguments,
)


@dataclass(slots=True)
class Local:
    """A variable of a function. `kind` is what its declarator says: a plain one, `*` or `&`.

    `declaration` is the whole statement, `alone` whether it declares nothing else; `uses` leaves
    the declaration out.
    """

    name: str
    kind: str
    declaration: Node | None
    name_node: Node | None
    type_node: Node | None
    value: Node | None
    alone: bool = True
    uses: list[Node] = field(default_factory=list)


_SCOPES = (
    "compound_statement",
    "for_statement",
    "for_range_loop",
    "if_statement",
    "while_statement",
    "switch_statement",
    "catch_clause",
    "lambda_expression",
)
_DECLARATORS = {"pointer_declarator": "*", "reference_declarator": "&", "array_declarator": "[]"}


def locals_of(source: FluidText, function: Node) -> list[Local]:
    """The parameters and variables of a function_definition, in the order of their declarations. They
    are read once, for many ask: each call that is followed asks for those of what it calls."""
    if function.id not in source.locals:
        source.locals[function.id] = _read_locals(source, function)
    return source.locals[function.id]


def _read_locals(source: FluidText, function: Node) -> list[Local]:
    reader = _Reader(source)
    declarator = function.child_by_field_name("declarator")
    body = function.child_by_field_name("body")
    if declarator is not None:
        reader.parameters(declarator)
    if body is not None:
        reader.visit(body)
    return reader.found


@dataclass(slots=True)
class _Reader:
    source: FluidText
    scopes: list[dict[str, Local]] = field(default_factory=lambda: [{}])
    found: list[Local] = field(default_factory=list)

    def declare(self, local: Local) -> None:
        self.scopes[-1][local.name] = local
        self.found.append(local)

    def use(self, node: Node) -> None:
        name = self.source.spell(node)
        for scope in reversed(self.scopes):
            if name in scope:
                scope[name].uses.append(node)
                return

    def parameters(self, declarator: Node) -> None:
        while declarator.type != "function_declarator":
            inner = declarator.child_by_field_name("declarator")
            if inner is None and declarator.named_children:
                inner = declarator.named_children[-1]
            if inner is None:
                return
            declarator = inner
        listed = declarator.child_by_field_name("parameters")
        for parameter in listed.named_children if listed is not None else ():
            if parameter.type in ("parameter_declaration", "optional_parameter_declaration"):
                named, kind = _named(parameter.child_by_field_name("declarator"))
                if named is not None:
                    type_node = parameter.child_by_field_name("type")
                    name = self.source.spell(named)
                    self.declare(Local(name, kind, parameter, named, type_node, None))

    def visit(self, node: Node) -> None:
        if node.type in _SCOPES:
            self.scopes.append({})
            self._inside(node)
            self.scopes.pop()
        else:
            self._inside(node)

    def visit_all(self, nodes: Iterable[Node | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def _inside(self, node: Node) -> None:
        if node.type == "declaration":
            self._declaration(node)
        elif node.type == "for_range_loop":
            self.visit_all([node.child_by_field_name("type"), node.child_by_field_name("right")])
            self._variable(node, node.child_by_field_name("declarator"), None, alone=False)
            self.visit_all([node.child_by_field_name("body")])
        elif node.type == "lambda_expression":
            self.visit_all([node.child_by_field_name("captures")])
            declarator = node.child_by_field_name("declarator")
            if declarator is not None:
                self.parameters(declarator)
            self.visit_all([node.child_by_field_name("body")])
        elif node.type in ("identifier", "type_identifier"):
            self.use(node)
        elif node.type in ("qualified_identifier", "template_function", "template_type"):
            for child in node.named_children:
                if child.type not in ("identifier", "type_identifier", "namespace_identifier"):
                    self.visit(child)
        elif node.type in ("alias_declaration", "using_declaration"):
            pass
        else:
            self.visit_all(node.children)

    def _declaration(self, node: Node) -> None:
        self.visit_all([node.child_by_field_name("type")])
        declarators = node.children_by_field_name("declarator")
        for declarator in declarators:
            if declarator.type == "init_declarator":
                value = declarator.child_by_field_name("value")
                inner = declarator.child_by_field_name("declarator")
                self._variable(node, inner, value, alone=len(declarators) == 1)
                self.visit_all([value])
            else:
                self._variable(node, declarator, None, alone=len(declarators) == 1)

    def _variable(
        self, declaration: Node, declarator: Node | None, value: Node | None, alone: bool
    ) -> None:
        named, kind = _named(declarator)
        if declarator is not None and kind == "()":  # `F f(x, y);`: a variable and its arguments
            self.visit_all([_below(declarator).child_by_field_name("parameters")])
        if named is not None:
            type_node = declaration.child_by_field_name("type")
            name = self.source.spell(named)
            self.declare(Local(name, kind, declaration, named, type_node, value, alone))


def _below(declarator: Node) -> Node:
    while declarator.type != "function_declarator":
        declarator = declarator.named_children[-1]
    return declarator


def _named(declarator: Node | None) -> tuple[Node | None, str]:
    """The name that a declarator declares, and what surrounds it."""
    kind = ""
    while declarator is not None and declarator.type not in ("identifier", "field_identifier"):
        if declarator.type == "function_declarator":
            kind = kind or "()"
        kind = kind or _DECLARATORS.get(declarator.type, "")
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            names = [c for c in declarator.named_children if c.type != "type_qualifier"]
            inner = names[-1] if names else None
        declarator = inner
    return declarator, kind


def kept_in(variables: Iterable[Local], value: Node) -> Local | None:
    """The variable that is declared with this value."""
    return next((v for v in variables if v.value is not None and v.value == value), None)


# --- What is asked of the context -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ContextCall:
    """One call of a context's method. `name` is None where there is none, or it isn't a literal.

    use: the identifier of the context. type: what stands in `<…>`, if anything.
    """

    call: Node
    use: Node
    method: str
    name: str | None
    type: str
    arguments: tuple[Node, ...]


TENSORS = {"Input": False, "MultiInput": True, "Inputs": True}
OUTPUTS = {"Output": False, "MultiOutput": True, "Outputs": True}
ATTRIBUTES = ("Attr", "Get")


def context_of(source: FluidText, variables: list[Local]) -> Local | None:
    """The parameter that is an ExecutionContext or an InferShapeContext."""
    return next((v for v in variables if is_fluid_context(source, v)), None)


def is_fluid_context(source: FluidText, local: Local) -> bool:
    """Whether a variable is an ExecutionContext or an InferShapeContext."""
    spelled = source.spell(local.type_node) if local.type_node is not None else ""
    return spelled.endswith(("ExecutionContext", "InferShapeContext"))


def reads(fluid: Fluid, source: FluidText, context: Local) -> Iterator[ContextCall]:
    """Every use of the context that is the call of a method."""
    for use in context.uses:
        call = call_on(use)
        if call is None:
            continue
        _, method, named = method_of_call(source, call)
        if method == "Attrs" and (outer := call_on(call)) is not None:  # ctx->Attrs().Get<T>(…)
            call = outer
            _, method, named = method_of_call(source, call)
        arguments = parts_of_call(call)[1]
        types = template_arguments(named)
        yield ContextCall(
            call,
            use,
            method,
            first_name(source, fluid.aliases[source.index], arguments),
            source.spell(types[0]) if types else "",
            tuple(arguments),
        )


def call_on(receiver: Node) -> Node | None:
    """`receiver.method(…)`."""
    field = receiver.parent
    if field is None or field.type != "field_expression":
        return None
    if field.child_by_field_name("argument") != receiver:
        return None
    call = field.parent
    return call if call is not None and call.type == "call_expression" else None


def reads_of(fluid: Fluid, source: FluidText, function: Node) -> list[ContextCall]:
    """The same for a function_definition, whose context is found first."""
    context = context_of(source, locals_of(source, function))
    return [] if context is None else list(reads(fluid, source, context))


def is_selected_rows(read: ContextCall) -> bool:
    """`ctx.Input<framework::SelectedRows>("X")`"""
    return read.type.rpartition("::")[2] == "SelectedRows"
