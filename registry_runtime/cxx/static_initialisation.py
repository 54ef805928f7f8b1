"""What happens in a program before `main()`: its static objects are constructed, in order.

This is how a kernel gets into a registry without anybody calling anything. `initialise` reads a text
as a compiler would, then constructs the static objects whose types are bound, top to bottom (see
`static_objects`). On its way it checks the static assertions and notes the explicit instantiations.

What goes wrong becomes an error in the result, and the rest still runs: a file with a broken
registration shows the others. Two rules keep that from being nonsense. A declaration that holds a
syntax error isn't run. And a failed `static_assert` takes down what follows it in its block, up to
the next one, since in C++ it would have taken down the whole file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from registry_runtime.cxx.bindings import Bindings
from registry_runtime.cxx.broken_bodies import errors_of_bodies
from registry_runtime.cxx.collect import collect
from registry_runtime.cxx.context import Context, Place, span_of
from registry_runtime.cxx.declarations import Action
from registry_runtime.cxx.definitions import out_of_class
from registry_runtime.cxx.evaluate import condition, evaluate, outcome
from registry_runtime.cxx.execute import call_function
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.head_errors import errors_of_heads
from registry_runtime.cxx.id_expression import id_expression
from registry_runtime.cxx.idle_registrars import idle_registrars, may_register
from registry_runtime.cxx.idle_templates import idle_template
from registry_runtime.cxx.in_functions import registrations_in_functions
from registry_runtime.cxx.later_bodies import note_unknown_types
from registry_runtime.cxx.named_twice import named_twice
from registry_runtime.cxx.names import NAMES
from registry_runtime.cxx.objects import initial_value
from registry_runtime.cxx.open_bodies import without_what_follows
from registry_runtime.cxx.out_of_class import undeclared_members
from registry_runtime.cxx.parse import (
    Source,
    no_syntax_errors,
    parse_expanded,
    refused_by_compilers,
    syntax_errors,
)
from registry_runtime.cxx.plain_structs import own_type
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.redeclared import redeclared
from registry_runtime.cxx.span import Code, CxxError, FailedAssertion, Span, UnparsedText
from registry_runtime.cxx.specialisations import member_type
from registry_runtime.cxx.standard_library import STANDARD
from registry_runtime.cxx.static_members import wrongly_defined_members
from registry_runtime.cxx.static_objects import (
    StaticCall,
    StaticObject,
    StaticObjects,
    construct,
    specialise,
)

# Which no header has that was found.
_NO_NAME = "__no_name"


@dataclass(frozen=True, slots=True)
class Instantiation:
    """An explicit instantiation, `template decltype(f<T>) f<T>;`: here C++ compiles `f` for `T`."""

    function: CxxFunction
    span: Span


@dataclass(frozen=True, slots=True)
class StaticInitialisation:
    """What running the text's static initialisation gave, each tuple in the text's order.

    `warnings` are about registrations that nothing came of, and `skipped` is what couldn't be read and
    nothing depended on. `members` are the
    functions that the text defines out of their class: for `call_on`, from wherever they are needed.
    `program` is the text itself, for what other texts only declare.
    """

    objects: tuple[StaticObject, ...]
    instantiations: tuple[Instantiation, ...]
    errors: tuple[CxxError, ...]
    warnings: tuple[CxxError, ...]
    program: Program
    calls: tuple[StaticCall, ...] = ()
    members: tuple[CxxFunction, ...] = ()
    skipped: tuple[CxxError, ...] = ()


def initialise(
    text: str,
    bindings: Bindings,
    elsewhere: Callable[[str], bool] = lambda word: False,
    is_at: Callable[[float], None] = lambda share: None,
) -> StaticInitialisation:
    """Read expanded C++ and run its static initialisation. Never raises for what the text holds.
    `elsewhere` says whether a header that the text includes has a word; `is_at` is told which share of
    the text has run, and what it raises ends the reading."""
    source, bindings = parse_expanded(text, lambda: is_at(0)), STANDARD | bindings
    is_at(0)
    declarations = collect(source)
    program = Program(
        source,
        declarations,
        bindings,
        call_function,
        outcome,
        initial_value,
        member_type,
        elsewhere,
        own_type,
    )
    run = _Run(program, StaticObjects(program))
    # An error that was met while running says more than the parser's about the same place.
    done = _run_all(run, declarations.actions, is_at)
    errors = [*done, *declarations.errors, *redeclared(program), *named_twice(source)]
    is_at(1)
    errors += [*undeclared_members(program), *wrongly_defined_members(program)]
    errors += [*_of_heads(program), *run.idle]
    misplaced = [*registrations_in_functions(program)]
    errors += [found.error for found in misplaced]
    is_at(1)
    broken = [*errors_of_bodies(source, macros_may_be_missing=elsewhere(_NO_NAME))]
    is_at(1)
    errors += broken
    skipped: list[CxxError] = []
    much_lost = {*source.braces.unclosed, *source.braces.surplus, source.unread}
    for unparsed in syntax_errors(source):
        around = unparsed.within or _item_around(source, unparsed.span)
        follows = _follows(broken, around)
        told = not follows and _matters(run, unparsed, around, much_lost)
        (errors if told else skipped).append(unparsed)
    known = {error.span for error in errors}
    for refused in refused_by_compilers(source):
        if refused.span not in known and not _follows(broken, _item_around(source, refused.span)):
            errors.append(refused)
    errors = without_what_follows(program, errors)
    for error in (*errors, *skipped):
        error.span = source.within(error.span)
    note_unknown_types(program)
    known = {error.span for error in errors}
    explained = [*run.explained, *(made.span for made in run.objects.constructed)]
    explained += [*run.objects.classes, *(found.body for found in misplaced)]
    return StaticInitialisation(
        tuple(run.objects.constructed),
        tuple(run.instantiations.values()),
        _one_for_each_place(errors),
        tuple(idle_registrars(program, explained)),
        program,
        tuple(run.objects.calls),
        tuple(out_of_class(program)),
        _one_for_each_place([error for error in skipped if error.span not in known]),
    )


def _run_all(run: _Run, actions: list[Action], is_at: Callable[[float], None]) -> list[CxxError]:
    # One mistake is met many times, by an instantiation and a registrar for each type. So within
    # what one static_assert guards, which is one registration, the same error is told once. What
    # stands elsewhere, in the body of a block, is a mistake of its own.
    told: dict[tuple[int, str, Span | None], CxxError] = {}
    registration = 0
    for n, action in enumerate(actions):
        is_at(n / len(actions))
        registration += action.kind == "static_assert_declaration"
        try:
            _act(run, action)
        except CxxError as error:
            run.explained.append(span_of(action.node))
            inside = action.node.start_byte <= error.span.start < action.node.end_byte
            told.setdefault((registration, error.message, None if inside else error.span), error)
    return list(told.values())


def _matters(
    run: _Run, error: UnparsedText, around: Span, much_lost: Collection[int | None]
) -> bool:
    # What can't be read is an error only if a registration may be lost there, as happens too when a
    # closing brace is missing and the parser takes the rest of the text for part of a body.
    if error.code is Code.NOT_A_MACRO and error.within is None:
        return True
    if error.span.start in much_lost:
        return True
    return may_register(run.program, around)


def _follows(broken: Sequence[CxxError], around: Span) -> bool:
    """Whether what the grammar lost its way in has something at fault that is told."""
    return any(around.start <= error.span.start < around.end for error in broken)


def _of_heads(program: Program) -> Iterator[CxxError]:
    """What is wrong with heads; that no `;` ends what should have been a macro's is no matter."""
    found = [*errors_of_heads(program)]
    met = [*program.declarations.errors, *syntax_errors(program.source)] if found else []
    no_macros = [error for error in met if error.code is Code.NOT_A_MACRO]
    for error in found:
        around = _item_around(program.source, error.span)
        if error.code is not Code.INCOMPLETE or not _follows(no_macros, around):
            yield error


def _item_around(source: Source, span: Span) -> Span:
    """What stands around it at namespace scope."""
    inmost = source.root.descendant_for_byte_range(span.start, max(span.start, span.end - 1))
    around = node = source.root
    # From the outside: each `parent` would be looked for from there anew.
    while inmost is not None and (inside := node.child_with_descendant(inmost)) is not None:
        if node.type in ("translation_unit", "declaration_list"):
            around = inside
        node = inside
        if node == inmost:
            break
    return source.span(around)


def _one_for_each_place(errors: list[CxxError]) -> tuple[CxxError, ...]:
    first: dict[Span, CxxError] = {}
    for error in errors:
        first.setdefault(error.span, error)
    return tuple(sorted(first.values(), key=lambda error: error.span.start))


@dataclass(frozen=True, slots=True)
class _Run:
    program: Program
    objects: StaticObjects
    instantiations: dict[str, Instantiation] = field(default_factory=dict)
    failed: dict[int, bool] = field(default_factory=dict)  # by block: its last static_assert
    idle: list[CxxError] = field(default_factory=list)  # heads of templates that were left behind
    explained: list[Span] = field(
        default_factory=list
    )  # what did nothing, for reasons that are told


def _act(run: _Run, action: Action) -> None:
    if action.kind == "static_assert_declaration":
        run.failed[action.block] = False
        holds = _assertion_holds(run, action)
        run.failed[action.block] = not holds
        # That a namespace isn't closed is told, and what it is the first to reach is no mistake.
        if not holds and action.block not in run.program.source.braces.unclosed:
            raise _failed(run, action)
    elif run.failed.get(action.block):
        run.explained.append(span_of(action.node))
    elif action.kind == "template_instantiation":
        _instantiate(run, action)
    elif action.kind == "specialisation":
        specialise(run.objects, action)
    else:
        construct(run.objects, action)


# --- Assertions -----------------------------------------------------------------------------------


def _assertion_holds(run: _Run, action: Action) -> bool:
    # Only std::is_same is bound here. Headers assert much else, about sizes and traits, and what
    # we can't judge we don't accuse.
    asserted = action.node.child_by_field_name("condition")
    if asserted is None or action.node.has_error:
        return True
    context = Context(run.program, Place(action.scope))
    try:
        idle = idle_template(run.program, asserted, action.scope)
        run.idle.extend([idle] if idle is not None else [])
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
    no_syntax_errors(run.program.source, action.node)
    function = id_expression(run.program, declarator, Place(action.scope))
    if not isinstance(function, CxxFunction):
        return
    if str(function) in run.instantiations:
        hint = "once is enough: is a type listed twice?"
        raise CxxError(f"`{function}` is instantiated twice", span_of(declarator), hint)
    run.instantiations[str(function)] = Instantiation(function, span_of(action.node))
