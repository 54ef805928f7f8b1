"""Lambda expressions as values: the body, what it captured, and the type of its call operator.

A lambda can be handed to bound Python code like a function of the text. What it returns, C++ finds
out from its `return`; so do we where that takes no more than a glance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx.bindings import refusals_at
from registry_runtime.cxx.context import Context, child, copied, inside, named_variable, span_of
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.id_expression import id_expression
from registry_runtime.cxx.names import NAMES
from registry_runtime.cxx.places import decayed
from registry_runtime.cxx.read_type import declared_parameters, read_type
from registry_runtime.cxx.span import CxxError, NotUnderstood, Span
from registry_runtime.cxx.types import (
    FunctionType,
    NamedType,
    Parameter,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import Cell, Variable, Variables, handed_out, value_of


@dataclass(frozen=True, slots=True, eq=False)
class Lambda:
    """`[&](int i) { … }`: the expression, and a context with the variables that it captured."""

    node: Node
    context: Context

    def __call__(self, *values: object) -> object:
        """Run the body on Python values."""
        return handed_out(self.context.program.execute(self, values))

    def __str__(self) -> str:
        return self.context.spell(self.node)

    @property
    def span(self) -> Span:
        """The whole expression."""
        return self.context.program.source.span(self.node)

    @property
    def type(self) -> FunctionType:
        """What a call of it takes and returns: `auto` where its `return` doesn't say at once."""
        program, place = self.context.program, self.context.place
        declarator = self.node.child_by_field_name("declarator")
        parameters = declared_parameters(program, declarator, place) if declarator else ()
        return FunctionType(self.trailing or self._returned(parameters), parameters)

    @property
    def trailing(self) -> Type | None:
        """What `->` says that a call returns."""
        declarator = self.node.child_by_field_name("declarator")
        for node in declarator.named_children if declarator is not None else ():
            if node.type == "trailing_return_type":
                return read_type(self.context.program, node.named_children[0], self.context.place)
        return None

    def _returned(self, parameters: tuple[Parameter, ...]) -> Type:
        statement = next(returns_in(child(self.node, "body")), None)
        if statement is None or not statement.named_children:
            return NamedType("void")
        value = statement.named_children[0]
        spelling = self.context.program.source.spell(value)
        for parameter in parameters:
            if parameter.name == spelling:
                return without_reference_and_const(parameter.type)
        if value.type in ("true", "false"):
            return NamedType("bool")
        callee = value.child_by_field_name("function")
        if value.type == "call_expression" and callee is not None and callee.type in NAMES:
            try:
                function = id_expression(self.context.program, callee, self.context.place)
            except CxxError:
                function = None
            if isinstance(function, CxxFunction) and function.type is not None:
                return without_reference_and_const(function.type.returns)
        return NamedType("auto")


def returns_in(node: Node) -> Iterator[Node]:
    """The `return`s of a body, but not those of the lambdas in it."""
    for inner in node.named_children:
        if inner.type == "return_statement":
            yield inner
        elif inner.type != "lambda_expression":
            yield from returns_in(inner)


def changes_copies(node: Node) -> CxxError | None:
    """What is said of a `mutable` lambda that holds copies: what a call changes of them the next one
    sees, and no copy of the lambda does, [expr.prim.lambda.capture]. Nobody keeps them here."""
    declarator = node.child_by_field_name("declarator")
    qualifiers = declarator.children if declarator is not None else ()
    word = next((one for one in qualifiers if one.text == b"mutable"), None)
    if word is None or all(_is_by_reference(one) for one in child(node, "captures").named_children):
        return None
    return NotUnderstood("a `mutable` lambda that holds copies", span_of(word))


def _is_by_reference(capture: Node) -> bool:
    by_reference = capture.prev_sibling is not None and capture.prev_sibling.type == "&"
    return by_reference or capture.text in (b"&", b"this") or capture.type == "comment"


def read_lambda(context: Context, node: Node) -> Lambda:
    """The value of a lambda expression: its captures are made now."""
    captures = child(node, "captures")
    if (refusal := changes_copies(node)) is not None:
        raise refusal
    default = next((c for c in captures.children if c.type == "lambda_default_capture"), None)
    if default is not None and context.spell(default) == "&":
        return Lambda(node, context)
    captured = Variables()
    block = context.variables
    named = _identifiers(context, node) if default is not None else frozenset()
    while block is not None:  # [=]: every variable around, as it is now
        for name, variable in block.values.items():
            if variable.is_static:
                captured.values.setdefault(name, variable)
            elif default is not None and name in named:
                captured.values.setdefault(name, _captured(context, variable, node))
        block = block.around
    this = context.this if default is not None else None
    for name_node in captures.named_children:
        if name_node.type in ("comment", "lambda_default_capture"):
            continue
        if name_node.type == "this":
            this = context.this
            continue
        if name_node.type == "lambda_capture_initializer":  # [n = x + 1]
            left, right = child(name_node, "left"), child(name_node, "right")
            made = copied(context.program, decayed(context.evaluate(right)))
            captured.values[context.spell(left)] = Variable(Cell(made), is_const=True)
            continue
        found = named_variable(context, name_node)
        if found is None:
            raise context.not_understood(name_node, f"the capture `{context.spell(name_node)}`")
        by_reference = name_node.prev_sibling is not None and name_node.prev_sibling.type == "&"
        spelling = context.spell(name_node)
        captured.values[spelling] = found if by_reference else _captured(context, found, name_node)
    return Lambda(node, context._replace(variables=captured, this=this))


def _captured(context: Context, variable: Variable, node: Node) -> Variable:
    # A copy reads what it copies, also of what the body never looks at.
    value = refusals_at(span_of(node), [], value_of, variable)
    return Variable(Cell(copied(context.program, value)), is_const=True)


def _identifiers(context: Context, node: Node) -> frozenset[str]:
    # A lambda may be made in each round of a loop, and its text is the same.
    def read() -> frozenset[str]:
        return frozenset(context.spell(one) for one in inside(node) if one.type in _NAMES)

    found: frozenset[str] = context.program.once(("identifiers", node.start_byte), read)
    return found


_NAMES = ("identifier", "type_identifier")  # `int j(n);` is read as a function's declaration
