"""The names that a declaration in a body makes known, and whether what initialises them may."""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import narrows, number, type_of
from registry_runtime.cxx.changed_objects import is_const_place, is_value
from registry_runtime.cxx.collect import declare_in_block
from registry_runtime.cxx.context import Place, argument_nodes, child, span_of
from registry_runtime.cxx.conversions import AUTO, arithmetic_type, narrowing
from registry_runtime.cxx.declarators import (
    bound_names,
    declared_name,
    is_const,
    is_const_object,
    names_alone,
)
from registry_runtime.cxx.id_expression import is_value as names_value
from registry_runtime.cxx.known_names import known_type
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.names import join
from registry_runtime.cxx.open_bodies import own_statements
from registry_runtime.cxx.operand_types import NULL, converts, kind_of, known, parts_of, shown
from registry_runtime.cxx.own_types import OwnType, PlainType
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import declared_type
from registry_runtime.cxx.scopes import At, Given, Local
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import (
    ConstType,
    FunctionType,
    NamedType,
    PointerType,
    ReferenceType,
    Type,
    without_reference_and_const,
)

LOCAL_NAMES = (
    "using_declaration",
    "alias_declaration",
    "type_definition",
    "namespace_alias_definition",
    "enum_specifier",
    "struct_specifier",
    "class_specifier",
)


def statements_of(program: Program, block: Node) -> list[Node]:
    """What stands in a block, which is asked once: a loop's body runs often."""
    key = ("statements", block.start_byte)
    found: list[Node] = program.once(key, lambda: own_statements(program, block))
    return found


def place_in_block(program: Program, place: Place, block: Node) -> Place:
    """Where the statements of a block stand: in a namespace of its own, whose name nobody can write,
    if it declares types or brings in names."""
    declared = [child for child in statements_of(program, block) if child.type in LOCAL_NAMES]
    if not declared:
        return place
    scope = join(place.scope, f"{{{block.start_byte}}}")
    key = ("declared in block", scope)
    if key not in program.instances:
        program.instances[key] = None
        declare_in_block(program.source, program.declarations, declared, scope)
    return Place(scope, place.template_parameters, place.depth)


def declaration(at: At, statement: Node) -> None:
    declarators = statement.children_by_field_name("declarator")
    first: Type | None = None
    for declarator in declarators:
        is_initial = declarator.type == "init_declarator"
        inner = child(declarator, "declarator") if is_initial else declarator
        # `if (int n = 3)` has the value beside the name.
        value = (declarator if is_initial else statement).child_by_field_name("value")
        name = declared_name(inner)
        if (names := bound_names(inner)) or name is None:
            found = at.type_in(value) if value is not None else None
            bound_parts(at, statement, declarator, names, found, value)
            continue
        if name.type == "template_function" and inner.type in (name.type, "function_declarator"):
            said = f"a `;` is missing between `{at.spell(child(statement, 'type'))}` and this"
            raise CxxError(said, span_of(name))
        if name.type != "identifier":  # `x & std::abs(x);`, which the grammar takes for one
            raise at.not_understood(statement, f"`{at.spell(statement)}` where a name is declared")
        made = declare(at, statement, inner, name, value)
        node = statement.child_by_field_name("type")
        if node is not None and node.type == "placeholder_type_specifier" and made is not None:
            if first is not None and first != made:
                said = f"`auto` is a `{first}` in this declaration, and not a `{made}`"
                raise CxxError(said, span_of(declarator))
            first = made


def bound_parts(
    at: At,
    statement: Node,
    declarator: Node,
    names: list[Node],
    of: Type | None,
    value: Node | None,
) -> None:
    """The names that `[a, b]` makes known, of an object of this type."""
    if kind_of(of or NULL) in ("number", "string", "vector"):
        raise CxxError(f"a `{of}` has no parts that names can be for", span_of(declarator))
    members = list(parts_of(of).values())
    if members and len(members) != len(names):
        raise CxxError(f"`{of}` has {len(members)} parts", span_of(declarator))
    by_reference = any(
        inner.type == "reference_declarator" for inner in (declarator, *declarator.children)
    )
    const = is_const(statement) or (
        by_reference and value is not None and bool(members) and is_const_place(at, value)
    )
    for each, type in zip(names, members or [None] * len(names), strict=True):
        at.declare(each, Local(type, const))


def declare(
    at: At,
    declaration: Node,
    declarator: Node | None,
    name: Node,
    value: Node | None,
    given: Given | None = None,
) -> Type | None:
    """Make one name known, initialised by `value`, or by what a parameter is `given`: the type that
    `auto` is. Raises CxxError."""
    # From its own name on a variable is known: `int x = x;` names itself.
    type = _declared(at, declaration, declarator)
    is_auto = type is not None and _pointee(type) == AUTO
    const = is_const_object(declaration, declarator)
    at.declare(name, Local(None if is_auto else type, const, is_open=is_auto and value is not None))
    if declaration.type == "declaration" and value is None:
        _needs_value(at, declaration, declarator, type, const)
    if value is None:
        if is_auto:
            made = _deduced(type, given.type, given.node) if given is not None else None
            if given is not None and isinstance(type, ReferenceType):
                const = const or given.is_const
            at.declare(name, Local(made, const), again=True)
        return None
    found = _initial(at, type, declarator, value)
    if is_auto:
        const = const or (isinstance(type, ReferenceType) and is_const_place(at, value))
        made = _deduced(type, found, value)
        at.declare(name, Local(made, const), again=True)
        return made
    return None


def _declared(at: At, declaration: Node, declarator: Node | None) -> Type | None:
    node = declaration.child_by_field_name("type")
    if node is None:
        return None
    known_type(at, node)
    if declarator is not None and declarator.type == "function_declarator":
        names = names_alone(declaration)
        if not names or not all(_names_a_value(at, name) for name in names):
            return None
        declarator = None  # `int j(i);`, an object
    try:
        return declared_type(at.program, declaration, declarator, at.place)
    except CxxError:
        return None


def _names_a_value(at: At, name: Node) -> bool:
    is_local = name.type == "type_identifier" and at.find(at.spell(name), name) is not None
    return is_local or names_value(at.program, name, at.place)


def _pointee(type: Type) -> Type:
    bare = without_reference_and_const(type)
    return without_reference_and_const(bare.to) if isinstance(bare, PointerType) else bare


def _deduced(type: Type | None, found: Type | None, value: Node) -> Type | None:
    # What `auto` is, and `auto*`, for what initialises it: [dcl.type.auto.deduct].
    bare = without_reference_and_const(type) if type is not None else AUTO
    if not isinstance(bare, PointerType) or found is None:
        return found
    if not isinstance(found, PointerType):
        if isinstance(found, FunctionType):
            return found
        raise CxxError(f"{shown(found)} where a pointer is wanted", span_of(value))
    adds = isinstance(bare.to, ConstType) and not isinstance(found.to, ConstType)
    return PointerType(ConstType(found.to)) if adds else found


def _needs_value(
    at: At, declaration: Node, declarator: Node | None, type: Type | None, const: bool
) -> None:
    if declarator is not None and declarator.type == "function_declarator":
        return
    needs = isinstance(type, ReferenceType) or (type is not None and _pointee(type) == AUTO)
    bare = without_reference_and_const(type) if type is not None else None
    if needs or (const and (arithmetic_type(type) is not None or isinstance(bare, OwnType))):
        raise at.not_understood(declarator or declaration, "a variable without a value")


def _initial(at: At, type: Type | None, declarator: Node | None, value: Node) -> Type | None:
    """The type of what initialises an object of this type."""
    if value.type in ("initializer_list", "argument_list"):
        given = [at.type_in(node) for node in argument_nodes(value)]
        if declarator is not None and declarator.type == "array_declarator":
            _array_of(at, type, declarator, argument_nodes(value), given)
            return None
        bare = without_reference_and_const(type) if type is not None else None
        is_list = value.prev_sibling is not None and value.prev_sibling.type == "="
        if isinstance(bare, OwnType):
            return of_own_type(at, bare, value, given)
        if bare == AUTO and not is_list and len(given) != 1:
            raise CxxError("`auto` is made of one value", span_of(value))
        if bare == AUTO and None not in given and len(set(given)) > 1:
            said = f"`auto` of {shown(given[0] or AUTO)} and of something else"
            raise CxxError(said, span_of(value))
        if arithmetic_type(type) is not None and len(given) > 1:
            raise CxxError(f"a `{type}` has one value", span_of(value))
        if len(given) == 1 and known(type) is not None and not _is_vector(type):
            node = argument_nodes(value)[0]
            converts(type, given[0], node)
            if value.type == "initializer_list":
                narrows_in_braces(at, type, given[0], node)
            return given[0]
        return given[0] if len(given) == 1 and value.type == "argument_list" else None
    found = at.type_in(value)
    if isinstance(type, ReferenceType) and not (type.rvalue or isinstance(type.to, ConstType)):
        if is_value(at, value):
            said = f"`{type}` can't be a reference to the value `{at.spell(value)}`"
            raise CxxError(said, span_of(value), "make it const")
        if type.to != AUTO and is_const_place(at, value):
            raise CxxError(f"`{at.spell(value)}` is const, and `{type}` isn't", span_of(value))
        if known(type) is not None and found is not None and known(type) != found:
            said = f"`{type}` can't be a reference to {shown(found)}"
            raise CxxError(said, span_of(value), "make it const")
        return found
    converts(type, found, value)
    return found


def of_own_type(at: At, type: OwnType, value: Node, given: list[Type | None]) -> Type | None:
    """The type of what `S s{1, 2}` and `E e(E::A)` make. Raises CxxError."""
    nodes = argument_nodes(value)
    if len(given) == 1 and (given[0] == type or value.type == "argument_list"):
        converts(type, given[0], nodes[0])
        return type
    if value.type == "argument_list":
        raise at.not_understood(value, f"what makes a `{type}` here")
    members = [*type.members.values()] if isinstance(type, PlainType) else []
    if len(given) > len(members):
        raise CxxError(f"a `{type}` has {len(members)} members", span_of(value))
    for member, node, each in zip(members, nodes, given, strict=False):
        converts(member.type, each, node)
        narrows_in_braces(at, member.type, each, node)
        if node.type == "initializer_list" and isinstance(member.type, OwnType):
            of_own_type(
                at, member.type, node, [at.type_in(inner) for inner in argument_nodes(node)]
            )
    return type


def _array_of(
    at: At, type: Type | None, declarator: Node, listed: list[Node], given: list[Type | None]
) -> None:
    size = declarator.child_by_field_name("size")
    length = literal(at.program.source, size) if size and size.type == "number_literal" else None
    if isinstance(length, int) and len(listed) > length:
        said = f"this array has {int(length)} elements, and {len(listed)} are listed"
        raise CxxError(said, span_of(listed[int(length)]))
    of = type.to if isinstance(type, PointerType) else None
    for node, each in zip(listed, given, strict=True):
        converts(of, each, node)
        narrows_in_braces(at, of, each, node)


def _is_vector(type: Type | None) -> bool:
    bare = without_reference_and_const(type) if type is not None else None
    return isinstance(bare, NamedType) and bare.name in ("std::vector", "std::string")


def narrows_in_braces(at: At, type: Type | None, given: Type | None, node: Node) -> None:
    """Raises CxxError where what stands in braces certainly loses something as this type."""
    to, of = arithmetic_type(type), arithmetic_type(given)
    if to is None or of is None or node.type not in (*LITERALS, "identifier"):
        return
    is_literal = node.type in LITERALS
    value = literal(at.program.source, node) if is_literal else number(of, 0)
    if type_of(value) is not None and narrows(to, value, is_constant=is_literal):  # type: ignore[arg-type]
        refusal = narrowing(to, value)
        raise CxxError(refusal.message, span_of(node), refusal.hint)
