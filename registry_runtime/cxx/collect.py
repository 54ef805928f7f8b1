"""The compiler's pass: a text is read from top to bottom, and what it declares is remembered.

Only namespace scope is read; what is inside classes and functions can't register anything by
itself, and `classes` reads a class that somebody asks for. The members of unnamed and inline
namespaces are found in the namespace around, so they are listed there. A body's own `using`s and
aliases are read when the body is entered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from registry_runtime.cxx.declarations import (
    Action,
    Alias,
    BaseClass,
    ClassDefinition,
    Declarations,
    Declared,
    EnumDefinition,
    FunctionDeclaration,
    MemberDefinition,
    TemplateParameter,
    VariableDeclaration,
)
from registry_runtime.cxx.declarators import declared_name, function_declarator, names_alone
from registry_runtime.cxx.names import NAMES, join, qualified_name
from registry_runtime.cxx.parse import Source, is_the_compilers, not_a_declaration, unfinished_body
from registry_runtime.cxx.span import Code, CxxError, NotUnderstood


def collect(source: Source) -> Declarations:
    """Read the declarations of a text. Never fails; what is no declaration is in `errors`."""
    found = Declarations()
    pending: list[tuple[Iterator[Node], str, int]] = [(iter(source.root.named_children), "", 0)]
    while pending:
        nodes, scope, block = pending[-1]
        node = next(nodes, None)
        if node is None:
            pending.pop()
            continue
        found.items.append(node.start_byte)
        try:
            inside = _declare(source, found, node, scope, block)
        except CxxError as error:
            found.errors.append(error)
            continue
        if inside is not None:
            pending.append((iter(inside[0].named_children), inside[1], inside[0].start_byte))
    return found


def declare_in_block(source: Source, found: Declarations, nodes: list[Node], scope: str) -> None:
    """Record the `using`s and aliases of a body's block, under `scope`. Once: bodies run often."""
    if scope in found.namespaces:
        return
    found.namespaces.add(scope)
    for node in nodes:
        _declare(source, found, node, scope, 0)


def _declare(
    source: Source, found: Declarations, node: Node, scope: str, block: int
) -> tuple[Node, str] | None:
    # Returns a block of further declarations and their scope, if node holds such a block.
    match node.type:
        case "namespace_definition" | "linkage_specification" | "ERROR":
            return _enter(source, found, node, scope)
        case "template_declaration":
            _declare_template(source, found, node, scope, block)
        case "function_definition":
            _declare_function(source, found, node, scope, None)
        case "declaration":
            is_function = _declare_function(source, found, node, scope, None)
            if not is_function:
                _declare_variables(source, found, node, scope)
                _define_members(found, node, scope, None)
            if not is_function or names_alone(node):
                found.actions.append(Action("declaration", node, scope, block))
        case "static_assert_declaration" | "template_instantiation":
            found.actions.append(Action(node.type, node, scope, block))
        case "struct_specifier" | "class_specifier" | "union_specifier":
            _declare_class(source, found, node, scope)
        case "enum_specifier":
            _declare_enumeration(source, found, node, scope)
        case "alias_declaration" | "type_definition":
            _declare_alias(source, found, node, scope)
        case "using_declaration":
            _use(source, found, node, scope)
        case "namespace_alias_definition":
            _alias_namespace(source, found, node, scope)
        case "labeled_statement":
            label = node.named_children[0]
            said = f"`{source.spell(label)}:` is not expected here"
            found.errors.append(CxxError(said, source.span(label), "remove it", Code.INCOMPLETE))
            return node, scope
        case "expression_statement" if not is_the_compilers(scope):
            _refuse(source, node)
    return None


# --- Blocks and namespaces ------------------------------------------------------------------------


def _enter(source: Source, found: Declarations, node: Node, scope: str) -> tuple[Node, str] | None:
    if node.type == "ERROR":  # what the parser had to skip may hold whole declarations
        return node, scope
    body = node.child_by_field_name("body")
    if body is None:
        return None
    if body.type != "declaration_list":  # extern "C" void f();
        return node, scope
    name = node.child_by_field_name("name")
    is_inline = any(child.type == "inline" for child in node.children)
    if name is not None and not is_inline:
        for part in qualified_name(source, name).parts:
            around, scope = scope, join(scope, part.name)
            found.namespaces.add(scope)
            found.declared[scope].append(Declared("namespace", node, part.node, around))
    return body, scope


def _use(source: Source, found: Declarations, node: Node, scope: str) -> None:
    try:
        name = qualified_name(source, node.named_children[-1])
    except CxxError:
        return  # using std::rel_ops::operator!=
    if any(child.type == "namespace" for child in node.children):
        found.directives[scope].append(name)
    else:
        found.using[join(scope, name.parts[-1].name)].append(name)


def _alias_namespace(source: Source, found: Declarations, node: Node, scope: str) -> None:
    alias, target = node.named_children[0], node.named_children[-1]
    full_name = join(scope, source.spell(alias))
    found.namespace_aliases.setdefault(full_name, qualified_name(source, target))
    found.declared[full_name].append(Declared("namespace alias", node, alias, scope))


# --- Functions, variables, types ------------------------------------------------------------------


def _declare_template(
    source: Source, found: Declarations, node: Node, scope: str, block: int
) -> None:
    parameters = node.child_by_field_name("parameters")
    declared = node.named_children[-1]
    is_explicit = parameters is not None and not parameters.named_children
    if is_explicit and declared.type == "template_declaration":  # of a template in a template
        _declare_template(source, found, declared, scope, block)
        return
    if (specialised := _specialised(source, declared, is_explicit)) is not None:
        found.specialised[join(scope, specialised)].append(declared)
    is_object = declared.type == "declaration" and not function_declarator(_declarator(declared))
    if is_object and parameters is not None:
        _define_members(found, declared, scope, node)
    if parameters is None or is_explicit:
        # template <> …: a specialisation declares no name, but may give a static member its value
        if is_object:
            found.actions.append(Action("specialisation", declared, scope, block))
        return
    if declared.type in ("function_definition", "declaration"):
        described = template_parameters(source, node)
        _declare_function(source, found, declared, scope, described)
    elif declared.type in ("struct_specifier", "class_specifier", "union_specifier"):
        described = template_parameters(source, node)
        _declare_class(source, found, declared, scope, described)
    elif declared.type == "alias_declaration":
        name = declared.child_by_field_name("name")
        if name is not None:
            alias = Declared("alias", declared, name, scope, is_template=True)
            found.declared[join(scope, source.spell(name))].append(alias)


def _specialised(source: Source, declared: Node, is_explicit: bool) -> str | None:
    """The template that `template <> class K<float>` or `template <> void f(float)` is one of."""
    declarator = function_declarator(_declarator(declared))
    name = declarator or declared
    named = name.child_by_field_name("declarator" if declarator is not None else "name")
    is_function = is_explicit and declarator is not None
    if named is None or not (is_function or "<" in source.spell(named)):
        return None
    try:
        return str(qualified_name(source, named))
    except CxxError:
        return None  # an operator


def _declarator(node: Node) -> Node | None:
    return node.child_by_field_name("declarator")


def template_parameters(source: Source, node: Node) -> tuple[TemplateParameter, ...]:
    """Those of a template's head."""
    parameters = node.child_by_field_name("parameters")
    listed = parameters.named_children if parameters is not None else []
    return tuple(_template_parameter(source, one) for one in listed if one.type != "comment")


def _template_parameter(source: Source, node: Node) -> TemplateParameter:
    name = _parameter_name(node)
    is_pack = node.type.startswith("variadic")
    return TemplateParameter(
        source.spell(name) if name is not None else "", _default(node), is_pack
    )


def _default(parameter: Node) -> Node | None:
    default = parameter.child_by_field_name("default_type")
    return default or parameter.child_by_field_name("default_value")


def _parameter_name(node: Node) -> Node | None:
    declarator, default = node.child_by_field_name("declarator"), _default(node)
    if declarator is not None:
        return declared_name(declarator)
    if node.type in ("parameter_declaration", "optional_parameter_declaration"):
        return None
    named = [c for c in node.named_children if c.type in ("type_identifier", "identifier")]
    names = [n for n in named if default is None or n.start_byte != default.start_byte]
    return names[-1] if names else None


def template_parameter_names(template: Node) -> Iterator[Node]:
    """What the parameters in a template's head are called, `template <class> class` ones as well."""
    parameters = template.child_by_field_name("parameters")
    for one in parameters.named_children if parameters is not None else ():
        is_template = one.type == "template_template_parameter_declaration"
        name = _parameter_name(one.named_children[-1] if is_template else one)
        if name is not None:
            yield name


def _declare_function(
    source: Source,
    found: Declarations,
    node: Node,
    scope: str,
    template_parameters: tuple[TemplateParameter, ...] | None,
) -> bool:
    declarator = function_declarator(node.child_by_field_name("declarator"))
    if declarator is None:
        return False
    name = declarator.child_by_field_name("declarator")
    if name is None or name.type not in ("identifier", "qualified_identifier"):
        return True  # a specialisation, an operator, a destructor
    if node.child_by_field_name("type") is None:
        is_guide = any(c.type == "trailing_return_type" for c in declarator.named_children)
        is_main = source.spell(name) == "main"  # which gcc and g++ take for an `int`
        is_alone = name.type == "identifier" and template_parameters is None
        if is_alone and not (is_guide or is_main):
            raise not_a_declaration(source, name)
        return True  # a deduction guide, or a constructor out of its class
    try:
        full_name = join(scope, str(qualified_name(source, name)))
    except CxxError:
        return True  # an operator, out of its class
    body = node.child_by_field_name("body") or unfinished_body(node)
    declaration = FunctionDeclaration(full_name, scope, node, declarator, body, template_parameters)
    found.functions[full_name].append(declaration)
    found.function_positions.append(declaration.position)
    found.positions_by_name[full_name.rpartition("::")[2]].append(declaration.position)
    return True


def _declare_variables(source: Source, found: Declarations, node: Node, scope: str) -> None:
    for declarator in node.children_by_field_name("declarator"):
        name, value = declared_name(declarator), declarator.child_by_field_name("value")
        if name is not None and name.type == "identifier":
            full_name = join(scope, source.spell(name))
            defines = value is not None or not _is_extern(source, node)
            found.declared[full_name].append(Declared("variable", node, name, scope, defines))
            known = found.variables.get(full_name)
            if known is None:
                of = node.child_by_field_name("type")
                position = declarator.end_byte
                found.variables[full_name] = VariableDeclaration(
                    scope, of, _alone(declarator), value, position
                )
            elif known.value is None and value is not None:  # extern int x; int x = 3;
                found.variables[full_name] = replace(known, value=value)


def _define_members(found: Declarations, node: Node, scope: str, template: Node | None) -> None:
    for declarator in node.children_by_field_name("declarator"):
        name, value = declared_name(declarator), declarator.child_by_field_name("value")
        if name is not None and name.type == "qualified_identifier":
            member = MemberDefinition(scope, node, _alone(declarator), name, value, template)
            found.member_definitions.append(member)


def _is_extern(source: Source, declaration: Node) -> bool:
    around = declaration.parent
    in_c = around is not None and around.type == "linkage_specification"  # extern "C" int x;
    return in_c or says(source, declaration, "extern")


def says(source: Source, declaration: Node, said: str) -> bool:
    """Whether `static`, `extern` or `inline` is among a declaration's own words."""
    words = (c for c in declaration.children if c.type == "storage_class_specifier")
    return any(source.spell(word) == said for word in words)


def _alone(declarator: Node) -> Node:
    inner = declarator.child_by_field_name("declarator")
    return inner if declarator.type == "init_declarator" and inner is not None else declarator


def _declare_class(
    source: Source,
    found: Declarations,
    node: Node,
    scope: str,
    template_parameters: tuple[TemplateParameter, ...] | None = None,
) -> None:
    name = node.child_by_field_name("name")
    if name is not None and name.type == "type_identifier":
        full_name = join(scope, source.spell(name))
        found.classes.setdefault(full_name, name.start_byte)
        is_enum, has_body = node.type == "enum_specifier", bool(node.child_by_field_name("body"))
        kind, is_template = "enum" if is_enum else "class", template_parameters is not None
        declared = Declared(kind, node, name, scope, has_body, is_template)
        found.declared[full_name].append(declared)
        bases = next((c for c in node.children if c.type == "base_class_clause"), None)
        named = [c for c in bases.named_children if c.type in NAMES] if bases else []
        if named:
            is_public = _is_public(source, node, named[0])
            found.bases.setdefault(full_name, BaseClass(scope, named[0], is_public))
        if node.child_by_field_name("body") is not None:
            definition = ClassDefinition(scope, node, template_parameters)
            found.class_definitions.setdefault(full_name, definition)


def _is_public(source: Source, of: Node, base: Node) -> bool:
    clause = base.parent
    for child in clause.named_children if clause is not None else ():
        if child.type == "access_specifier":
            return source.spell(child) == "public"
        if child == base:
            break
    return of.type != "class_specifier"


def _declare_enumeration(source: Source, found: Declarations, node: Node, scope: str) -> None:
    _declare_class(source, found, node, scope)
    if node.child_by_field_name("body") is None:
        return
    full_name = own_name(source, node, scope)
    found.enumerations.setdefault(full_name, EnumDefinition(scope, node))
    for enumerator in enumerator_nodes(node) if not is_scoped(node) else ():
        named = enumerator.child_by_field_name("name")
        if named is not None:
            spelled = join(scope, source.spell(named))
            found.enumerators.setdefault(spelled, full_name)
            found.declared[spelled].append(Declared("enumerator", node, named, scope))


def own_name(source: Source, node: Node, scope: str) -> str:
    """The full name of a class or an enumeration; of one without a name, one that nobody can write."""
    name = node.child_by_field_name("name")
    return join(scope, source.spell(name) if name is not None else f"{{{node.start_byte}}}")


def is_scoped(enumeration: Node) -> bool:
    """Whether it is an `enum class`."""
    return any(child.type in ("class", "struct") for child in enumeration.children)


def enumerator_nodes(enumeration: Node) -> list[Node]:
    """What stands between its braces."""
    body = enumeration.child_by_field_name("body")
    return [n for n in body.named_children if n.type == "enumerator"] if body is not None else []


def _declare_alias(source: Source, found: Declarations, node: Node, scope: str) -> None:
    type_node = node.child_by_field_name("type")
    if type_node is None:
        return
    if node.type == "alias_declaration":
        name, declarator = node.child_by_field_name("name"), None
    else:
        declarator = node.child_by_field_name("declarator")
        name = declared_name(declarator)
        if type_node.type == "enum_specifier":
            _declare_enumeration(source, found, type_node, scope)
        elif type_node.type in ("struct_specifier", "class_specifier", "union_specifier"):
            _declare_class(source, found, type_node, scope)
            tag = type_node.child_by_field_name("name")
            if tag is not None and declarator is not None and tag.text == declarator.text:
                return  # `typedef struct X X;` says in C++ what it says without it: [dcl.typedef]
    if name is not None:
        alias = Alias(scope, type_node, declarator, node.end_byte)
        full_name = join(scope, source.spell(name))
        found.aliases[full_name].append(alias)
        found.declared[full_name].append(Declared("alias", node, name, scope))


def _refuse(source: Source, node: Node) -> None:
    for expression in node.named_children:
        callee = expression.child_by_field_name("function")
        if callee is not None and source.spell(callee) == "_Static_assert":
            return  # C's, in a text that has both
        if callee is not None and callee.type == "identifier":
            raise not_a_declaration(source, callee)
        first_words = source.spell(expression).split("\n")[0][:40]
        raise NotUnderstood(f"`{first_words}` is not a declaration", source.span(expression))
