"""The type that a piece of the text spells, and what stands between `<` and `>`.

Types and template arguments are one knot: `KernelArgsParseFunctor<decltype(&f<bool>)>` is a name with
an argument that is the type of an expression that is a name with an argument. This module holds that
knot. The values in it, `f` and what it is instantiated with, are worked out by `Program.evaluate`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import cast

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import plain
from registry_runtime.cxx.bindings import Class, ClassTemplate, TypeTemplate, refusals_at
from registry_runtime.cxx.collect import own_name
from registry_runtime.cxx.context import Context, Place
from registry_runtime.cxx.declarations import Alias
from registry_runtime.cxx.declarators import declared_name, inner_declarator
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.lookup import Found, classes_in, look_up
from registry_runtime.cxx.names import NAMES, NamePart, QualifiedName, join, qualified_name
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError, Incomplete, NotUnderstood, Span
from registry_runtime.cxx.types import (
    FunctionType,
    NamedType,
    PackExpansion,
    Parameter,
    PointerType,
    ReferenceType,
    TemplateArgument,
    Type,
    UnknownType,
    as_parameter,
    const,
    fundamental,
    reference,
    typedef,
)


def read_type(program: Program, node: Node, place: Place) -> Type:
    """The type that a type-id, a parameter or a simple declaration spells."""
    return declare(program, _specified(program, node, place), _declarator(node), place)


def declared_type(program: Program, node: Node, declarator: Node | None, place: Place) -> Type:
    """The type of what one declarator of a declaration declares; for None, the one in front of it."""
    return declare(program, _specified(program, node, place), declarator, place)


def _declarator(node: Node) -> Node | None:
    declarator = node.child_by_field_name("declarator")
    if declarator is not None and declarator.type == "init_declarator":
        return declarator.child_by_field_name("declarator")
    return declarator


def _specified(program: Program, node: Node, place: Place) -> Type:
    # The part of a declaration that all its declarators share: `const DenseTensor` of `&x, &y`.
    type_node = node.child_by_field_name("type")
    if type_node is None:
        raise Incomplete("a type is missing", program.source.span(node))
    base = base_type(program, type_node, place.deeper(node))
    return const(base) if _is_const(node) else base


def _is_const(node: Node) -> bool:
    return any(c.type == "type_qualifier" and c.child(0).type == "const" for c in node.children)


def declare(program: Program, base: Type, declarator: Node | None, place: Place) -> Type:
    """What `declarator` makes of `base`: `*x` a pointer to it, `&x` a reference."""
    type = base
    while declarator is not None and declarator.type not in (*NAMES, "operator_name"):
        match declarator.type.removeprefix("abstract_"):
            case "pointer_declarator":
                type = PointerType(type)
                type = const(type) if _is_const(declarator) else type
            case "reference_declarator":
                type = reference(type, declarator.child(0).type == "&&")
            case "function_declarator":
                returns = _trailing(program, declarator, place) or type
                type = FunctionType(returns, declared_parameters(program, declarator, place))
            case "array_declarator":
                type = PointerType(type)  # as a parameter, which is where we read declarators
            case "parenthesized_declarator" | "attributed_declarator" | "variadic_declarator":
                pass
            case _:
                spelling = program.source.spell(declarator)
                raise NotUnderstood(f"the declarator `{spelling}`", program.source.span(declarator))
        place = place.deeper(declarator)
        declarator = inner_declarator(declarator)
    return type


def _trailing(program: Program, declarator: Node, place: Place) -> Type | None:
    # `auto f(int n) -> double`: what the function returns, where the arrow says it.
    for node in declarator.named_children:
        if node.type == "trailing_return_type":
            return read_type(program, node.named_children[0], place)
    return None


_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")


def declared_parameters(program: Program, declarator: Node, place: Place) -> tuple[Parameter, ...]:
    """The parameters in the declarator of a function or of a lambda."""
    listed = declarator.child_by_field_name("parameters")
    if listed is None:
        return ()
    spelled, start = program.source.spell(listed), listed.start_byte
    if "{" in spelled:  # a class of its own
        return _parameters(program, listed, place)
    key = ("parameters", spelled, place.scope, place.template_parameters)
    read = partial(_parameters, program, listed, place)
    first, found = program.spelled(key, None, lambda: (start, read()))
    return found if first == start else tuple(_moved(one, start - first) for one in found)


def _moved(parameter: Parameter, by: int) -> Parameter:
    span = Span(parameter.span.start + by, parameter.span.end + by)
    return Parameter(parameter.type, parameter.name, span)


def _parameters(program: Program, listed: Node, place: Place) -> tuple[Parameter, ...]:
    found = []
    for node in listed.named_children:
        if node.type == "comment":
            continue
        is_pack = node.type == "variadic_parameter_declaration"
        if not is_pack and node.type not in _PARAMETERS:
            raise NotUnderstood(
                f"the parameter `{program.source.spell(node)}`",
                program.source.span(node),
            )
        name = declared_name(node.child_by_field_name("declarator"))
        type = as_parameter(read_type(program, node, place.deeper(node)))
        type = PackExpansion(type) if is_pack else type
        spelling = program.source.spell(name) if name else ""
        found.append(Parameter(type, spelling, program.source.span(node)))
    return () if [str(p) for p in found] == ["void"] else tuple(found)


# --- What stands before the declarator ------------------------------------------------------------


def base_type(program: Program, node: Node, place: Place) -> Type:
    """The type that a specifier spells, `unsigned` or `phi::DenseTensor`. Raises CxxError."""
    match node.type:
        case "primitive_type" | "sized_type_specifier" if not _has_another_word(program, node):
            return fundamental(program.source.spell(node))
        case "placeholder_type_specifier":
            return NamedType("auto")
        case "decltype":
            return _decltype(program, node, place)
        case "dependent_type":
            return _dependent(program, node, place)
        case "struct_specifier" | "class_specifier" | "enum_specifier" | "union_specifier":
            name = node.child_by_field_name("name")
            if name is not None:
                return named_type(program, name, place, elaborated=True)
            full_name = own_name(program.source, node, place.scope)
            if (own := program.own_type(program, full_name)) is not None:
                return own
        case kind if kind in NAMES:
            return named_type(program, node, place)
    raise NotUnderstood(f"the type `{program.source.spell(node)}`", program.source.span(node))


def _has_another_word(program: Program, node: Node) -> bool:
    # In `unsigned n && uint8_t{5}` the grammar takes the n for a part of the type.
    named = node.child_by_field_name("type")
    spelling = program.source.spell(named) if named is not None else ""
    return named is not None and named.type in NAMES and not spelling.startswith("__")


def _dependent(program: Program, node: Node, place: Place) -> Type:
    """`typename X<T>::type`, which is known once `T` is."""
    name = node.named_children[0]
    if place.template_parameters.isdisjoint(re.findall(r"\w+", program.source.spell(name))):
        return named_type(program, name, place)
    return NamedType(" ".join(program.source.spell(node).split()))


def named_type(program: Program, node: Node, place: Place, elaborated: bool = False) -> Type:
    """The type that a name alone spells; `elaborated` is one behind `struct`."""
    known = None if elaborated else bound_type(program, node, place)
    return known or type_of_name(program, qualified_name(program.source, node), place, elaborated)


def bound_type(program: Program, node: Node, place: Place) -> Type | None:
    """The type that a name spells which the table has where it is looked for first: it means the same
    wherever it stands. A registration names `phi::KernelKey` a dozen times."""
    spelled = program.source.spell(node)
    first = spelled.partition("::")[0]
    if "<" in spelled or first in place.template_parameters:
        return None
    scope = place.scope if first else ""
    key = ("bound type", spelled, scope)
    found: Type | None = program.once(key, lambda: _bound_at_once(program, node, scope))
    return found


def _bound_at_once(program: Program, node: Node, scope: str) -> Type | None:
    name, bindings = qualified_name(program.source, node), program.bindings
    path = join(scope, str(name))
    binding, type = bindings.names.get(path), bindings.types.get(path)
    if not isinstance(binding, Class | ClassTemplate) and (binding is not None or type is None):
        return None
    for part in name.parts[:-1]:
        scope = join(scope, part.name)
        is_bound = scope in bindings.names or scope in bindings.types
        if is_bound or program.declarations.has_more_than_a_namespace(scope):
            return None
    return type or NamedType(path)


def type_of_name(
    program: Program, name: QualifiedName, place: Place, elaborated: bool = False
) -> Type:
    """The same, of a name that was read."""
    if not name.is_global and name.parts[0].name in place.template_parameters:
        spelled = program.source.text[name.span.start : name.span.end]
        return NamedType(" ".join(spelled.split()))
    found = look_up(program, name, place.scope, types_only=elaborated)
    if found is None:
        known = typedef(name.parts[-1].name) if name.parts[0].name in ("std", str(name)) else None
        is_space = str(name) in program.bindings.namespaces  # with what a bound class has inside
        if known is None and name.parts[0].name != "std" and not is_space:
            (program.unknown if elaborated else program.unknown_types).add(str(name))
            program.unknown.update(classes_in(name))
        return NamedType(known or str(name), template_arguments(program, name.parts[-1], place))
    arguments = template_arguments(program, found.part, place)
    if found.alias is not None and not found.rest:
        return aliased(program, found.alias, place)
    if isinstance(found.binding, TypeTemplate) and not found.rest:
        return refusals_at(name.span, [], found.binding.apply, arguments)
    if found.rest and (found.is_class or isinstance(found.type, NamedType)):
        of: Type | None = found.type or NamedType(found.path, arguments)
        for part in found.rest:
            is_class = isinstance(of, NamedType)
            of = program.member_type(program, of, part, name.span) if is_class else None
        if of is not None:
            return of
    if found.rest:
        member = "".join(f"::{part.name}" for part in found.rest)
        return NamedType(f"{NamedType(found.path, arguments)}{member}")
    if isinstance(found.type, NamedType) and arguments:
        return NamedType(found.type.name, arguments)
    own = program.own_type(program, found.path) if found.is_class and not arguments else None
    return found.type or own or NamedType(found.path, arguments)


def aliased(program: Program, alias: Alias, place: Place) -> Type:
    """The type that an alias is another name for."""
    where = Place(alias.scope, depth=place.deeper(alias.node).depth)
    if alias.declarator is None:
        return read_type(program, alias.node, where)
    return declare(program, base_type(program, alias.node, where), alias.declarator, where)


def _decltype(program: Program, node: Node, place: Place) -> Type:
    """Of a function's name its type, of `&f` a pointer to it, and of `(f)`, which is an expression
    that names an object, a reference."""
    operand = node.named_children[0] if node.named_children else None
    wrapped = operand is not None and operand.type == "parenthesized_expression"
    operand = _unwrapped(operand) if operand else None
    address = operand is not None and operand.type == "pointer_expression"
    inner = operand.child_by_field_name("argument") if address and operand else operand
    inner = _unwrapped(inner) if inner else None
    if inner is None or inner.type not in NAMES:
        raise NotUnderstood(
            f"the operand of `{program.source.spell(node)}`",
            program.source.span(node),
        )
    in_body = "{" in place.scope  # where a block is a scope of its own
    if in_body and look_up(program, qualified_name(program.source, inner), place.scope) is None:
        return NamedType("auto")  # of a variable, whose value knows what it is
    value = _value(program, inner, place)
    if not isinstance(value, CxxFunction):
        around, _, _ = str(qualified_name(program.source, inner)).rpartition("::")
        program.unknown.add(around)  # a header may declare the class of what is bound
        raise NotUnderstood(
            f"decltype of `{program.source.spell(inner)}`, which is no function",
            program.source.span(inner),
        )
    type = value.type or UnknownType(value)
    if address:
        return PointerType(type)
    return ReferenceType(type) if wrapped else type


def _unwrapped(node: Node) -> Node:
    """Without the parentheses around it."""
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def _value(program: Program, node: Node, place: Place) -> object:
    return Context(program, place).evaluate(node)


# --- Template arguments ---------------------------------------------------------------------------


def template_arguments(
    program: Program, part: NamePart, place: Place
) -> tuple[TemplateArgument, ...]:
    """What stands between the `<` and `>` of one part of a name."""
    if part.arguments is None:
        return ()
    place, listed = place.deeper(part.arguments), part.arguments
    spelled, start = program.source.spell(listed), listed.start_byte
    key = ("template arguments", spelled, place.scope, place.template_parameters)
    # A registrar spells the arguments of `KernelImpl` twice.
    at = None if place.template_parameters or "{" in place.scope else start
    read = partial(_template_arguments, program, listed, place)
    found: tuple[TemplateArgument, ...]
    first, found = program.spelled(key, at, lambda: (start, read()))
    if first == start:
        return found
    spans = (Span(one.span.start + start - first, one.span.end + start - first) for one in found)
    return tuple(
        TemplateArgument(one.value, span, program) for one, span in zip(found, spans, strict=True)
    )


def _template_arguments(
    program: Program, listed: Node, place: Place
) -> tuple[TemplateArgument, ...]:
    return tuple(
        TemplateArgument(_argument(program, node, place), program.source.span(node), program)
        for node in listed.named_children
        if node.type != "comment"
    )


def _argument(program: Program, node: Node, place: Place) -> Type | object:
    kind = node.type
    if kind == "type_descriptor":
        return _type_or_value(program, node, place)
    if kind in LITERALS:
        value = refusals_at(program.source.span(node), [], literal, program.source, node)
        return cast(object, plain(value))
    if kind == "parenthesized_expression" and (inner := _unwrapped(node)) != node:
        is_name = inner.type in NAMES
        return _value(program, inner, place) if is_name else _argument(program, inner, place)
    if kind == "pointer_expression":
        pointed_to = node.child_by_field_name("argument")
        function = _unwrapped(pointed_to) if pointed_to is not None else None
        if function is not None and function.type in NAMES:
            return _value(program, function, place)
    if kind == "call_expression":
        return _value(program, node, place)
    if kind == "parameter_pack_expansion":
        pattern = node.child_by_field_name("pattern")
        if pattern is not None and pattern.type == "type_descriptor":
            return PackExpansion(read_type(program, pattern, place))
    raise NotUnderstood(
        f"the template argument `{program.source.spell(node)}`",
        program.source.span(node),
    )


def _type_or_value(program: Program, node: Node, place: Place) -> Type | object:
    # The grammar takes any name between < and > for a type. `phi::RegType::INNER` is a value.
    name = node.child_by_field_name("type")
    may_be = name is not None and node.named_child_count == 1 and name.type in _MAY_BE_VALUES
    if name is not None and may_be and bound_type(program, name, place) is not None:
        return read_type(program, node, place)
    if name is not None and may_be and program.source.spell(name) not in place.template_parameters:
        found = look_up(program, qualified_name(program.source, name), place.scope)
        if found is not None and found.is_value:
            _check_constant(program, name, found)
            return _value(program, name, place)
        if found is not None and found.is_class and found.rest:  # `Op::f`, a static member, perhaps
            with suppress(CxxError):
                value = _value(program, name, place)
                if isinstance(value, CxxFunction):
                    return value
        if found is None and (around := program.source.spell(name).rpartition("::")[0]):
            program.unknown_types.add(around)  # of an enumerator, perhaps
    return read_type(program, node, place)


_MAY_BE_VALUES = ("qualified_identifier", "type_identifier")


def _check_constant(program: Program, name: Node, found: Found) -> None:
    """A pointer that is a template argument has to be known when the text is compiled."""
    declaration = found.variable and found.variable.type and found.variable.type.parent
    if not declaration or any(
        program.source.spell(child) == "constexpr" or child.type == "primitive_type"
        for child in declaration.named_children
    ):
        return
    raise CxxError(
        f"`{program.source.spell(name)}` is a variable, which can't be a template argument",
        program.source.span(name),
        "name the function, or make the variable constexpr",
    )


def default_argument(program: Program, node: Node, place: Place) -> Type | object:
    """What a template parameter is where it is not given: behind its `=`."""
    # Here the grammar knows a type from a value, and gives the type without its wrapping.
    if node.type in LITERALS or node.type in ("pointer_expression", "type_descriptor"):
        return _argument(program, node, place)
    return base_type(program, node, place)
