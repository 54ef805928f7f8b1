"""The verdict on each name of a line, and a macro's history: what `unfold why` knows.

The questions are asked in the order in which the preprocessor decides: is this a name at all, or part
of a string or a comment; does its line count; does it stand in a directive; what is it defined as here;
and if it is a macro, what did the expansions do with it. The first that settles it is the answer.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from visualizer.expansion.ask_compiler import compiler_for
from visualizer.expansion.definitions import Definition
from visualizer.expansion.diagnostics import Code, InputError, no_such_line
from visualizer.expansion.language import language
from visualizer.expansion.options import Options
from visualizer.expansion.source_files import display_path, read_source
from visualizer.expansion.tokens import Source, Token, spelled_at, written_at
from visualizer.expansion.trace import Branch, Step
from visualizer.expansion.why.fates import Fate, fate_of
from visualizer.expansion.why.groups import Group, directive_of, open_groups, skipped_by
from visualizer.expansion.why.history import Event, Record, record
from visualizer.expansion.why.places import NamePlace, names_on
from visualizer.expansion.wrong_arguments import note_below

Kind: TypeAlias = Literal[
    "expands",
    "painted",
    "refused",
    "taken",
    "no-parenthesis",
    "unfinished",
    "stringized",
    "pasted",
    "dropped",
    "string",
    "raw string",
    "character",
    "comment",
    "skipped",
    "not-asked",
    "defined-here",
    "undefined-here",
    "parameter",
    "pragma",
    "branch",
    "replacement",
    "asked",
    "operand",
    "operator",
    "header",
    "directive",
    "never",
    "later",
    "undefined",
    "popped",
    "poisoned",
    "definition-skipped",
]
_CONDITIONS = ("if", "elif", "ifdef", "ifndef", "elifdef", "elifndef")
_NAMING_FILES = ("include", "include_next", "import", "embed")


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What a name is where it stands, and what settled it: the `event` that gave it its definition
    or took it away, the `group` that is skipped, the `step` of the macro that had it as an argument."""

    place: NamePlace
    kind: Kind
    definition: Definition | None = None
    event: Event | None = None
    group: Group | None = None
    step: Step | None = None
    made: tuple[Token, ...] = ()
    value: int | None = None
    seen: Source | None = None  # where a reader of the file sees the event happen
    built_in: bool = False
    said: str = ""  # of an invocation that was refused: what was wrong with it


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Those of a line, and the record that they were found in."""

    each: tuple[Answer, ...]
    record: Record


def note_on(record: Record, answer: Answer) -> str:
    """That an invocation above takes the line for an argument, which it does not with directives."""
    place = answer.place
    if place.inside != "code" or answer.kind == "skipped" or place.directive() is not None:
        return ""
    return note_below(record.trace.diagnostics, place.where)


def why(
    path: str | Path,
    line: int,
    options: Options,
    column: int | None = None,
    name: str | None = None,
) -> Answers:
    """Of each name on the line; only of that in the column, or only of those called `name`. None may
    be left. Raises InputError if the file can't be read, or has no such line."""
    settled = options.settled(os.fspath(path))
    text = read_source(path, unsaved=settled.unsaved).replace("\r\n", "\n")
    file = display_path(path)
    count = len(text.removesuffix("\n").split("\n"))
    if not 1 <= line <= count:
        raise InputError.of(no_such_line(Source(file, line, 1), count))
    macros = compiler_for(settled.cc, settled.std, settled.compiler_flags).macros
    spoken = language(settled.std, settled.dialect, settled.compiler_flags, macros)
    places = names_on(text, file, line, spoken)
    asked = [p for p in places if _is_meant(p, column, name)]
    names = {p.name for p in asked} | ({name} if name else set())
    known = record(path, settled, names, line=line)
    return Answers(tuple(answer(place, known) for place in asked), known)


def _is_meant(place: NamePlace, column: int | None, name: str | None) -> bool:
    begin = place.where.column
    here = column is None or begin <= column < begin + len(place.name)
    return here and name in (None, place.name)


def answer(place: NamePlace, known: Record) -> Answer:
    """The verdict on one name."""
    if place.inside == "code":
        return _not_reached(place, known) or _of_a_directive(place, known) or _in_text(place, known)
    if place.directive() in _NAMING_FILES and place.at == 2:
        return Answer(place, "header")
    if place.directive() == "pragma":
        done = (e for e in known.done_here(place.name) if e.where.line == place.where.line)
        event = next(done, None)
        if event is not None:
            return Answer(place, "pragma", event.after, event)
    return Answer(place, place.inside)


def _not_reached(place: NamePlace, known: Record) -> Answer | None:
    """Where it stands in a group that is skipped, or in a condition that is not asked."""
    begin = spelled_at(place.line[0]).line
    branches = known.trace.branches
    groups = open_groups(b for b in branches if b.where.line < begin)
    own = next((b for b in branches if b.where == place.line[1].origin), None) if place.at else None
    row: Group = ()
    if own is not None and groups and directive_of(own) not in ("if", "ifdef", "ifndef"):
        groups, row = groups[:-1], groups[-1]
    group = skipped_by(groups)
    if group is not None:
        return Answer(place, "skipped", group=group)
    if own is None or directive_of(own) == "endif":
        return None
    if place.at == 1:
        return Answer(place, "branch", group=(*row, own))
    return Answer(place, "not-asked", group=(*row, own)) if not own.asked else None


# ---------------------------------------------------------------------- directives


def _of_a_directive(place: NamePlace, known: Record) -> Answer | None:
    directive = place.directive()
    if directive is None or place.at < 2:
        return None if directive is None else Answer(place, "directive")
    if directive == "define":
        return _in_definition(place, known)
    if directive in _CONDITIONS:
        return _in_condition(place, known, directive)
    if directive == "undef" and place.at == 2:
        return Answer(place, "undefined-here", event=_done_here(place, known))
    if directive in (*_NAMING_FILES, "line"):
        named = place.line[2].text == "<"
        return Answer(place, "header") if named else _by_definition(place, known)
    return Answer(place, "directive")


def _done_here(place: NamePlace, known: Record) -> Event | None:
    return next((e for e in known.done_here(place.name) if e.where == place.where), None)


def _in_definition(place: NamePlace, known: Record) -> Answer:
    event = _done_here(place, known)
    if place.at == 2:
        return Answer(place, "defined-here", event.after if event else None, event)
    opening = place.line[3]
    if opening.text == "(" and not opening.space:
        closed = next((i for i, t in enumerate(place.line) if t.text == ")"), len(place.line))
        if any(t.text == place.name for t in place.line[4:closed]):
            return Answer(place, "parameter")
    return Answer(place, "replacement", _definition(place, known))


def _in_condition(place: NamePlace, known: Record, directive: str) -> Answer:
    before = [t.text for t in place.line[max(2, place.at - 2) : place.at]]
    of_defined = before[-1:] == ["defined"] or before == ["defined", "("]
    if directive not in ("if", "elif") or of_defined:
        definition, event = _definition(place, known), known.before(*_here(place))
        return Answer(place, "asked", definition, event, built_in=place.name in known.built_in)
    if place.name == "defined" or place.name in known.operators:
        return Answer(place, "directive")
    if _operator(place, known) and _definition(place, known) is None:
        return Answer(place, "operand")
    return _by_definition(place, known, _value(place, known))


def _operator(place: NamePlace, known: Record) -> bool:
    """Whether one, such as `__has_builtin`, asks about what stands here."""
    depth = 0
    for i in range(place.at - 1, 1, -1):
        depth += (place.line[i].text == ")") - (place.line[i].text == "(")
        if depth < 0:
            return place.line[i - 1].text in known.operators
    return False


def _value(place: NamePlace, known: Record) -> int | None:
    """What it is worth in the condition that it stands in."""
    where = place.line[1].origin
    branch: Branch | None = next((b for b in known.trace.branches if b.where == where), None)
    return dict(branch.parts).get(place.name) if branch is not None else None


def _by_definition(place: NamePlace, known: Record, value: int | None = None) -> Answer:
    """In a directive that macros are replaced in, of which no trace is kept."""
    definition = _definition(place, known)
    if definition is None and place.name not in known.built_in:
        return _no_macro(place, known)
    event = known.before(*_here(place))
    if _lacks_parenthesis(place, definition):
        return Answer(place, "no-parenthesis", definition, event)
    made = definition.replacement if definition and definition.parameters is None else ()
    return Answer(place, "expands", definition, event, made=made, value=value)


# ---------------------------------------------------------------------- text


def _in_text(place: NamePlace, known: Record) -> Answer:
    fate = fate_of(place.where, known.trace.expansions)
    if fate.steps:
        return _met(place, known, fate)
    definition, event = _definition(place, known), known.before(*_here(place))
    if definition is None and place.name not in (*known.built_in, "_Pragma"):
        return _no_macro(place, known)
    if definition is None and place.name in known.operators:
        return Answer(place, "operator")
    if fate.operations:
        operation, step = fate.operations[0]
        kind: Kind = "stringized" if operation.kind == "stringize" else "pasted"
        return Answer(place, kind, definition, event, step=step)
    if _lacks_parenthesis(place, definition) or fate.left:
        return Answer(place, "no-parenthesis", definition, event)
    if fate.refused is not None:
        said = _complaint(fate.refused, known)
        return Answer(place, "taken", definition, event, step=fate.refused, said=said)
    if fate.arguments:
        return Answer(place, "dropped", definition, event, step=fate.arguments[-1][1])
    return Answer(place, "unfinished", definition, event)


def _met(place: NamePlace, known: Record, fate: Fate) -> Answer:
    """An expansion met it. That it is replaced anywhere weighs more than that it is painted too."""
    step = next((s for s in fate.steps if s.kind not in ("painted", "refused")), fate.steps[0])
    event = known.before(*_here(place))
    if step.kind == "painted":
        return Answer(place, "painted", step.definition, event, step=step)
    if step.kind == "refused":
        said = _complaint(step, known)
        return Answer(place, "refused", step.definition, event, step=step, said=said)
    around = fate.arguments[-1][1] if fate.arguments else None
    made = fate.whole.after if fate.whole is not None else step.insert
    return Answer(place, "expands", step.definition, event, step=around, made=tuple(made))


def _complaint(refused: Step, known: Record) -> str:
    """What was wrong with that invocation; empty where several from that place were refused unlike."""
    written = written_at(refused.name)
    of_counts = (d for d in known.trace.diagnostics if d.code is Code.ARGUMENT_COUNT)
    said = {d.message for d in of_counts if d.where == written}
    return said.pop() if len(said) == 1 else ""


def _no_macro(place: NamePlace, known: Record) -> Answer:
    """It is no macro here. Was it one, or will it be?"""
    last = known.before(*_here(place))
    if last is not None:
        kinds: dict[str, Kind] = {"pop": "popped", "poison": "poisoned"}
        return Answer(place, kinds.get(last.deed, "undefined"), event=last)
    later = known.behind(*_here(place))
    if later is not None:
        return Answer(place, "later", later.after, later, seen=known.seen_from(later))
    skipped = [e for e in known.of(place.name) if not e.counts and e.deed == "define"]
    if skipped:
        return Answer(place, "definition-skipped", event=skipped[-1])
    return Answer(place, "never")


def _here(place: NamePlace) -> tuple[str, Source]:
    return place.name, place.where


def _definition(place: NamePlace, known: Record) -> Definition | None:
    event = known.before(*_here(place))
    return event.after if event is not None else None


def _lacks_parenthesis(place: NamePlace, definition: Definition | None) -> bool:
    if definition is None or definition.parameters is None:
        return False
    following = place.following()
    return following is None or following.text != "("
