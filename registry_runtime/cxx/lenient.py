"""What the grammar takes for C++, and no compiler does.

tree-sitter's grammar reserves no words and counts no qualifiers, so that an editor can colour a line
that is half written. `const Context& void`, `phi::::float16` and `const const int` are declarations to
it. A compiler refuses each (C++17 [lex.key], [expr.prim.id.qual], [dcl.type.cv]); so do we, or what was
mistyped would register.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from tree_sitter import Node

from registry_runtime.cxx.alike import Shapes
from registry_runtime.cxx.grammar import families

# Words that C and C++ share, since the text may have come from a `.c`, in which `class` is a name. Not
# `const`, `volatile` and `sizeof`: where the grammar loses its way in a template, they are names to it.
KEYWORDS = (
    *("auto", "break", "case", "char", "continue", "default", "do", "double", "else", "enum"),
    *("extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "return"),
    *("short", "signed", "static", "struct", "switch", "typedef", "union", "unsigned"),
    *("void", "while"),
)
_CASTS = ("const_cast", "dynamic_cast", "reinterpret_cast", "static_cast")
_DECLARED = (
    *("parameter_declaration", "optional_parameter_declaration", "init_declarator"),
    *("reference_declarator", "pointer_declarator", "declaration"),
)
_KEYWORD = "is a keyword, and can't be a name"
_QUALIFIED = "stands behind a `::`"
_UNQUALIFIED = "stands behind `typename`, and has no `::`"
_AGAIN = "stands here twice"
_BEHIND_CALL = "goes on behind the `)` without an operator or a `;`"
_REFERENCE = "is a reference to a reference"


def taken_too_kindly(root: Node, text: str, shapes: Shapes) -> tuple[tuple[Node, str], ...]:
    """Each such place below `root`, which is the tree of a text, in order, and what a compiler has
    against it."""
    items = root.named_children
    found = [*_in_family(root, items, {item.start_byte for item in items})]
    found += shapes.in_each(items, lambda item: _in_item(item, text))
    return tuple(sorted(found, key=lambda place: place[0].start_byte))


def _in_item(item: Node, text: str) -> list[tuple[Node, str]]:
    # A look at a node's own text is slow, and most names are none of the words.
    words = {m.start() for m in _WORD.finditer(text, item.start_byte, item.end_byte)}
    return [one for around, inside in families(item) for one in _in_family(around, inside, words)]


def _in_family(around: Node, inside: list[Node], words: Collection[int]) -> Found:
    before = around
    for node in inside:
        kind = node.type
        if kind in _NAMES:
            if node.start_byte in words and node.text in _WORDS and _is_name(around, node):
                yield node, _KEYWORD
        elif kind in _SPECIFIERS and (before.type, before.text) == (kind, node.text):
            yield node, _AGAIN
        before = node
    look = _LOOKS.get(around.type)
    if look is not None:
        yield from look(around, inside)


Found = Iterator[tuple[Node, str]]


_NAMES = frozenset({"identifier", "type_identifier", "field_identifier"})
_WORDS = frozenset(word.encode() for word in (*KEYWORDS, *_CASTS))
_WORD = re.compile(rf"\b(?:{'|'.join((*KEYWORDS, *_CASTS))})\b", re.ASCII)
_SPECIFIERS = frozenset({"type_qualifier", "storage_class_specifier"})
# Where a type stands, by the field; None: anywhere.
_TYPES = {
    "type_descriptor": "type",
    "parameter_declaration": "type",
    "type_parameter_declaration": None,
    "optional_type_parameter_declaration": "name",
    "variadic_type_parameter_declaration": None,
}


def _is_name(around: Node, node: Node) -> bool:
    """Whether what is spelled as a keyword or a cast is a name to the grammar."""
    is_cast = (node.text or b"").decode("ascii") in _CASTS
    if node.type == "type_identifier":
        field = _TYPES.get(around.type, "")
        return field is None or node in around.children_by_field_name(field)
    if is_cast:
        return node.type == "identifier" and around.child_by_field_name("left") == node
    return node.type == "field_identifier" or around.type in _DECLARED


def _dependent(around: Node, inside: list[Node]) -> Found:
    unqualified = ("type_identifier", "template_type")
    yield from ((node, _UNQUALIFIED) for node in inside if node.type in unqualified)


def _qualified(around: Node, inside: list[Node]) -> Found:
    name = inside[-1]
    if name.type == "qualified_identifier" and name.child_by_field_name("scope") is None:
        yield name, _QUALIFIED


def _reference(around: Node, inside: list[Node]) -> Found:
    if inside[0].type == "reference_declarator" and around.children[0].text == b"&":
        yield inside[0], _REFERENCE


def _compared_with_cast(around: Node, inside: list[Node]) -> Found:
    # `Alloc<T>(out) f(x)`, a `;` too few, is `(Alloc < T) > (out)f(x)` to it.
    if [node.type for node in inside] != ["binary_expression", "cast_expression"]:
        return
    (compared, cast), of = inside, inside[0].named_children
    angles = compared.children[1].type, around.children[1].type
    if angles == ("<", ">") and all(node.type in _SIMPLE for node in of):
        yield cast, _BEHIND_CALL


_SIMPLE = ("identifier", "qualified_identifier", "field_expression")


def _abstract_reference(around: Node, inside: list[Node]) -> Found:
    kind = "abstract_reference_declarator"
    yield from ((node, _REFERENCE) for node in inside if node.type == kind)


_LOOKS: dict[str, Callable[[Node, list[Node]], Found]] = {
    "abstract_reference_declarator": _abstract_reference,
    "binary_expression": _compared_with_cast,
    "dependent_type": _dependent,
    "qualified_identifier": _qualified,
    "reference_declarator": _reference,
}
