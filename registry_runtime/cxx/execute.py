"""Calls of functions and lambdas of the text: the braces that a programmer writes after a registration.

Such a body adjusts what the registration recorded, kernel by kernel: it looks at the key, and sets
a dtype here and a backend there. The statements themselves are run by `statements`.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx.bindings import Class, refusals_at
from registry_runtime.cxx.calling_constructors import registered_by
from registry_runtime.cxx.class_objects import construct
from registry_runtime.cxx.classes import CxxClass, CxxObject
from registry_runtime.cxx.context import Context, Place, argument_nodes, child, copied, span_of
from registry_runtime.cxx.conversions import AUTO, arithmetic_type
from registry_runtime.cxx.declared import bind_reference, initialise_object, no_proxy
from registry_runtime.cxx.definitions import definition, is_const_function
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.instances import body_scope
from registry_runtime.cxx.lambdas import Lambda, returns_in
from registry_runtime.cxx.member_functions import bound_base
from registry_runtime.cxx.parameters import bind_parameters
from registry_runtime.cxx.parse import missing_semicolon, no_syntax_errors
from registry_runtime.cxx.places import decayed
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import CxxError
from registry_runtime.cxx.statements import Return, run_block
from registry_runtime.cxx.types import (
    ConstType,
    NamedType,
    ReferenceType,
    Type,
    without_reference_and_const,
)
from registry_runtime.cxx.variables import UNDEFINED, NoValue, Variables
from registry_runtime.cxx.well_formed import check_body


def call_function(callee: object, values: tuple[object, ...], this: object = None) -> object:
    """Run the body of a function or a lambda of the text; of a member function, on `this`. Of a class,
    make an object, or give what its constructor registered.

    A value is a Python one, given by pointer where the parameter is a pointer; or a `Variable`, for
    a call from the text itself, to which a reference parameter is bound. Raises UndefinedFunction
    and RedefinedFunction, and CxxError for whatever in the body is wrong or not understood: with the
    text that it stands in, which isn't the caller's where a framework made the call.
    """
    assert isinstance(callee, CxxFunction | CxxClass | Lambda)
    program = callee.context.program if isinstance(callee, Lambda) else callee.program
    try:
        return _called(callee, values, this)
    except CxxError as error:
        error.text = error.text or program.source.text
        raise


def _called(callee: object, values: tuple[object, ...], this: object) -> object:
    if isinstance(callee, CxxClass):
        registers = bound_base(callee) is None
        return registered_by(callee, values) if registers else construct(callee, values)
    if isinstance(callee, Lambda):
        body, listed = child(callee.node, "body"), callee.node.child_by_field_name("declarator")
        program, around, place = callee.context.program, callee.context.variables, Place("")
        is_const = callee.context.this_is_const
        scope, name = callee.context.place.scope, "operator()"
        this = callee.context.this
    else:
        assert isinstance(callee, CxxFunction)
        program, around, name = callee.program, None, callee.name
        declaration, is_const = definition(callee), is_const_function(callee)
        scope = body_scope(callee, declaration)
        assert declaration.body is not None
        if declaration.body.type == "initializer_list":
            if not declaration.body.named_child_count:
                return None  # `void f() {};`: the grammar takes the braces for a value
            raise missing_semicolon(program.source, declaration.body)
        body, listed = declaration.body, declaration.declarator
        if isinstance(this, CxxObject):
            if scope == declaration.scope:  # a function out of its class is in it
                scope = declaration.name.rpartition("::")[0]
            this.entering(callee)
    running = program.running
    for_each = (
        running.kept is not None and running.depth == 0
    )  # each statement is judged for itself
    if not for_each:
        no_syntax_errors(program.source, body)
    if running.depth == 0:
        running.steps, running.temporaries = 0, ()
    place = Place(scope, depth=3 * running.depth)
    running.depth += 1
    variables = Variables({}, around)
    try:
        context = Context(program, place, variables, this, is_const)
        if not for_each:
            unsaid = AUTO if isinstance(callee, Lambda) else None
            check_body(context, listed, body, _returns(callee) or unsaid)
        bind_parameters(context, name, listed or body, values)
        run_block(context, body)
    except Return as returned:
        return _returned(context, callee, returned)
    finally:
        running.depth -= 1
        variables.end()
    if _gives_a_value(program, callee, body):
        raise CxxError(f"`{name}` ends without a `return`", span_of(body.children[-1]))
    return None


def _gives_a_value(program: Program, callee: CxxFunction | Lambda, body: Node) -> bool:
    """Whether a call of it has one, and so doesn't end where its body does."""
    type = _returns(callee)
    if type is not None and type != AUTO:
        return type != NamedType("void")
    key = ("gives a value", body.start_byte)
    found: bool = program.once(key, lambda: any(n.named_children for n in returns_in(body)))
    return found


def _returns(callee: CxxFunction | Lambda) -> Type | None:
    if isinstance(callee, Lambda):
        return callee.trailing
    return callee.type.returns if callee.type is not None else None


def _returned(context: Context, callee: CxxFunction | Lambda, returned: Return) -> object:
    value, type, node = decayed(returned.value), _returns(callee), returned.node
    if returned.found is not None and node is not None and type in (None, AUTO):
        refusals_at(span_of(node), [], no_proxy, returned.found)
    if isinstance(type, ReferenceType) and _is_one_object(context, returned):
        return value
    if isinstance(type, ReferenceType) and returned.found is not None and node is not None:
        found, const = returned.found, isinstance(type.to, ConstType)
        is_auto = without_reference_and_const(type) == NamedType("auto")  # which is const then
        if found.is_const and not (found.is_temporary or const or is_auto):
            raise CxxError(f"`{context.spell(node)}` is const, and `{type}` is not", span_of(node))
        return bind_reference(context, type, found, node, const)
    if isinstance(value, NoValue):
        raise CxxError(
            f"what is read here {value.why}", span_of(node) if node else callee.span, UNDEFINED
        )
    if isinstance(value, tuple) and type is not None:
        # `return {a, b};` makes an object of the class that is returned.
        of = context.program.bindings.names.get(str(type))
        if isinstance(of, Class):
            return refusals_at(callee.span, [], of.from_list or of.construct, *value)
    if node is None or type is None:
        return copied(context.program, value)
    in_braces = node.type == "initializer_list" and isinstance(value, tuple) and len(value) == 1
    if in_braces and isinstance(value, tuple) and arithmetic_type(type) is not None:
        value, node = value[0], argument_nodes(node)[0]
    return initialise_object(context, type, value, node, in_braces=in_braces)


def _is_one_object(context: Context, returned: Return) -> bool:
    # What bound code returns, a tensor say, is the same object in Python, reference or not.
    value = returned.value
    is_copied = isinstance(value, bool | int | float | str | NoValue) or (
        type(value) in context.program.bindings.copies
    )
    return returned.found is not None and returned.found.is_temporary and not is_copied
