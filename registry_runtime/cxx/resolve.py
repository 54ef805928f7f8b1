"""What a type or an id-expression at some place of the text stands for.

Names, types and template arguments are one knot: `KernelArgsParseFunctor<decltype(&f<bool>)>` is a
name with an argument that is the type of an expression that is a name with an argument. This module
holds that knot. Calls and operators, which never occur in it, are built on top, in `evaluate`.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx.bindings import ClassTemplate, Constant, Enumeration
from registry_runtime.cxx.declarations import (
    Alias,
    FunctionDeclaration,
    declared_name,
    inner_declarator,
)
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.lookup import Found, Program, look_up, unknown_name
from registry_runtime.cxx.members import bound_value
from registry_runtime.cxx.names import NAMES, NamePart, QualifiedName, qualified_name
from registry_runtime.cxx.parse import syntax_errors
from registry_runtime.cxx.span import CxxError, Span
from registry_runtime.cxx.types import (
    FunctionType,
    NamedType,
    PackExpansion,
    Parameter,
    PointerType,
    TemplateArgument,
    Type,
    UnknownType,
    as_parameter,
    const,
    fundamental,
    reference,
    substitute,
    typedef,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is read: the namespace, the parameters of the template around, the depth."""

    scope: str
    template_parameters: frozenset[str] = frozenset()
    depth: int = 0

    def deeper(self, node: Node) -> Place:
        """This place, one level of nesting further in."""
        if self.depth > 60:
            raise CxxError("nested too deeply", Span(node.start_byte, node.end_byte))
        return Place(self.scope, self.template_parameters, self.depth + 1)


def no_syntax_errors(program: Program, node: Node) -> None:
    """Raise the first syntax error inside `node`: what holds one can't be given a meaning."""
    if node.has_error:
        for error in syntax_errors(program.source, node):
            raise error


# --- Types ----------------------------------------------------------------------------------------


def read_type(program: Program, node: Node, place: Place) -> Type:
    """The type that a type-id, a parameter or a simple declaration spells."""
    return declare(program, _specified(program, node, place), _declarator(node), place)


def _declarator(node: Node) -> Node | None:
    declarator = node.child_by_field_name("declarator")
    if declarator is not None and declarator.type == "init_declarator":
        return declarator.child_by_field_name("declarator")
    return declarator


def _specified(program: Program, node: Node, place: Place) -> Type:
    # The part of a declaration that all its declarators share: `const DenseTensor` of `&x, &y`.
    type_node = node.child_by_field_name("type")
    if type_node is None:
        raise CxxError("a type is missing", program.source.span(node))
    base = _base_type(program, type_node, place.deeper(node))
    return const(base) if _is_const(node) else base


def _is_const(node: Node) -> bool:
    return any(c.type == "type_qualifier" and c.child(0).type == "const" for c in node.children)


def declare(program: Program, base: Type, declarator: Node | None, place: Place) -> Type:
    """What `declarator` makes of `base`: `*x` a pointer to it, `&x` a reference."""
    type = base
    while declarator is not None and declarator.type not in NAMES:
        match declarator.type.removeprefix("abstract_"):
            case "pointer_declarator":
                type = PointerType(type)
                type = const(type) if _is_const(declarator) else type
            case "reference_declarator":
                type = reference(type, declarator.child(0).type == "&&")
            case "function_declarator":
                type = FunctionType(type, _parameters(program, declarator, place))
            case "array_declarator":
                type = PointerType(type)  # as a parameter, which is where we read declarators
            case "parenthesized_declarator" | "attributed_declarator" | "variadic_declarator":
                pass
            case _:
                spelling = program.source.spell(declarator)
                raise CxxError(
                    f"not understood: the declarator `{spelling}`", program.source.span(declarator)
                )
        place = place.deeper(declarator)
        declarator = inner_declarator(declarator)
    return type


_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")


def _parameters(program: Program, declarator: Node, place: Place) -> tuple[Parameter, ...]:
    found = []
    listed = declarator.child_by_field_name("parameters")
    for node in listed.named_children if listed else ():
        if node.type == "comment":
            continue
        is_pack = node.type == "variadic_parameter_declaration"
        if not is_pack and node.type not in _PARAMETERS:
            raise CxxError(
                f"not understood: the parameter `{program.source.spell(node)}`",
                program.source.span(node),
            )
        name = declared_name(node.child_by_field_name("declarator"))
        type = as_parameter(read_type(program, node, place))
        type = PackExpansion(type) if is_pack else type
        spelling = program.source.spell(name) if name else ""
        found.append(Parameter(type, spelling, program.source.span(node)))
    return () if [str(p) for p in found] == ["void"] else tuple(found)


def _base_type(program: Program, node: Node, place: Place) -> Type:
    match node.type:
        case "primitive_type" | "sized_type_specifier":
            return fundamental(program.source.spell(node))
        case "placeholder_type_specifier":
            return NamedType("auto")
        case "decltype":
            return _decltype(program, node, place)
        case "dependent_type":
            return NamedType(" ".join(program.source.spell(node).split()))
        case "struct_specifier" | "class_specifier" | "enum_specifier" | "union_specifier":
            name = node.child_by_field_name("name")
            if name is not None:
                return _named_type(program, name, place)
        case kind if kind in NAMES:
            return _named_type(program, node, place)
    raise CxxError(
        f"not understood: the type `{program.source.spell(node)}`", program.source.span(node)
    )


def _named_type(program: Program, node: Node, place: Place) -> Type:
    name = qualified_name(program.source, node)
    if not name.is_global and name.parts[0].name in place.template_parameters:
        return NamedType(" ".join(program.source.spell(node).split()))
    found = look_up(program, name, place.scope)
    if found is None:
        known = typedef(name.parts[-1].name) if name.parts[0].name in ("std", str(name)) else None
        return NamedType(known or str(name), _arguments(program, name.parts[-1], place))
    arguments = _arguments(program, found.part, place)
    if found.alias is not None and not found.rest:
        return _aliased(program, found.alias, place)
    if found.rest:
        member = "".join(f"::{part.name}" for part in found.rest)
        return NamedType(f"{NamedType(found.path, arguments)}{member}")
    if isinstance(found.type, NamedType):
        return NamedType(found.type.name, arguments) if arguments else found.type
    return NamedType(found.path, arguments)


def _aliased(program: Program, alias: Alias, place: Place) -> Type:
    where = Place(alias.scope, depth=place.deeper(alias.node).depth)
    if alias.declarator is None:
        return read_type(program, alias.node, where)
    return declare(program, _base_type(program, alias.node, where), alias.declarator, where)


def _decltype(program: Program, node: Node, place: Place) -> Type:
    operand = node.named_children[0] if node.named_children else None
    address = operand is not None and operand.type == "pointer_expression"
    inner = operand.child_by_field_name("argument") if address and operand else operand
    if inner is None or inner.type not in NAMES:
        raise CxxError(
            f"not understood: the operand of `{program.source.spell(node)}`",
            program.source.span(node),
        )
    value = id_expression(program, inner, place)
    if not isinstance(value, CxxFunction):
        raise CxxError(
            f"not understood: decltype of `{program.source.spell(inner)}`, which is no function",
            program.source.span(inner),
        )
    type = value.type or UnknownType(value)
    return PointerType(type) if address else type


# --- Template arguments ---------------------------------------------------------------------------


def _arguments(program: Program, part: NamePart, place: Place) -> tuple[TemplateArgument, ...]:
    if part.arguments is None:
        return ()
    place = place.deeper(part.arguments)
    return tuple(
        TemplateArgument(_argument(program, node, place), program.source.span(node))
        for node in part.arguments.named_children
        if node.type != "comment"
    )


def _argument(program: Program, node: Node, place: Place) -> Type | object:
    if node.type in LITERALS:
        return literal(program.source, node)
    if node.type == "pointer_expression":
        inner = node.child_by_field_name("argument")
        if inner is not None and inner.type in NAMES:
            return id_expression(program, inner, place)
    if node.type != "type_descriptor":
        spelling = program.source.spell(node)
        raise CxxError(
            f"not understood: the template argument `{spelling}`", program.source.span(node)
        )
    # The grammar takes any name between < and > for a type. `phi::RegType::INNER` is a value.
    name = node.child_by_field_name("type")
    if name is not None and node.named_child_count == 1 and name.type == "qualified_identifier":
        found = look_up(program, qualified_name(program.source, name), place.scope)
        if found is not None and _is_value(found):
            return id_expression(program, name, place)
    return read_type(program, node, place)


def _default_argument(program: Program, node: Node, place: Place) -> Type | object:
    # Here the grammar knows a type from a value, and gives the type without its wrapping.
    if node.type in LITERALS or node.type in ("pointer_expression", "type_descriptor"):
        return _argument(program, node, place)
    return _base_type(program, node, place)


def is_value(program: Program, node: Node, place: Place) -> bool:
    """Whether a name names a value: not a type, and not something unknown."""
    try:
        found = look_up(program, qualified_name(program.source, node), place.scope)
    except CxxError:
        return True  # known further down, which is for id_expression to say
    if found is None:
        return False
    is_static = isinstance(found.binding, ClassTemplate) and bool(found.rest)
    return is_static or _is_value(found)


def _is_value(found: Found) -> bool:
    is_member = isinstance(found.binding, Enumeration) and bool(found.rest)
    is_bound = is_member or isinstance(found.binding, Constant)
    return is_bound or bool(found.functions) or found.variable is not None


# --- Names of values ------------------------------------------------------------------------------


def id_expression(program: Program, node: Node, place: Place) -> object:
    """The value that a name stands for: an enumerator, a static member, a function.

    A function template that the text doesn't declare gives a `CxxFunction` without a type, so that
    a registration can be read without the header of its kernel. Any other unknown name is a
    CxxError.
    """
    spelling = program.source.spell(node)
    if place.template_parameters:
        return _id_expression(program, node, place)
    if "<" not in spelling:
        return _plain_name(program, node, place, spelling)
    # A registrar spells the same instance seven times. It means the same each time, as long as no
    # further function was declared in between: one of that name, if no other stands inside.
    positions = program.declarations.function_positions
    if "&" not in spelling:
        last = spelling.partition("<")[0].rpartition("::")[2].strip()
        positions = program.declarations.positions_by_name.get(last, [])
    declared = bisect(positions, node.start_byte)
    key = (spelling, place.scope, declared)
    if key not in program.instances:
        program.instances[key] = _id_expression(program, node, place)
    return program.instances[key]


def _plain_name(program: Program, node: Node, place: Place, spelling: str) -> object:
    # `::phi::RegType::INNER` means the same wherever nothing can come between: at global scope,
    # in a text without `using namespace`, a bound name is found at once.
    if place.scope or program.declarations.directives:
        return _id_expression(program, node, place)
    key = ("bound", spelling)
    if key in program.instances:
        return program.instances[key]
    value = _id_expression(program, node, place)
    if spelling.removeprefix("::").rpartition("::")[0] in program.bindings.names:
        program.instances[key] = value
    return value


def _id_expression(program: Program, node: Node, place: Place) -> object:
    name = qualified_name(program.source, node)
    found = look_up(program, name, place.scope)
    if found is None:
        if name.parts[-1].arguments is None:
            raise unknown_name(program, name, place.scope)
        arguments = _arguments(program, name.parts[-1], place)
        return CxxFunction(str(name), arguments, None, name.span, (), program)
    if found.alias is not None:
        found = _through_alias(program, found, place, name)
    if found.variable is not None and not found.rest:
        return program.initial_value(program, found.variable)
    if found.functions and not found.rest:
        return _function(program, found, place, name)
    return bound_value(found, name, lambda: _arguments(program, found.part, place))


def _through_alias(program: Program, found: Found, place: Place, name: QualifiedName) -> Found:
    assert found.alias is not None
    type = _aliased(program, found.alias, place)
    binding = program.bindings.names.get(type.name) if isinstance(type, NamedType) else None
    if binding is None:
        raise CxxError(f"`{found.path}` is a type, not a value", name.span)
    return Found(str(type), found.part, found.rest, binding=binding)


# --- Functions ------------------------------------------------------------------------------------


def _function(program: Program, found: Found, place: Place, name: QualifiedName) -> CxxFunction:
    arguments = _arguments(program, found.part, place)
    key = (found.path, arguments, found.part.arguments is None, len(found.functions))
    known = program.instances.get(key)
    if isinstance(known, CxxFunction):
        return known
    fitting: dict[FunctionType, list[FunctionDeclaration]] = {}
    # Definitions first: of several declarations, theirs are the parameter names that count.
    for declaration in sorted(found.functions, key=lambda declaration: declaration.body is None):
        if (declaration.template_parameters is None) == (found.part.arguments is None):
            type = instance_type(program, declaration, arguments)
            if type is not None:
                fitting.setdefault(type, []).append(declaration)
    if len(fitting) != 1:
        raise _no_overload(found, arguments, len(fitting), name)
    [(type, declarations)] = fitting.items()
    function = CxxFunction(found.path, arguments, type, name.span, tuple(declarations), program)
    program.instances[key] = function
    return function


def instance_type(
    program: Program, declaration: FunctionDeclaration, arguments: tuple[TemplateArgument, ...]
) -> FunctionType | None:
    """The declared function's type with these template arguments, or None if they don't fit."""
    bound = _bind(program, declaration, arguments)
    if bound is None:
        return None
    type = _function_type(program, declaration)
    type = substitute(type, bound) if bound else type
    return type if isinstance(type, FunctionType) else None


def _bind(
    program: Program, declaration: FunctionDeclaration, arguments: tuple[TemplateArgument, ...]
) -> dict[str, Type | object] | None:
    # Which argument each template parameter gets, or None if they don't fit in number.
    parameters = declaration.template_parameters or ()
    pack = parameters[-1].name if parameters and parameters[-1].is_pack else None
    if pack is not None:  # what is left over; `f<int>` leaves nothing, and the pack is empty
        parameters = parameters[:-1]
        rest, arguments = arguments[len(parameters) :], arguments[: len(parameters)]
    if any(parameter.is_pack for parameter in parameters) or len(arguments) > len(parameters):
        return None
    bound: dict[str, Type | object] = {
        parameter.name: argument.value
        for parameter, argument in zip(parameters, arguments, strict=False)
    }
    for parameter in parameters[len(arguments) :]:
        if parameter.default is None:
            return None
        names = frozenset(p.name for p in parameters)
        where = Place(declaration.scope, names)
        default = _default_argument(program, parameter.default, where)
        bound[parameter.name] = substitute(default, bound) if isinstance(default, Type) else default
    if pack is not None:
        bound[pack] = tuple(argument.value for argument in rest)
    return bound


def _function_type(program: Program, declaration: FunctionDeclaration) -> Type:
    # In terms of the template's parameters, and worked out once for all its instances.
    known = program.types.get(declaration.position)
    if known is None:
        no_syntax_errors(program, declaration.declarator)
        names = frozenset(p.name for p in declaration.template_parameters or ())
        place = Place(declaration.scope, names)
        known = read_type(program, declaration.node, place)
        program.types[declaration.position] = known
    return known


def _no_overload(
    found: Found, arguments: tuple[TemplateArgument, ...], fitting: int, name: QualifiedName
) -> CxxError:
    if fitting:
        return CxxError(f"`{found.path}` is ambiguous: {fitting} overloads fit", name.span)
    templates = [f.template_parameters for f in found.functions if f.template_parameters]
    if not templates:
        return CxxError(f"`{found.path}` is a function, not a template", name.span)
    wanted = " or ".join(dict.fromkeys(f"<{', '.join(p.name for p in t)}>" for t in templates))
    count = f"{len(arguments)} argument{'' if len(arguments) == 1 else 's'}"
    return CxxError(f"`{found.path}` is a template of {wanted} and is given {count}", name.span)
