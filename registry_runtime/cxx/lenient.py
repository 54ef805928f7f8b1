"""What the grammar takes for C++, and no compiler does.

tree-sitter's grammar reserves no words and counts no qualifiers, so that an editor can colour a line
that is half written. `const Context& void`, `phi::::float16` and `const const int` are declarations to
it. A compiler refuses each (C++17 [lex.key], [expr.prim.id.qual], [dcl.type.cv]); so do we, or what was
mistyped would register.
"""

from __future__ import annotations

from functools import cache

from tree_sitter import Node, Query, QueryCursor

from registry_runtime.cxx.grammar import language

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


def _words(words: tuple[str, ...]) -> str:
    return "(#any-of? @keyword {})".format(" ".join(f'"{word}"' for word in words))


_QUERY = f"""
([{" ".join(f"({node} (identifier) @keyword)" for node in _DECLARED)}] {_words(KEYWORDS)})
((field_identifier) @keyword {_words(KEYWORDS)})
([(type_descriptor type: (type_identifier) @keyword)
  (parameter_declaration type: (type_identifier) @keyword)
  (type_parameter_declaration (type_identifier) @keyword)
  (optional_type_parameter_declaration name: (type_identifier) @keyword)
  (variadic_type_parameter_declaration (type_identifier) @keyword)] {_words((*KEYWORDS, *_CASTS))})
((binary_expression left: (identifier) @keyword) {_words(_CASTS)})
(dependent_type [(type_identifier) (template_type)] @unqualified)
(qualified_identifier name: (qualified_identifier !scope) @qualified)
((type_qualifier) @before . (type_qualifier) @again (#eq? @before @again))
((storage_class_specifier) @before . (storage_class_specifier) @again (#eq? @before @again))
(reference_declarator . "&" . (reference_declarator) @reference)
(abstract_reference_declarator (abstract_reference_declarator) @reference)
"""


@cache
def _query() -> Query:
    return Query(language(), _QUERY)


def taken_too_kindly(root: Node) -> tuple[tuple[Node, str], ...]:
    """Each such place below `root`, in order, and what a compiler has against it."""
    captures = QueryCursor(_query()).captures(root)
    unqualified = captures.get("unqualified", ())
    found = [
        *((node, "is a keyword, and can't be a name") for node in captures.get("keyword", ())),
        *((node, "stands behind a `::`") for node in captures.get("qualified", ())),
        *((node, "stands behind `typename`, and has no `::`") for node in unqualified),
        *((node, "stands here twice") for node in captures.get("again", ())),
        *((node, "is a reference to a reference") for node in captures.get("reference", ())),
    ]
    return tuple(sorted(found, key=lambda place: place[0].start_byte))
