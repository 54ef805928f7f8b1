"""The names that a declaration in a body makes known, and whether what initialises them may."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from tree_sitter import Node

from registry_runtime.cxx.changed_objects import is_const_place
from registry_runtime.cxx.collect import declare_in_block
from registry_runtime.cxx.constant_expressions import constant, makes_constant
from registry_runtime.cxx.context import Place, argument_nodes, child, inside, span_of
from registry_runtime.cxx.conversions import AUTO, arithmetic_type
from registry_runtime.cxx.declarators import (
    bound_names,
    declared_name,
    is_const,
    is_const_object,
    names_alone,
)
from registry_runtime.cxx.id_expression import is_value as names_value
from registry_runtime.cxx.initial_values import initial, refers
from registry_runtime.cxx.known_names import known_type
from registry_runtime.cxx.names import join
from registry_runtime.cxx.open_bodies import own_statements
from registry_runtime.cxx.operand_types import NULL, converts, kind_of, length_of, parts_of, shown
from registry_runtime.cxx.own_types import OwnType
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.read_type import declared_type
from registry_runtime.cxx.scopes import At, Given, Local
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.types import (
    ConstType,
    FunctionType,
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


_MAY_BE_ARRAYS = (
    "identifier",
    "subscript_expression",
    "field_expression",
    "parenthesized_expression",
)
_WITHOUT_PARTS = (
    "number",
    "list",
    "string",
    "vector",
    "optional",
    "nullopt",
    "iterator",
    "lambda",
    "enum",
)


def bound_parts(
    at: At,
    statement: Node,
    declarator: Node,
    names: list[Node],
    of: Type | None,
    value: Node | None,
) -> None:
    """The names that `[a, b]` makes known, of an object of this type."""
    array = at.find(at.spell(value), value) if value is not None else None
    is_pointer = kind_of(of or NULL) == "pointer" and value is not None
    may_be_array = value is not None and value.type in _MAY_BE_ARRAYS
    if array is not None:
        may_be_array = array.is_array
    if kind_of(of or NULL) in _WITHOUT_PARTS or of == NULL or (is_pointer and not may_be_array):
        raise CxxError(
            f"{shown(of or NULL)} has no parts that names can be for", span_of(declarator)
        )
    members = list(parts_of(of).values())
    length = len(members) or length_of(of)
    if length is not None and length != len(names):
        raise CxxError(f"`{of}` has {length} parts", span_of(declarator))
    if value is not None and array is not None and array.elements not in (None, len(names)):
        said = f"`{at.spell(value)}` has {array.elements} elements"
        raise CxxError(said, span_of(declarator))
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
    if value is None and type is not None and _is_call(declarator):
        value = declarator.child_by_field_name("parameters") if declarator is not None else None
    is_static = any(at.spell(word) == "static" for word in declaration.children)
    said = None if is_auto else type
    elements = _elements(at, declarator, value)
    local = Local(
        said, const, is_array=_is_array(declarator), is_static=is_static, elements=elements
    )
    at.declare(name, replace(local, is_open=is_auto and value is not None))
    if declaration.type == "declaration" and value is None:
        _needs_value(at, declaration, declarator, type, const)
    if value is None:
        if given is not None and not is_auto:
            refers(type, given)
            converts(type, given.type, given.node)
        elif is_auto:
            made = _deduced(type, given.type, given.node) if given is not None else None
            if given is not None and isinstance(type, ReferenceType):
                const = const or given.is_const
            at.declare(name, replace(local, type=made, is_const=const), again=True)
        return None
    found = initial(at, type, declarator, value)
    made = _deduced(type, found, value) if is_auto else type
    is_constexpr = any(at.spell(word) == "constexpr" for word in declaration.children)
    if is_constexpr:
        constant(at, value)
    is_constant = is_constexpr or (const and makes_constant(at, made, value))
    if is_auto:
        const = const or (isinstance(type, ReferenceType) and is_const_place(at, value))
        local = replace(local, type=made, is_const=const)
    if is_auto or is_constant:
        at.declare(name, replace(local, is_constant=is_constant), again=True)
    return made if is_auto else None


def _declared(at: At, declaration: Node, declarator: Node | None) -> Type | None:
    node = declaration.child_by_field_name("type")
    if node is None:
        return None
    known_type(at, node)
    if _is_call(declarator):
        names = names_alone(declaration)
        if not names or not all(_names_a_value(at, name) for name in names):
            for name in names:
                known_type(at, name)
            if any(n.type == "abstract_function_declarator" for n in inside(declarator)):
                # `X x(Y());`, of a function that takes one, [dcl.ambig.res]: seldom what is meant.
                raise at.not_understood(declarator, "a function that is declared in a body")
            return None
        declarator = None  # `int j(i);`, an object
    try:
        return declared_type(at.program, declaration, declarator, at.place)
    except CxxError:
        return None


def _is_call(declarator: Node | None) -> TypeGuard[Node]:
    return declarator is not None and declarator.type == "function_declarator"


def _is_array(declarator: Node | None) -> bool:
    # Not of a parameter, which is a pointer.
    around = declarator.parent if declarator is not None else None
    is_parameter = around is not None and around.type.endswith("parameter_declaration")
    is_array = declarator is not None and declarator.type == "array_declarator"
    return is_array and not is_parameter


def _elements(at: At, declarator: Node | None, value: Node | None) -> int | None:
    """How many `int a[3]` and `int a[] = {1, 2}` have, where a number or braces say so."""
    if declarator is None or not _is_array(declarator):
        return None
    size = declarator.child_by_field_name("size")
    if size is not None:
        spelled = at.spell(size)
        return int(spelled) if spelled.isdecimal() and not spelled.startswith("0") else None
    in_braces = value is not None and value.type == "initializer_list"
    return len(argument_nodes(value)) if value is not None and in_braces else None


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
    if _is_call(declarator):
        return
    needs = isinstance(type, ReferenceType) or (type is not None and _pointee(type) == AUTO)
    bare = without_reference_and_const(type) if type is not None else None
    if needs or (const and (arithmetic_type(type) is not None or isinstance(bare, OwnType))):
        raise at.not_understood(declarator or declaration, "a variable without a value")
