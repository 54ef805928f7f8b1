"""What happens in a program before `main()`: its static objects are constructed, in order.

This is how a kernel gets into a registry without anybody calling anything. `initialise` reads a text
as a compiler would, then constructs the static objects whose types are bound, top to bottom. On its
way it checks the static assertions and notes the explicit instantiations.

What goes wrong becomes an error in the result, and the rest still runs: a file with a broken
registration shows the others. Two rules keep that from being nonsense. A declaration that holds a
syntax error isn't run. And a failed `static_assert` takes down what follows it in its block, up to
the next one, since in C++ it would have taken down the whole file.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx.bindings import Bindings, Class, refusals_at
from registry_runtime.cxx.declarations import Action, collect, declared_name, names_alone
from registry_runtime.cxx.evaluate import (
    Context,
    call_bound,
    child,
    condition,
    evaluate,
    initial_value,
    span_of,
)
from registry_runtime.cxx.execute import call_function
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.lookup import Program, look_up, unknown_name
from registry_runtime.cxx.names import NAMES, QualifiedName, join, qualified_name
from registry_runtime.cxx.parse import parse, syntax_errors
from registry_runtime.cxx.resolve import Place, id_expression, is_value, no_syntax_errors
from registry_runtime.cxx.span import CxxError, FailedAssertion, Span, UnparsedText


@dataclass(frozen=True, slots=True)
class StaticObject:
    """A static object that was constructed: `value` is what its bound class made."""

    name: str
    value: object
    span: Span


@dataclass(frozen=True, slots=True)
class Instantiation:
    """An explicit instantiation, `template decltype(f<T>) f<T>;`: here C++ compiles `f` for `T`."""

    function: CxxFunction
    span: Span


@dataclass(frozen=True, slots=True)
class StaticCall:
    """`static int x = f();` for a class or type that isn't bound: what it calls, and whether the
    text has a body for it. One without is another file's, as with `PD_DECLARE_KERNEL`."""

    function: str
    is_defined: bool
    span: Span


@dataclass(frozen=True, slots=True)
class StaticInitialisation:
    """What running the text's static initialisation gave, each tuple in the text's order.

    `warnings` are about text that couldn't be read and that nothing depended on.
    """

    objects: tuple[StaticObject, ...]
    instantiations: tuple[Instantiation, ...]
    errors: tuple[CxxError, ...]
    warnings: tuple[CxxError, ...]
    calls: tuple[StaticCall, ...] = ()


def initialise(text: str, bindings: Bindings) -> StaticInitialisation:
    """Read expanded C++ and run its static initialisation. Never raises for what the text holds."""
    source = parse(text)
    declarations = collect(source)
    program = Program(source, declarations, bindings, call_function, initial_value)
    run = _Run(program, [], [], [], {}, {})
    # An error that was met while running says more than the parser's about the same place.
    errors = [*_run_all(run, declarations.actions), *declarations.errors]
    warnings: list[CxxError] = []
    for unparsed in syntax_errors(source):
        (errors if _matters(run, unparsed) else warnings).append(unparsed)
    for error in (*errors, *warnings):
        error.span = source.within(error.span)
    known = {error.span for error in errors}
    return StaticInitialisation(
        tuple(run.objects),
        tuple(run.instantiations),
        _one_for_each_place(errors),
        _one_for_each_place([warning for warning in warnings if warning.span not in known]),
        tuple(run.calls),
    )


def _run_all(run: _Run, actions: list[Action]) -> list[CxxError]:
    # One mistake is met many times, by an instantiation and a registrar for each type. So within
    # what one static_assert guards, which is one registration, the same error is told once.
    told: dict[tuple[int, str], CxxError] = {}
    registration = 0
    for action in actions:
        registration += action.kind == "static_assert_declaration"
        try:
            _act(run, action)
        except CxxError as error:
            told.setdefault((registration, error.message), error)
    return list(told.values())


def _matters(run: _Run, error: UnparsedText) -> bool:
    # Inside something it is an error only if a registration may be lost in there, as happens when
    # a closing brace is missing and the parser takes the rest of the text for part of the body.
    if error.within is None:
        return True
    around = run.program.source.text[error.within.start : error.within.end]
    bound = run.program.bindings.names.items()
    registrars = (name for name, binding in bound if isinstance(binding, Class))
    return any(f"{name} " in around for name in registrars)


def _one_for_each_place(errors: list[CxxError]) -> tuple[CxxError, ...]:
    first: dict[Span, CxxError] = {}
    for error in errors:
        first.setdefault(error.span, error)
    return tuple(sorted(first.values(), key=lambda error: error.span.start))


@dataclass(frozen=True, slots=True)
class _Run:
    program: Program
    objects: list[StaticObject]
    instantiations: list[Instantiation]
    calls: list[StaticCall]
    failed: dict[int, bool]  # by block: whether its last static_assert failed
    defined: dict[str, Span]


def _act(run: _Run, action: Action) -> None:
    if action.kind == "static_assert_declaration":
        run.failed[action.block] = False
        holds = _assertion_holds(run, action)
        run.failed[action.block] = not holds
        if not holds:
            raise _failed(run, action)
    elif run.failed.get(action.block):
        return
    elif action.kind == "template_instantiation":
        _instantiate(run, action)
    else:
        _construct(run, action)


# --- Assertions -----------------------------------------------------------------------------------


def _assertion_holds(run: _Run, action: Action) -> bool:
    # Only std::is_same is bound here. Headers assert much else, about sizes and traits, and what
    # we can't judge we don't accuse.
    asserted = action.node.child_by_field_name("condition")
    if asserted is None or action.node.has_error:
        return True
    context = Context(run.program, Place(action.scope))
    try:
        return condition(context, asserted)
    except CxxError:
        return True


def _failed(run: _Run, action: Action) -> FailedAssertion:
    message = action.node.child_by_field_name("message")
    said: object = "a static_assert fails"
    if message is not None:
        said = evaluate(Context(run.program, Place(action.scope)), message)
    return FailedAssertion(str(said), action.scope, span_of(action.node))


# --- Explicit instantiations ----------------------------------------------------------------------


def _instantiate(run: _Run, action: Action) -> None:
    declarator = action.node.child_by_field_name("declarator")
    if declarator is None or declarator.type not in NAMES or declarator.is_missing:
        return  # of a class, or spelled out with its parameters: nothing depends on it
    no_syntax_errors(run.program, action.node)
    function = id_expression(run.program, declarator, Place(action.scope))
    if not isinstance(function, CxxFunction):
        return
    if str(function) in run.defined:
        raise CxxError(f"`{function}` is instantiated twice", span_of(declarator))
    run.defined[str(function)] = span_of(declarator)
    run.instantiations.append(Instantiation(function, span_of(action.node)))


# --- Static objects -------------------------------------------------------------------------------


def _construct(run: _Run, action: Action) -> None:
    declaration = action.node
    class_ = _bound_class(run.program, declaration, action.scope)
    if class_ is None:
        _note_calls(run, action)
        return
    if _is_extern(run, declaration):
        return
    no_syntax_errors(run.program, declaration)
    for declarator in declaration.children_by_field_name("declarator"):
        name = declared_name(declarator)
        if declarator.type == "function_declarator":
            if not _is_an_object_after_all(run, action):
                continue
        elif name is None or declarator.type not in ("identifier", "init_declarator"):
            continue
        assert name is not None
        full_name = join(action.scope, run.program.source.spell(name))
        if full_name in run.defined:
            raise CxxError(f"`{full_name}` is defined twice", span_of(name))
        run.defined[full_name] = span_of(name)
        value = _initial_value(run, action, class_, declarator)
        run.objects.append(StaticObject(full_name, value, run.program.source.span(declaration)))


def _is_an_object_after_all(run: _Run, action: Action) -> bool:
    # `X r(a, b);` declares a function if a and b are types, and an object if they are values.
    names, place = names_alone(action.node), Place(action.scope)
    return bool(names) and all(is_value(run.program, name, place) for name in names)


def _note_calls(run: _Run, action: Action) -> None:
    for declarator in action.node.children_by_field_name("declarator"):
        value = declarator.child_by_field_name("value")
        if value is None or value.type != "call_expression" or value.has_error:
            continue
        callee = child(value, "function")
        if callee.type not in NAMES:
            continue
        try:
            found = look_up(run.program, qualified_name(run.program.source, callee), action.scope)
        except CxxError:
            continue
        if found is not None and found.functions:
            everywhere = run.program.declarations.functions[found.path]
            is_defined = any(declaration.body is not None for declaration in everywhere)
            run.calls.append(StaticCall(found.path, is_defined, span_of(callee)))


def _is_extern(run: _Run, declaration: Node) -> bool:
    return any(
        child.type == "storage_class_specifier" and run.program.source.spell(child) == "extern"
        for child in declaration.children
    )


def _bound_class(program: Program, declaration: Node, scope: str) -> Class | None:
    type_node = declaration.child_by_field_name("type")
    if type_node is None or type_node.type not in NAMES or type_node.has_error:
        return None
    name = qualified_name(program.source, type_node)
    try:
        found = look_up(program, name, scope)
    except CxxError:
        return None
    if found is None:
        _refuse_a_slip_of(program, name, scope)
        return None
    if found.rest or not isinstance(found.binding, Class):
        return None
    return found.binding


def _refuse_a_slip_of(program: Program, name: QualifiedName, scope: str) -> None:
    # An unknown type is nobody's business here, except where it is a bound class misspelt: then an
    # object that should have registered something would be passed over in silence.
    bound = [n for n, binding in program.bindings.names.items() if isinstance(binding, Class)]
    if difflib.get_close_matches(str(name).removeprefix("::"), bound, 1, 0.9):
        raise unknown_name(program, name, scope)


def _initial_value(run: _Run, action: Action, class_: Class, declarator: Node) -> object:
    context = Context(run.program, Place(action.scope))
    value = declarator.child_by_field_name("value")
    if declarator.type == "function_declarator":
        names = names_alone(action.node)
        values = [id_expression(run.program, name, context.place) for name in names]
        spans = [span_of(name) for name in names]
        return refusals_at(span_of(action.node), spans, class_.construct, *values)
    if value is None:
        return refusals_at(span_of(action.node), [], class_.construct)
    if value.type in ("argument_list", "initializer_list"):
        return call_bound(context, action.node, class_.construct, value)
    return evaluate(context, value)
