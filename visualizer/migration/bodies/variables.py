"""A value that was read from the context, and the variable that kept it.

Mostly the variable goes, and the parameter stands wherever it was used. An input was a pointer and is
a reference now, so `x->dims()` becomes `x.dims()`, `*x` becomes `x`, and a bare `x` `&x`. Where the
variable must stay (it has another type than the attribute, or is changed while the parameter can't
be), only what it is made of changes, and its own name if the parameter has that one.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.bodies.body import Body, anchor_of, rule_of
from visualizer.migration.bodies.uses import is_asked_for, is_assigned, is_changed, is_dereference
from visualizer.migration.reading.context_reads import Read, with_cast
from visualizer.migration.reading.scopes import Local
from visualizer.migration.signature import Parameter


def put_value(body: Body, read: Read, parameter: Parameter, text: str, rule: str) -> None:
    """The read where it stands, replaced."""
    node = with_cast(body.rewriter.source, read)
    body.rewriter.put(node, text, rule=rule, anchor=anchor_of(parameter))


def put_parameter(
    body: Body, read: Read, parameter: Parameter, how: str, name: str, rule: str
) -> None:
    """A read that may be kept in a variable; how is "&" if a pointer to the parameter is meant."""
    rewriter = body.rewriter
    node = with_cast(rewriter.source, read)
    whole = node
    outer = node.parent
    if outer is not None and is_dereference(outer) and how == "&":
        whole, how = outer, "="
    local = kept_in(body, whole)
    if local is not None and _may_go(body, local, parameter, how):
        assert local.declaration is not None
        body.take_out(local.declaration, rule, anchor_of(parameter))
        for use in local.uses:
            _put_use(body, use, parameter, how, name)
        return
    if how == "=":
        rewriter.put(whole, name, rule=rule, anchor=anchor_of(parameter))
        return
    _put_pointer(body, whole, name, rule, anchor_of(parameter))


def kept_in(body: Body, value: Node) -> Local | None:
    """The variable that is declared with this value."""
    locals_here = body.rewriter.locals
    return next((v for v in locals_here if v.value is not None and v.value == value), None)


def _may_go(body: Body, local: Local, parameter: Parameter, how: str) -> bool:
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
        return not any(is_changed(u) for u in local.uses)
    if parameter.many:
        return not any(is_changed(u) for u in local.uses)
    if how == "&":
        return not any(is_assigned(use) for use in local.uses)
    return local.kind in ("&", "*", "") and not (local.kind == "" and spelled != "auto")


def _is_const(statement: Node) -> bool:
    return any(c.type == "type_qualifier" for c in statement.named_children)


def _put_use(body: Body, use: Node, parameter: Parameter, how: str, name: str) -> None:
    if how == "=":
        outer = use.parent
        method = outer.child_by_field_name("field") if outer is not None else None
        is_type = method is not None and body.rewriter.source.spell(method) == "type"
        if parameter.kind == "output" and method is not None and is_type:
            body.rewriter.put(method, "dtype", rule="dtype_of")
        if body.rewriter.source.spell(use) != name:
            body.rewriter.put(use, name, rule=rule_of(parameter), anchor=anchor_of(parameter))
        return
    _put_pointer(body, use, name, rule_of(parameter), anchor_of(parameter))


def _put_pointer(body: Body, node: Node, name: str, rule: str, anchor: str) -> None:
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
    if outer is not None and is_dereference(outer):
        rewriter.put(outer, name, rule=rule, anchor=anchor)
        return
    if outer is not None and is_asked_for(outer):
        rewriter.note(node, "input", f"{name} is always there: what if it isn't, has no sense")
    rewriter.put(node, f"&{name}", rule=rule, anchor=anchor)


def make_room(body: Body) -> None:
    """A variable that stays can't have a parameter's name."""
    for local in body.rewriter.locals:
        statement = local.declaration
        if local.name not in body.taken or statement is None or body.is_gone(statement):
            continue
        is_parameter = statement.type == "parameter_declaration"
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
