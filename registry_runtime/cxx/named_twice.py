"""What one list, class or block names twice: [basic.scope.declarative], [temp.local], [class.mem].

Parameters, template parameters, enumerators, members and locals are told apart by their names, also
where nobody runs or reads what they stand in. What two namespaces' members share is `redeclared`'s. The
grammar takes `f(a * b, c * b)` for a declaration with two parameters named `b`; where that may be a
call, nothing is said.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from registry_runtime.cxx.collect import enumerator_nodes, is_scoped, template_parameter_names
from registry_runtime.cxx.declarators import declared_name, function_declarator, inner_declarator
from registry_runtime.cxx.grammar import families
from registry_runtime.cxx.parse import Source, certain, outside_of_the_compilers, surrounding
from registry_runtime.cxx.signatures import parameter_words, template_words
from registry_runtime.cxx.span import CxxError

_CLASSES = ("struct_specifier", "class_specifier", "union_specifier")
_LOOPS = ("for_statement", "for_range_loop")


def named_twice(source: Source) -> list[CxxError]:
    """One error for each name that stands for two things in one scope, at the second of the two."""
    items = outside_of_the_compilers(source)
    found = source.shapes.in_each(items, lambda item: [*_in_item(source, item)])
    return [_error(source, name) for name in certain(source, found)]


def _in_item(source: Source, item: Node) -> Iterator[Node]:
    listed = _listed(item)
    yield from _templates(source, listed["template"])
    yield from _shadowing(source, listed)
    for kind, names in _NAMES.items():
        for node in listed[kind]:
            if not node.has_error:
                yield from names(source, node)


def _listed(item: Node) -> dict[str, list[Node]]:
    """What may name something twice, by its kind."""
    listed = defaultdict[str, list[Node]](list)
    of_those_around: set[int] = set()  # classes whose members are
    for node, inside in families(item):
        if _declares_no_name(node):
            of_those_around.update(one.id for one in inside if _is_nameless(one))
        if node.id in of_those_around:
            continue
        kind, field = _KINDS.get(node.type, ("", ""))
        needed = node.child_by_field_name(field) if field else node
        if kind and needed is not None:
            listed[kind].append(needed if kind == "parameters" else node)
    return listed


# By the type of a node: what it is here, and what it needs to have for that.
_KINDS = {
    "function_declarator": ("parameters", "parameters"),
    "abstract_function_declarator": ("parameters", "parameters"),
    "template_declaration": ("template", ""),
    "enum_specifier": ("enumeration", "body"),
    **dict.fromkeys(_CLASSES, ("class", "body")),
    **dict.fromkeys(("function_definition", "lambda_expression", *_LOOPS), ("head", "")),
    "compound_statement": ("block", ""),
}


def _error(source: Source, name: Node) -> CxxError:
    said = f"`{source.spell(name)}` is declared twice"
    return CxxError(said, source.span(name), "rename or remove one of the two")


def _repeated(source: Source, names: Iterator[Node]) -> Iterator[Node]:
    seen: set[str] = set()
    for name in names:
        spelled = source.spell(name)
        if spelled in seen:
            yield name
        seen.add(spelled)


# --- Parameters and locals ------------------------------------------------------------------------


def _parameters(source: Source, listed: Node) -> Iterator[Node]:
    if listed.named_child_count < 2:
        return
    yield from (n for n in _repeated(source, _parameter_names(listed)) if _declares(listed))


def _parameter_names(listed: Node) -> Iterator[Node]:
    for parameter in listed.named_children:
        declarator = parameter.child_by_field_name("declarator")
        name = declared_name(declarator)
        # `T *UNUSED(a)` is a macro whose header wasn't found.
        is_function = function_declarator(declarator) is not None
        if name is not None and name.type == "identifier" and not is_function:
            yield name


def _declares(listed: Node) -> bool:
    """Whether a list is one of parameters for certain, and not the arguments `a * b, c * b`."""
    around = listed.parent
    while around is not None and around.type.endswith("declarator"):
        around = around.parent
    if around is None or around.type != "declaration":
        return True
    return any(_is_certain(parameter) for parameter in listed.named_children)


def _is_certain(declaration: Node) -> bool:
    """Whether this declares something whatever its words stand for: `a * b;` may be a product."""
    type = declaration.child_by_field_name("type")
    declarator = declaration.child_by_field_name("declarator")
    if type is None or declarator is None:
        return False
    may_be_a_value = type.type in ("type_identifier", "qualified_identifier", "template_type")
    if (type.text or b"").startswith(b"__"):
        return False  # `__real__ x = 1;`
    is_qualified = any(child.type == "type_qualifier" for child in declaration.children)
    return not may_be_a_value or is_qualified or declarator.type == "identifier"


def _head(source: Source, node: Node) -> Iterator[Node]:
    """What a body declares again of what stands in front of it: parameters, a loop's variables."""
    body = node.child_by_field_name("body")
    if node.type in _LOOPS:
        first = node.child_by_field_name("initializer") or node
        declared = list(_variables(first))
        yield from _repeated(source, iter(declared))
        names = {source.spell(name) for name in declared}
    else:
        function = _function(node.child_by_field_name("declarator"))
        listed = function.child_by_field_name("parameters") if function is not None else None
        named = _parameter_names(listed) if listed is not None else ()
        names = {source.spell(name) for name in named}
    if names and body is not None and body.type == "compound_statement":
        yield from (name for name in _locals(body) if source.spell(name) in names)


def _function(declarator: Node | None) -> Node | None:
    if declarator is not None and declarator.type == "abstract_function_declarator":
        return declarator  # a lambda's
    return function_declarator(declarator)


def _block(source: Source, block: Node) -> Iterator[Node]:
    yield from _repeated(source, _locals(block))
    yield from _repeated(source, _local_types(block))


def _local_types(block: Node) -> Iterator[Node]:
    """The names of the classes and enumerations that a block defines."""
    for statement in block.named_children:
        of = statement.child_by_field_name("type") if statement.type == "declaration" else statement
        if of is not None and of.type in (*_CLASSES, "enum_specifier"):
            name = of.child_by_field_name("name")
            if (
                name is not None
                and name.type == "type_identifier"
                and of.child_by_field_name("body")
            ):
                yield name


def _locals(block: Node) -> Iterator[Node]:
    for statement in block.named_children:
        if statement.type == "declaration":
            yield from _variables(statement)


def _variables(declaration: Node) -> Iterator[Node]:
    words = (c for c in declaration.children if c.type == "storage_class_specifier")
    if any(word.text == b"extern" for word in words):
        return
    is_certain = declaration.type == "for_range_loop" or _is_certain(declaration)
    for declarator in declaration.children_by_field_name("declarator"):
        inner, value = declarator, declarator.child_by_field_name("value")
        if value is not None:
            inner = inner_declarator(declarator) or declarator
        if not (is_certain or (value is not None and value.type != "argument_list")):
            continue
        name = declared_name(inner)
        if name is not None and name.type == "identifier" and function_declarator(inner) is None:
            yield name


# --- Templates and enumerations -------------------------------------------------------------------


def _templates(source: Source, templates: list[Node]) -> Iterator[Node]:
    """Template parameters that share a name with another, with one of a template around, or with what
    the template declares."""
    around: list[tuple[int, set[str]]] = []
    taken = Counter[str]()  # by the templates around
    for template in sorted(templates, key=lambda node: node.start_byte):
        while around and around[-1][0] <= template.start_byte:
            taken.subtract(around.pop()[1])
        names = list(template_parameter_names(template))
        yield from _repeated(source, iter(names))
        yield from (name for name in names if taken[source.spell(name)])
        own = {source.spell(name) for name in names}
        around.append((template.end_byte, own))
        taken.update(own)
        declared = template.named_children[-1]
        function = function_declarator(declared.child_by_field_name("declarator"))
        if function is not None and (listed := function.child_by_field_name("parameters")):
            yield from (name for name in _parameter_names(listed) if source.spell(name) in own)
        name = declared.child_by_field_name("name")
        if name is not None and declared.type in _CLASSES and source.spell(name) in own:
            yield name


def _shadowing(source: Source, listed: dict[str, list[Node]]) -> Iterator[Node]:
    """What a template declares inside under the name of one of its parameters: [temp.local]."""
    templates = listed["template"]
    all_names = {
        source.spell(name) for each in templates for name in template_parameter_names(each)
    }
    for name in _inside(source, listed) if all_names else ():
        spelled = source.spell(name)
        if spelled in all_names and any(
            spelled == source.spell(parameter)
            for around in surrounding(source, name)
            if around.type == "template_declaration"
            for parameter in template_parameter_names(around)
        ):
            yield name


def _inside(source: Source, listed: dict[str, list[Node]]) -> Iterator[Node]:
    """The names of locals, of local types and of members."""
    for block in listed["block"]:
        yield from _locals(block)
        yield from _local_types(block)
        for statement in block.named_children:
            if statement.type == "alias_declaration":
                yield from statement.children_by_field_name("name")
    for loop in listed["head"]:
        if loop.type in _LOOPS:
            yield from _variables(loop.child_by_field_name("initializer") or loop)
    for of in listed["class"]:
        body = of.child_by_field_name("body")
        yield from (one.name for one in (_declared(source, body) if body is not None else ()))


def _enumeration(source: Source, node: Node) -> Iterator[Node]:
    names = (one.child_by_field_name("name") for one in enumerator_nodes(node))
    return _repeated(source, (name for name in names if name is not None))


# --- Members --------------------------------------------------------------------------------------


class _Member(NamedTuple):
    """One declaration of a member: for a function, where its parameters stand, and its template."""

    kind: str
    name: Node
    defines: bool = True
    function: Node | None = None
    template: Node | None = None


def _members(source: Source, of: Node) -> Iterator[Node]:
    body = of.child_by_field_name("body")
    if body is None:
        return
    known: dict[str, list[_Member]] = {}
    overloads: dict[tuple[object, ...], list[tuple[bool, tuple[str, ...]]]] = {}
    for member in _declared(source, body):
        spelled = source.spell(member.name)
        before = known.setdefault(spelled, [])
        clashes = any(_clash(one, member) for one in before)
        if member.function is not None:
            # [over.load]: where one is static, what stands behind the parameters tells no two apart.
            key = spelled, _count(member), _signature(source, member, False)
            here = _is_static(source, member), _signature(source, member, True)
            alike = overloads.setdefault(key, [])
            clashes |= any(here[0] or static or here[1] == whole for static, whole in alike)
            alike.append(here)
        if spelled and clashes:
            yield member.name
        if member.function is None or all(one.function is None for one in before):
            before.append(member)


def _clash(one: _Member, other: _Member) -> bool:
    """Whether there can't be both, if they are no two functions."""
    kinds = {one.kind, other.kind}
    if kinds == {"class"}:
        return one.defines and other.defines
    return kinds != {"function"} and ("class" not in kinds or "alias" in kinds)


def _count(member: _Member) -> int:
    listed = member.function and member.function.child_by_field_name("parameters")
    return listed.named_child_count if listed is not None else 0


def _is_static(source: Source, member: _Member) -> bool:
    node = member.function.parent if member.function is not None else None
    while node is not None and node.type.endswith("declarator"):
        node = node.parent
    words = node.children if node is not None else ()
    return any(source.spell(w) == "static" for w in words if w.type == "storage_class_specifier")


def _signature(source: Source, member: _Member, with_behind: bool) -> tuple[str, ...]:
    """What tells one overload from the others."""
    assert member.function is not None
    if member.template is not None:
        return (template_words(source, member.template, member.template.named_children[-1]),)
    behind = (
        source.spell(c)
        for c in member.function.children
        if c.type in _BEHIND and (with_behind or c.type == "requires_clause")
    )
    return parameter_words(source, member.function), *behind


_BEHIND = ("type_qualifier", "ref_qualifier", "requires_clause")


def _declared(source: Source, body: Node) -> Iterator[_Member]:
    pending = [*reversed(body.named_children)]  # generators in generators would use up the C stack
    while pending:
        node = pending.pop()
        yield from _of_declaration(source, node, None)
        type = node.child_by_field_name("type") if _declares_no_name(node) else None
        if type is not None and _is_nameless(type):
            of_it = type.child_by_field_name("body")
            pending += reversed(of_it.named_children if of_it is not None else ())


def _of_declaration(source: Source, node: Node, template: Node | None) -> Iterator[_Member]:
    match node.type:
        case "template_declaration" if template is None:
            yield from _of_declaration(source, node.named_children[-1], node)
        case "field_declaration" | "declaration" | "function_definition":
            declarators = node.children_by_field_name("declarator")
            yield from _of_type(source, node.child_by_field_name("type"), not declarators)
            for declarator in declarators:
                yield from _of_declarator(source, node, declarator, template)
        case "alias_declaration":
            name = node.child_by_field_name("name")
            yield from [_Member("alias", name)] if name is not None else []
        case "type_definition":
            names = map(declared_name, node.children_by_field_name("declarator"))
            yield from (_Member("alias", name) for name in names if name is not None)
        case "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier":
            yield from _of_type(source, node, True)


def _of_type(source: Source, node: Node | None, alone: bool) -> Iterator[_Member]:
    if node is None or node.type not in (*_CLASSES, "enum_specifier"):
        return
    body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
    if name is not None and name.type == "type_identifier" and (alone or body is not None):
        yield _Member("class", name, defines=body is not None)
    if node.type == "enum_specifier" and not is_scoped(node):
        named = (one.child_by_field_name("name") for one in enumerator_nodes(node))
        yield from (_Member("enumerator", one) for one in named if one is not None)


def _declares_no_name(node: Node) -> bool:
    """Whether it is a member such as `union { int a; };`, whose own belong to the class around."""
    return node.type == "field_declaration" and node.child_by_field_name("declarator") is None


def _is_nameless(node: Node) -> bool:
    return node.type in _CLASSES and node.child_by_field_name("name") is None


def _of_declarator(
    source: Source, node: Node, declarator: Node, template: Node | None
) -> Iterator[_Member]:
    function = function_declarator(declarator)
    if function is None:
        name = declared_name(declarator)
        if name is not None and name.type in ("field_identifier", "identifier"):
            yield _Member("variable", name)
        elif declarator.type == "operator_cast" and template is None:
            yield _Member("variable", declarator)  # no two of which are overloads
        return
    name = function.child_by_field_name("declarator")
    if name is None or name.type not in _FUNCTIONS:
        return
    yield _Member("function", name, function=function, template=template)


_FUNCTIONS = ("field_identifier", "identifier", "destructor_name", "operator_name")


_NAMES: dict[str, Callable[[Source, Node], Iterator[Node]]] = {
    "parameters": _parameters,
    "enumeration": _enumeration,
    "class": _members,
    "block": _block,
    "head": _head,
}
