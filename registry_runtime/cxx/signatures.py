"""How declarations of one function are spelled alike, whatever their parameters are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from registry_runtime.cxx.collect import template_parameters
from registry_runtime.cxx.declarations import TemplateParameter
from registry_runtime.cxx.declarators import declared_name, function_declarator
from registry_runtime.cxx.parse import Source


def template_words(source: Source, template: Node, declared: Node) -> str:
    """All of a function template's declaration but its body."""
    body = declared.child_by_field_name("body")
    declarator = function_declarator(declared.child_by_field_name("declarator"))
    end = declared.end_byte if body is None else body.start_byte
    parameters = template_parameters(source, template)
    return words(source, template.start_byte, end, declarator, parameters)


def words(
    source: Source,
    start: int,
    end: int,
    declarator: Node | None,
    parameters: Sequence[TemplateParameter],
) -> str:
    """What stands there without the names and the defaults of what `declarator` takes, and with each
    of the template's `parameters` by its place."""
    places = {p.name: f"${i}" for i, p in enumerate(parameters) if p.name}
    pieces: list[str] = []
    for skipped, behind in _skipped(declarator):
        if skipped < end:
            pieces.append(source.text[start:skipped])
            start = behind
    found = re.findall(r"\w+|[^\w\s]", " ".join([*pieces, source.text[start:end]]))
    spelled = (places.get(word, word) for word in found)
    return " ".join(_ALIKE.get(word, word) for word in spelled if word not in _NO_MATTER)


_ALIKE = {"class": "typename", "struct": "typename"}
_NO_MATTER = (";", "inline", "static", "constexpr")


def _skipped(declarator: Node | None) -> Iterator[tuple[int, int]]:
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    for parameter in listed.named_children if listed is not None else ():
        named = declared_name(parameter.child_by_field_name("declarator"))
        if named is not None:
            yield named.start_byte, named.end_byte
        value = parameter.child_by_field_name("default_value")
        if value is not None:
            equals = value.prev_sibling or value
            yield equals.start_byte, value.end_byte


def parameter_words(source: Source, declarator: Node) -> str:
    """The parameters of a function that is no template. That one of them can't change what it is given
    makes no other function."""
    listed = declarator.child_by_field_name("parameters")
    if listed is None:
        return ""
    spelled = words(source, listed.start_byte, listed.end_byte, declarator, ())
    spelled = re.sub(r"(?<=[(,] )const (\w+|\w+ : : \w+)(?= [,)])", r"\1", spelled)
    return "( )" if spelled == "( void )" else spelled
