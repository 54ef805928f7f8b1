"""A body while it is rewritten: what it is given, what has gone from it, and what became of variables.

Mostly the variable that kept what was read from the context goes, and the parameter stands wherever
it was used. An input was a pointer and is a reference now, so `x->dims()` becomes `x.dims()`, `*x`
becomes `x`, and a bare `x` `&x`. Where the variable must stay (it has another type than the
attribute, or is changed while the parameter can't be), only what it is made of changes, and its own
name if the parameter has that one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.reading.attributes import with_cast
from visualizer.migration.reading.fluid_text import is_inside, span_of
from visualizer.migration.reading.functions import ContextCall, Local, kept_in
from visualizer.migration.reading.handing import Handed, parameter_for
from visualizer.migration.reading.signature import Parameter, Signature
from visualizer.migration.rewriting.edits import Rewriter


@dataclass(slots=True)
class FunctionBody:
    """One function's body. `signature` is None for what has no parameters to get; is_meta: an
    InferShape and not a Compute; is_called: a function that kernels call, with parameters of its own.
    handed: what the functions need that are handed a context.

    gone: statements that were taken out. pointers: variables that are still pointers.
    needs_config: whether something asks if the program runs or is being built.
    """

    rewriter: Rewriter
    signature: Signature | None
    is_meta: bool = False
    is_called: bool = False
    handed: Handed = field(default_factory=dict)
    needs_config: bool = False
    gone: list[Span] = field(default_factory=list)
    pointers: set[str] = field(default_factory=set)

    @property
    def taken(self) -> set[str]:
        """Names that the parameters have, so that no variable may have them."""
        parameters = self.signature.parameters if self.signature is not None else ()
        return {"dev_ctx", *(p.name for p in parameters)}

    def take_out(self, statement: Node, rule: str, anchor: str = "") -> None:
        """A whole statement goes."""
        self.gone.append(span_of(statement))
        self.rewriter.take_out(statement, rule, anchor)

    def is_gone(self, node: Node) -> bool:
        """Whether it stands in a statement that was taken out."""
        return any(is_inside(node, span) for span in self.gone)

    def parameter_of(self, read: ContextCall) -> Parameter | None:
        """What stands for the name that is read."""
        return parameter_for(self.signature, read) if self.signature is not None else None

    def cannot(self, read: ContextCall, reason: str) -> None:
        """A person must see to this read."""
        self.rewriter.note(read.call, "unknown", reason)


def rule_of(parameter: Parameter) -> str:
    """The row by which an input or an output became this parameter."""
    if parameter.many:
        return "duplicable"
    if parameter.in_an_if:
        return "in_an_if"
    if parameter.optional:
        return "dispensable"
    return parameter.kind


# --- Values, and the variables that kept them -----------------------------------------------------


def put_value(
    body: FunctionBody, read: ContextCall, parameter: Parameter, text: str, rule: str
) -> None:
    """The read where it stands, replaced."""
    node = with_cast(body.rewriter.source, read)
    body.rewriter.put(node, text, rule=rule, anchor=parameter.anchor)


def put_parameter(
    body: FunctionBody, read: ContextCall, parameter: Parameter, how: str, name: str, rule: str
) -> None:
    """A read that may be kept in a variable; how is "&" if a pointer to the parameter is meant."""
    rewriter = body.rewriter
    node = with_cast(rewriter.source, read)
    whole = node
    outer = node.parent
    if outer is not None and _is_dereference(outer) and how == "&":
        whole, how = outer, "="
    local = kept_in(body.rewriter.locals, whole)
    if local is not None and _may_go(body, local, parameter, how):
        assert local.declaration is not None
        body.take_out(local.declaration, rule, parameter.anchor)
        for use in local.uses:
            _put_use(body, use, parameter, how, name)
        return
    if how == "=":
        rewriter.put(whole, name, rule=rule, anchor=parameter.anchor)
        return
    _put_pointer(body, whole, name, rule, parameter.anchor)


def _may_go(body: FunctionBody, local: Local, parameter: Parameter, how: str) -> bool:
    """Whether the parameter can stand for a variable."""
    statement = local.declaration
    if not local.alone or statement is None or statement.type != "declaration":
        return False
    if statement.parent is None or statement.parent.type != "compound_statement":
        return False
    spelled = body.rewriter.source.spell(local.type_node) if local.type_node else "auto"
    if parameter.kind == "attribute":
        own = parameter.cxx_type
        if spelled not in ("auto", own, own.removeprefix("std::")) and own != "DataType":
            return False
        by_value = parameter.type() == own
        if by_value and own != "DataType":
            return local.kind != "&" or _is_const(statement)
        return not any(_is_changed(u) for u in local.uses)
    if parameter.many:
        return not any(_is_changed(u) for u in local.uses)
    if how == "&":
        return not any(_is_assigned(use) for use in local.uses)
    return local.kind in ("&", "*", "") and not (local.kind == "" and spelled != "auto")


def _is_const(statement: Node) -> bool:
    return any(c.type == "type_qualifier" for c in statement.named_children)


def _put_use(body: FunctionBody, use: Node, parameter: Parameter, how: str, name: str) -> None:
    if how == "=":
        outer = use.parent
        method = outer.child_by_field_name("field") if outer is not None else None
        is_type = method is not None and body.rewriter.source.spell(method) == "type"
        if parameter.kind == "output" and method is not None and is_type:
            body.rewriter.put(method, "dtype", rule="dtype_of")
        if body.rewriter.source.spell(use) != name:
            body.rewriter.put(use, name, rule=rule_of(parameter), anchor=parameter.anchor)
        return
    _put_pointer(body, use, name, rule_of(parameter), parameter.anchor)


def _put_pointer(body: FunctionBody, node: Node, name: str, rule: str, anchor: str) -> None:
    """`node` is a pointer to what `name` is now."""
    rewriter = body.rewriter
    outer = node.parent
    if outer is not None and outer.type == "field_expression":
        operator = outer.child_by_field_name("operator")
        if outer.child_by_field_name("argument") == node and operator is not None:
            span = Span(node.start_byte, operator.end_byte)
            field_node = outer.child_by_field_name("field")
            type_of = field_node is not None and rewriter.source.spell(field_node) == "type"
            rewriter.put(span, f"{name}.", rule=rule, anchor=anchor)
            if type_of and field_node is not None:
                rewriter.put(field_node, "dtype", rule="dtype_of")
            return
    if outer is not None and _is_dereference(outer):
        rewriter.put(outer, name, rule=rule, anchor=anchor)
        return
    if outer is not None and _is_asked_for(outer):
        rewriter.note(node, "input", f"{name} is always there: what if it isn't, has no sense")
    rewriter.put(node, f"&{name}", rule=rule, anchor=anchor)


def make_room(body: FunctionBody) -> None:
    """A variable that stays can't have a parameter's name."""
    for local in body.rewriter.locals:
        statement = local.declaration
        if local.name not in body.taken or statement is None or body.is_gone(statement):
            continue
        is_parameter = statement.type == "parameter_declaration" and not body.is_called
        if is_parameter or local.name_node is None:
            continue
        is_pointer = local.kind == "*" or local.name in body.pointers
        new = f"{local.name}_ptr" if is_pointer else f"{local.name}_value"
        if local.name.endswith("_value"):
            new = f"local_{local.name}"
        body.rewriter.put(local.name_node, new)
        for use in local.uses:
            if not body.is_gone(use):
                body.rewriter.put(use, new)


# --- What is done with a value where it stands ----------------------------------------------------


def stands_alone(node: Node) -> bool:
    """Whether a comparison may take the place of `node` without parentheses."""
    outer = node.parent
    return outer is not None and outer.type in (
        "condition_clause",
        "parenthesized_expression",
        "argument_list",
        "init_declarator",
    )


def _is_dereference(node: Node) -> bool:
    """`*x`, and not `&x`, which has the same node type."""
    return node.type == "pointer_expression" and (node.text or b"").startswith(b"*")


def _is_asked_for(outer: Node) -> bool:
    """Whether `outer` wants to know if a pointer in it is null."""
    if outer.type in ("condition_clause", "unary_expression", "conditional_expression"):
        return True
    return outer.type == "binary_expression" and any(
        c.type == "null" or (c.text or b"") == b"NULL" for c in outer.named_children
    )


_MUTATORS = frozenset(
    [
        "push_back",
        "emplace_back",
        "pop_back",
        "erase",
        "insert",
        "clear",
        "resize",
        "assign",
        "swap",
        "append",
        "reserve",
    ]
)


def _is_changed(use: Node) -> bool:
    """Whether a variable is changed here, as far as one sees."""
    if _is_assigned(use):
        return True
    outer = use.parent
    if outer is not None and outer.type == "subscript_expression":
        return _is_assigned(outer)
    if outer is not None and outer.type == "field_expression":
        method = outer.child_by_field_name("field")
        return method is not None and (method.text or b"").decode() in _MUTATORS
    if outer is not None and outer.type == "pointer_expression":
        return (outer.text or b"").startswith(b"&")
    return False


def _is_assigned(use: Node) -> bool:
    """Whether it gets a new value here: `x = …`, `x += …`, `++x`."""
    outer = use.parent
    if outer is None:
        return False
    if outer.type == "assignment_expression":
        return outer.child_by_field_name("left") == use
    return outer.type == "update_expression"
