"""The words of an answer: a sentence for what a name is, and a line for each thing that made it so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from visualizer.expansion.definitions import Definition
from visualizer.expansion.diagnostics import spelled_place
from visualizer.expansion.tokens import Source, spell
from visualizer.expansion.trace import Branch
from visualizer.expansion.why.answers import Answer
from visualizer.expansion.why.groups import Group, directive_of, skipped_by, taken_in
from visualizer.expansion.why.history import BUILT_IN, COMMAND_LINE, Event, Record, turn
from visualizer.expansion.wording import elided, listed, outline, short

_INSIDE = {
    "string": "stands inside a string: no macro is replaced there",
    "raw string": "stands inside a raw string: no macro is replaced there",
    "character": "stands inside a character constant: no macro is replaced there",
    "comment": "stands in a comment, which is one blank to the preprocessor",
}
# What several names of a line have in common is said once.
_IN_COMMON = {
    "never": "never a macro:",
    "comment": "in a comment:",
    "string": "in a string:",
    "raw string": "in a raw string:",
    "character": "in a character constant:",
    "directive": "words of a directive:",
    "header": "of a header's name:",
    "operand": "asked of the compiler:",
    "parameter": "parameters of the macro that is defined:",
    "skipped": "the line is skipped:",
    "not-asked": "the condition is skipped:",
}
Row: TypeAlias = tuple[str, Source]  # a line, and the place that it speaks of
_MADE = 60  # characters of what a macro expands to
_VALUES = 4  # of a condition's parts
_OPERAND = re.compile(r"(?:defined ?\(? ?)?[\w$]+ ?\)?")


def rows(answers: Sequence[Answer]) -> Iterator[Row]:
    """All answers of a line: those that may say more, each with its reasons, then what is common."""
    for answer in answers:
        if not _is_common(answer):
            yield f"{answer.place.name} {sentence(answer)}", answer.place.where
            yield from _reasons(answer)
    for kind, words in _IN_COMMON.items():
        alike = [a for a in answers if a.kind == kind and _is_common(a)]
        if alike:
            names = dict.fromkeys(answer.place.name for answer in alike)
            yield f"{words} {', '.join(names)}", alike[0].place.where
            yield from _reasons(alike[0])


def _is_common(answer: Answer) -> bool:
    return answer.kind in _IN_COMMON and not (answer.kind == "never" and _in_condition(answer))


def _in_condition(answer: Answer) -> bool:
    return answer.place.directive() in ("if", "elif")


def sentences(answers: Sequence[Answer]) -> Iterator[str]:
    """The same as lines of text."""
    for text, where in rows(answers):
        yield text if text.startswith(" ") else f"{spelled_place(where)}: {text}"


def _reasons(answer: Answer) -> Iterator[Row]:
    settled = answer.event.where if answer.event is not None else answer.place.where
    where = answer.group[-1].where if answer.group is not None else settled
    yield from ((f"  {reason}", where) for reason in reasons(answer))


def sentence(answer: Answer) -> str:
    """What the name is here; what it says of itself is left out."""
    step, event = answer.step, answer.event
    other = elided(step.macro) if step is not None else ""
    match answer.kind:
        case "expands":
            return _expands(answer)
        case "painted":
            return (
                f"is painted, a plain name for good: it was met inside {_own_replacement(answer)}"
            )
        case "refused":
            return f"is invoked with the wrong number of arguments, so it stays as it is{_said(answer)}"
        case "taken":
            return (
                f"is an argument of {other}, which is refused here, and goes unread{_said(answer)}"
            )
        case "no-parenthesis":
            return f"is left alone: {_head(answer)} is replaced only where a ( follows{_behind(answer)}"
        case "unfinished":
            return "is a macro, but no invocation came to its end here"
        case "stringized":
            return f"is an operand of # in {other}: it is spelled out as it stands, not replaced"
        case "pasted":
            return f"is an operand of ## in {other}: it is pasted as it stands, not replaced"
        case "dropped":
            return f"is an argument of {other}, whose replacement has no use for it"
        case "string" | "raw string" | "character" | "comment":
            return _INSIDE[answer.kind]
        case "skipped" | "not-asked":
            what = "the line is" if answer.kind == "skipped" else "this condition is"
            return f"is not looked at: {what} skipped"
        case "defined-here":
            return "is what this line defines"
        case "undefined-here":
            known = event is not None and event.before is not None
            return "is what this line undefines" + ("" if known else "; it is no macro here anyway")
        case "parameter":
            return "is a parameter of the macro that this line defines"
        case "pragma":
            return (
                "is saved here"
                if event and event.deed == "push"
                else "is given back what was saved"
            )
        case "branch":
            assert answer.group is not None
            return f"begins lines that are {'taken' if answer.group[-1].counts else 'skipped'}"
        case "replacement":
            macro = elided(answer.place.line[2].text)
            return (
                f"stands in the replacement list of {macro}: it is looked at where {macro} is used"
            )
        case "asked":
            if answer.built_in and answer.definition is None:
                return "is asked for: it is built in"
            return f"is asked for: it is {'a' if answer.definition else 'no'} macro here"
        case "operand":
            return "is what the compiler is asked about"
        case "operator":
            return "is an operator of the compiler: it is answered in #if and #elif"
        case "header":
            return "is part of a header's name"
        case "directive":
            return "stands in a directive in which no macro is replaced"
        case _:
            return _no_macro(answer) + (", and counts as 0" if _in_condition(answer) else "")


def in_short(answers: Sequence[Answer]) -> str:
    """The answer of a line that is skipped, or on which a single name is or was a macro, or is asked
    for, or which is a conditional without such a name; empty where none is, or several."""
    skipped = [a for a in answers if a.kind == "skipped"]
    names = [a for a in answers if a.kind not in (*_IN_COMMON, "branch")]
    telling = skipped[:1] or names or [a for a in answers if a.kind == "branch"]
    if len({a.place.name for a in telling}) != 1:
        return ""
    answer = telling[0]
    first = next((reason.strip() for reason in reasons(answer)), "")
    what = "the line is skipped" if skipped else f"{answer.place.name} {sentence(answer)}"
    return what + (f": {first}" if first else "")


def reasons(answer: Answer) -> Iterator[str]:
    """What made it so, a line each."""
    group = answer.group
    if group is not None:
        yield _decided(group)
    event = answer.event
    if event is None:
        return
    yield told(event)
    yield from circumstances(event)


def _no_macro(answer: Answer) -> str:
    event = answer.event
    match answer.kind:
        case "later":
            assert event is not None
            return f"is no macro yet: the first definition that counts is {_on(answer)}"
        case "undefined":
            return "is no macro any more"
        case "popped":
            return "is no macro any more: it was none when push_macro saved it"
        case "poisoned":
            return "is poisoned, and no macro any more"
        case "definition-skipped":
            return "is no macro: its definition is skipped"
        case _:
            return "is no macro: nothing defines it, here or in what is included"


def _on(answer: Answer) -> str:
    at = answer.seen or answer.place.where
    return f"on line {at.line}" if at.file == answer.place.where.file else f"at {at.file}:{at.line}"


def _expands(answer: Answer) -> str:
    if answer.value is not None:
        return f"stands for {answer.value} in this condition"
    made = outline(answer.made, _MADE)
    built_in = "is built in, and " if answer.definition is None else ""
    inside = f", as an argument of {elided(answer.step.macro)}" if answer.step is not None else ""
    if not made and answer.place.directive() is None:
        made = "nothing"
    return f"{built_in}expands" + (f" to {made}" if made else "") + inside


def _said(answer: Answer) -> str:
    return f": {answer.said}" if answer.said else ""


def _own_replacement(answer: Answer) -> str:
    frames = answer.step.inside.names() if answer.step and answer.step.inside else []
    name = elided(answer.place.name)
    if not frames or frames[-1] == answer.place.name:
        return f"the replacement of {name} itself"
    return f"the replacement of {name} itself, by way of {listed(map(elided, frames[1:]))}"


def _head(answer: Answer) -> str:
    return elided(answer.definition.head()) if answer.definition else answer.place.name


def _behind(answer: Answer) -> str:
    following = answer.place.following()
    if following is None or following.text == "(":
        return ""
    directive = following is answer.place.behind and following.text in ("#", "%:")
    return (
        ", and here a directive does" if directive else f", and here {elided(following.text)} does"
    )


# ---------------------------------------------------------------------- events


def told(event: Event) -> str:
    """A line of a history: where, and what."""
    return _standing(event.text, event.where, "" if event.counts else "skipped: ")


def definition(macro: Definition) -> str:
    """Where a macro is defined, and as what."""
    return _standing(f"#define {macro.head()} {spell(macro.replacement)}".rstrip(), macro.where)


def _standing(text: str, where: Source, skipped: str = "") -> str:
    if where.file == BUILT_IN:
        return f"{_cut(text)}, by the compiler itself"
    if where.file == COMMAND_LINE:
        return f"{_cut(text)}, by a flag"
    return f"{spelled_place(where)}: {skipped}{_cut(text)}"


def _cut(text: str, most: int = 100) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def circumstances(event: Event) -> Iterator[str]:
    """How it came to be read: the `#include`s, and the `#if`s around it."""
    if event.through:
        yield f"  included by {_chain(event.through)}"
    if event.deed == "pop" and event.after is not None:
        at = event.after.where
        yield f"  it brings back the definition of {at.file}:{at.line}"
    elif event.deed == "undef" and event.counts and event.before is not None:
        at = event.before.where
        yield f"  it ends the definition of {at.file}:{at.line}"
    skipped = skipped_by(event.groups)
    for group in [skipped] if skipped is not None else event.groups:
        yield f"  {_decided(group)}"


def _chain(through: Sequence[Source]) -> str:
    return ", that by ".join(f"{at.file}:{at.line}" for at in reversed(through))


def _decided(group: Group) -> str:
    """Why a group is taken, or skipped."""
    branch, earlier = group[-1], taken_in(group[:-1])
    if earlier is not None:
        return f"{_written(branch)} is skipped, for {_written(earlier)} was taken{_values(earlier)}"
    if directive_of(branch) == "else" and len(group) > 1:
        before = group[-2]
        return f"{_written(branch)} is taken, for {_written(before)} does not hold{_values(before)}"
    return f"{_written(branch)} {'holds' if branch.counts else 'does not hold'}{_values(branch)}"


def _written(branch: Branch) -> str:
    return f"line {branch.where.line}: {_cut(branch.directive)}"


def _values(branch: Branch) -> str:
    """The values of the names that a condition asks for, or of the whole of it."""
    known = [part for part in branch.parts if part[1] is not None]
    operands = [part for part in known if _OPERAND.fullmatch(part[0])] or known[:1]
    shown = [f"{elided(text)} = {value}" for text, value in operands[:_VALUES]]
    more = [f"{len(operands) - _VALUES} more"] if len(operands) > _VALUES else []
    return f": {', '.join([*shown, *more])}" if shown else ""


# ---------------------------------------------------------------------- a history


def history(known: Record, name: str, line: int | None = None) -> Iterator[Row]:
    """All that was done to a macro, newest first; above it, what it is at the end, or on a line."""
    events = known.of(name)
    file = known.trace.file
    through = known.trace.through
    start = Source(file, line or 1, 1)
    here = turn(through, start)
    when = f"on line {line} of {file}"
    if line is None:
        when = f"at the end of {through[0].file if through else file}"
    done = [e for e in events if e.counts and e.deed != "push" and (not line or e.at < here)]
    last = done[-1] if done else None
    if last is not None and last.after is not None:
        value = short(last.after.replacement) or "it stands for nothing"
        yield f"{name} is a macro {when}: {value}", start
    elif name in known.built_in:
        yield f"{name} is built in", start
    else:
        yield f"{name} is no macro {when}", start
    seen: set[Source] = set()  # a header may be read many times
    for event in reversed(events):
        if event.where in seen and not event.counts:
            continue
        mark = "→" if event is last and event.after is not None else " "
        yield f"{mark} {told(event)}", event.where
        each = list(circumstances(event))
        shown = each[:1] if event.where in seen else each
        yield from ((f"  {line}", event.where) for line in shown)
        seen.add(event.where)
