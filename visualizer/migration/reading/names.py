"""How Fluid's files name things: qualified names, aliases for them, and strings.

Fluid finds everything at run time by strings, so a call is taken apart into who is asked, which
method, and with which arguments; the first of these is a name, as a rule. It is a literal, or the
name of the gradient of one: `framework::GradVarName("Out")` is "Out@GRAD". How PHI spells names is
here, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.fluid_names import GRAD_VAR_NAME
from visualizer.migration.reading.fluid_text import FluidText, span_of, walk

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))")
_REGION = re.compile(r"RoI(?![a-rt-z])")  # of interest: a word with a hump


def snake_case(name: str) -> str:
    """`MaxLenTensor` is max_len_tensor, and `ISTest` is_test: a run of capitals is one word, but
    for the last, which begins the next; and an s may make it several, `ROIs` is rois."""
    return _HUMP.sub("_", _REGION.sub("Roi", name)).replace("__", "_").lower()


def camel_case(name: str) -> str:
    """`trace_grad` is TraceGrad."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def parameter_name(fluid_name: str) -> str:
    """`Out` is out, its gradient `Out@GRAD` out_grad, and `F1-Score` f1_score."""
    base, at, _ = fluid_name.partition("@")
    return snake_case(re.sub(r"\W", "_", base)) + ("_grad" if at else "")


@dataclass(frozen=True, slots=True)
class Qualified:
    """`framework::EigenVector<T>::Flatten`: its parts, and where each ends without its `<…>`."""

    parts: tuple[str, ...]
    ends: tuple[int, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Aliases:
    """What a file calls by shorter names.

    namespaces: `namespace plat = paddle::platform`. names: `using Tensor = framework::Tensor`.
    """

    namespaces: Mapping[str, tuple[str, ...]]
    names: Mapping[str, tuple[str, ...]]

    def in_full(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """Without `paddle::`, and with the aliases for what they stand for."""
        while parts and parts[0] == "":
            parts = parts[1:]
        if parts and parts[0] in self.namespaces:
            parts = self.namespaces[parts[0]] + parts[1:]
        elif parts and parts[0] in self.names and self.names[parts[0]] != parts[:1]:
            parts = self.names[parts[0]] + parts[1:]
        return _without_paddle(parts)


def _without_paddle(parts: tuple[str, ...]) -> tuple[str, ...]:
    """`paddle::operators::math::X` is math::X to what stands in paddle::operators."""
    if parts[:1] == ("paddle",):
        parts = parts[1:]
    return parts[1:] if parts[:1] == ("operators",) and len(parts) > 2 else parts


def qualified(source: FluidText, node: Node) -> Qualified:
    """The parts of a qualified_identifier, or of a plain name."""
    parts: list[str] = []
    ends: list[int] = []
    here: Node | None = node
    while here is not None:
        scope = here.child_by_field_name("scope") if _is_qualified(here) else here
        if scope is not None:
            base = _without_arguments(scope)
            parts.append(source.spell(base))
            ends.append(base.end_byte)
        here = here.child_by_field_name("name") if _is_qualified(here) else None
    return Qualified(tuple(parts), tuple(ends), span_of(node))


def _is_qualified(node: Node) -> bool:
    return node.type == "qualified_identifier"


def _without_arguments(node: Node) -> Node:
    if node.type in ("template_type", "template_function", "template_method"):
        return node.child_by_field_name("name") or node
    if node.type == "dependent_name":
        return _without_arguments(node.children[-1])
    return node


def template_arguments(node: Node | None) -> list[Node]:
    """The arguments in the last `<…>` of a name."""
    if node is None:
        return []
    lists = [n for n in walk(node) if n.type == "template_argument_list"]
    outermost = [n for n in lists if n.end_byte == node.end_byte]
    return outermost[0].named_children if outermost else []


def aliases(source: FluidText) -> Aliases:
    """All of the file's, wherever they stand: Fluid's files use one name for one thing."""
    namespaces: dict[str, tuple[str, ...]] = {}
    names: dict[str, tuple[str, ...]] = {}
    for node in walk(source.root):
        if node.type == "namespace_alias_definition":
            name, target = node.named_children[0], node.named_children[-1]
            namespaces[source.spell(name)] = _split(source.spell(target))
        elif node.type == "alias_declaration":
            alias, target_type = node.child_by_field_name("name"), node.child_by_field_name("type")
            found = _alias_target(source, target_type)
            if alias is not None and found:
                names[source.spell(alias)] = found
        elif node.type == "using_declaration" and node.named_children:
            target = node.named_children[-1]
            if target.type == "qualified_identifier":
                parts = qualified(source, target).parts
                names[parts[-1]] = parts
    return Aliases(namespaces, names)


def _alias_target(source: FluidText, target: Node | None) -> tuple[str, ...]:
    """The qualified name that an alias stands for; empty for any other type."""
    if target is None or not target.named_children or target.type != "type_descriptor":
        return ()
    inner = target.named_children[0]
    return qualified(source, inner).parts if inner.type == "qualified_identifier" else ()


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("::"))


# --- Calls, and the names in them -----------------------------------------------------------------


def parts_of_call(node: Node) -> tuple[Node | None, list[Node]]:
    """What is called, and with what."""
    listed = node.child_by_field_name("arguments")
    arguments = [] if listed is None else [a for a in listed.named_children if a.type != "comment"]
    return node.child_by_field_name("function"), arguments


def method_of_call(source: FluidText, node: Node) -> tuple[Node | None, str, Node | None]:
    """Of `a->b<T>(…)`: a, "b", and the name with its `<…>`. A plain call has None for a."""
    function, _ = parts_of_call(node)
    if function is None:
        return None, "", None
    if function.type == "field_expression":
        field_node = function.child_by_field_name("field")
        if field_node is None:
            return None, "", None
        return function.child_by_field_name("argument"), _plain(source, field_node), field_node
    if function.type in ("identifier", "template_function"):
        return None, _plain(source, function), function
    return None, "", None


def _plain(source: FluidText, node: Node) -> str:
    while node.type in ("dependent_name", "template_method", "template_function"):
        inner = node.child_by_field_name("name")
        node = inner if inner is not None else node.named_children[0]
    return source.spell(node)


def name_in(source: FluidText, aliases: Aliases, node: Node | None) -> str | None:
    """The name that `"Out"` or `framework::GradVarName("Out")` gives, or None for anything else."""
    if node is None:
        return None
    if node.type == "string_literal":
        return source.spell(node)[1:-1]
    if node.type == "call_expression":
        function, arguments = parts_of_call(node)
        if function is None or not arguments:
            return None
        if function.type in ("qualified_identifier", "identifier"):
            parts = aliases.in_full(qualified(source, function).parts)
            inner = name_in(source, aliases, arguments[0])
            if parts[-1] == GRAD_VAR_NAME.rpartition("::")[2] and inner is not None:
                return f"{inner}@GRAD"
    return None


def first_name(source: FluidText, aliases: Aliases, arguments: Sequence[Node]) -> str | None:
    """The name that a call is given first."""
    return name_in(source, aliases, arguments[0]) if arguments else None
