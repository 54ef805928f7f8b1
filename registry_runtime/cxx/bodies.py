"""Where a text has a function's body, or a class's: to say whether two texts have the same.

A body is no more than what it names: one that hands on to a functor of the text is another body where
the functor is another. So what the text declares, and the body names, counts with it, and what that
names in turn; of a template its specialisations too. Members of objects don't: whose they are is known
only once the body runs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

from tree_sitter import Node

from registry_runtime.cxx.classes import CxxClass
from registry_runtime.cxx.context import Place, inside
from registry_runtime.cxx.definitions import body_node
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.id_expression import id_expression
from registry_runtime.cxx.names import NAMES, qualified_name
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, Span

_Named = dict[str, list[Node]]


def body_spans(of: CxxFunction | CxxClass) -> tuple[Span, ...]:
    """Where its body stands, and then what that names; nothing where the text has no body."""
    return tuple(map(of.program.source.span, _nodes(of)))


def is_empty(of: CxxFunction | CxxClass) -> bool:
    """Whether the text has its body, and nothing stands in that."""
    nodes = _nodes(of)
    return bool(nodes) and all(child.type == "comment" for child in nodes[0].named_children)


def called_last(of: CxxFunction) -> CxxFunction | None:
    """The function that the last call in its body names, where the text declares that."""
    body = body_node(of)
    called: CxxFunction | None = None
    for node in inside(body) if body is not None else ():
        callee = node.child_by_field_name("function") if node.type == _CALL else None
        if callee is None or callee.type not in NAMES:
            continue
        with suppress(CxxError):
            found = id_expression(of.program, callee, Place(of.declarations[0].scope))
            if isinstance(found, CxxFunction) and found.declarations:
                called = found
    return called


def missing_bodies(of: CxxFunction | CxxClass) -> Iterator[str]:
    """The names of functions whose bodies count with it, and that this text doesn't have: its own, or
    one that it calls. A header may have it."""
    program, nodes = of.program, _nodes(of)
    if not nodes:
        yield of.name
    for node in nodes:
        for call in inside(node):
            callee = call.child_by_field_name("function") if call.type == _CALL else None
            if callee is None or callee.type not in NAMES:
                continue
            with suppress(CxxError):  # an operator, or a destructor
                name = qualified_name(program.source, callee)
                if not any(map(_has_body, _defined(program).get(name.parts[-1].name, ()))):
                    yield str(name)


def _has_body(node: Node) -> bool:
    return node.child_by_field_name("body") is not None


_CALL = "call_expression"


def _nodes(of: CxxFunction | CxxClass) -> list[Node]:
    program, body = of.program, _body(of)
    found = [body] if body is not None else []
    for node in found:
        for leaf in inside(node):
            word = program.source.spell(leaf) if leaf.type in _NAMES else ""
            found += (n for n in _defined(program).get(word, ()) if n not in found)
    return found


def _body(of: CxxFunction | CxxClass) -> Node | None:
    if isinstance(of, CxxFunction):
        return body_node(of)
    definition = of.definition
    return definition.node.child_by_field_name("body") if definition else None


# Not `field_identifier`, which is a member's.
_NAMES = ("identifier", "type_identifier", "namespace_identifier")


def _defined(program: Program) -> _Named:
    """What the text declares and defines, by its last name."""
    key = ("defined, by last name",)
    known = program.instances.get(key)
    if isinstance(known, dict):
        return known
    named: _Named = defaultdict(list)
    declarations = program.declarations
    for name, functions in declarations.functions.items():
        named[name.rpartition("::")[2]] += (f.node for f in functions)
    for name, definition in declarations.class_definitions.items():
        named[name.rpartition("::")[2]].append(definition.node)
    for name, others in declarations.declared.items():
        nodes = (other.node for other in others if other.kind in ("alias", "variable"))
        named[name.rpartition("::")[2]] += nodes
    for name, specialised in declarations.specialised.items():
        named[name.rpartition("::")[2]] += specialised
    program.instances[key] = named
    return named
