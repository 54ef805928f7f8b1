"""What a lesson may ask, and how the engine finds the answer.

A question is a word, some with arguments behind it: `result`, or `prescan x`. It is asked of a place in
an open file, and answered from the trace and the registry. So the answer can't be out of date, and the
author need not know it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from visualizer.expansion.moments import Moment
from visualizer.expansion.tokens import Token, spell
from visualizer.expansion.trace import Argument

if TYPE_CHECKING:
    from visualizer.learning.places import Place
    from visualizer.workbench import Workbench

# What exercises may be checked for; `checks.py` does it.
CHECKS = (
    *("errors", "yields", "values", "registers", "exactly", "slots", "runs"),
    *("keeps", "uses", "avoids", "says"),
)


class Unanswerable(Exception):
    """The question can't be asked at this place."""


Answer = Callable[["Workbench", "Place", list[str]], str]


def unknown(question: str) -> str:
    """Why this is no question, or nothing."""
    word, *rest = question.split()
    if word not in ANSWERS:
        return f"no truth '{word}'; there are {', '.join(ANSWERS)}"
    wanted = _ARGUMENTS.get(word, 0)
    return "" if len(rest) == wanted else f"'{word}' takes {wanted} words, not {len(rest)}"


def answer(question: str, bench: Workbench, place: Place) -> str:
    """The truth. Raises Unanswerable."""
    word, *rest = question.split()
    return ANSWERS[word](bench, place, rest)


def same(given: str, truth: str) -> bool:
    """Whether two answers are the same sequence of tokens, whatever the white space."""
    return _squeezed(given) == _squeezed(truth)


def _squeezed(text: str) -> str:
    """Without blanks, but for those between two words."""
    words = text.replace(",", ", ").split()
    out = ""
    for word in words:
        if out and _wordlike(out[-1]) and _wordlike(word[0]):
            out += " "
        out += word
    return out


def _wordlike(character: str) -> bool:
    return character.isalnum() or character == "_"


def _moments(bench: Workbench, place: Place) -> list[Moment]:
    return bench.view(place.expansion, place.look).timeline.moments


def _upcoming(bench: Workbench, place: Place) -> Moment:
    moments = _moments(bench, place)
    if place.state >= len(moments):
        raise Unanswerable("nothing comes next: this is the end of the expansion")
    return moments[place.state]


def _next(bench: Workbench, place: Place, _: list[str]) -> str:
    return _upcoming(bench, place).step.macro


def _replacement(bench: Workbench, place: Place, _: list[str]) -> str:
    moment = _upcoming(bench, place)
    return spell(_moments(bench, place)[max(place.state, moment.partner)].insert)


def _result(bench: Workbench, place: Place, _: list[str]) -> str:
    """What stands where the next invocation stood, when all of its expansion is over."""
    timeline = bench.view(place.expansion, place.look).timeline
    moment = _upcoming(bench, place)
    before = timeline.state(place.state)
    after = timeline.state(timeline.over(place.state))
    behind = len(before) - (moment.at + moment.step.remove)
    if not moment.meeting:
        behind = len(before) - (moment.at + moment.remove)
    return spell(after[moment.at : len(after) - behind])


def _line(bench: Workbench, place: Place, _: list[str]) -> str:
    return spell(bench.view(place.expansion, place.look).timeline.state(place.state))


def _end(bench: Workbench, place: Place, _: list[str]) -> str:
    return spell(bench.trace.expansions[place.expansion].after)


def _argument_named(bench: Workbench, place: Place, name: str) -> Argument:
    step = _upcoming(bench, place).step
    for argument in step.arguments:
        if argument.parameter == name:
            return argument
    raise Unanswerable(f"{step.macro} has no parameter {name}")


def _argument(bench: Workbench, place: Place, words: list[str]) -> str:
    return spell(_argument_named(bench, place, words[0]).raw)


def _prescan(bench: Workbench, place: Place, words: list[str]) -> str:
    argument = _argument_named(bench, place, words[0])
    return spell(argument.prescan.after if argument.prescan is not None else argument.raw)


def _entries(bench: Workbench, place: Place, _: list[str]) -> str:
    whole = bench.view(place.expansion, place.look).in_whole(place.state)
    return str(sum(not shown.pending for shown in bench.registry_at(place.expansion, whole)))


def _entries_of_file(bench: Workbench, place: Place, _: list[str]) -> str:
    return str(len(bench.entries))


def _newest(bench: Workbench, place: Place, _: list[str]) -> str:
    whole = bench.view(place.expansion, place.look).in_whole(place.state)
    for shown in bench.registry_at(place.expansion, whole):
        if shown.newest:
            return str(shown.entry.registration.key)
    raise Unanswerable("the registry is empty here")


def _steps(bench: Workbench, place: Place, _: list[str]) -> str:
    return str(len(_moments(bench, place)))


def _tokens(bench: Workbench, place: Place, _: list[str]) -> str:
    return str(len(bench.view(place.expansion, place.look).timeline.state(place.state)))


def _painted(bench: Workbench, place: Place, _: list[str]) -> str:
    """The names on the line that are painted: no macro will be made of them again."""
    line: list[Token] = bench.view(place.expansion, place.look).timeline.state(place.state)
    return ", ".join(dict.fromkeys(t.text for t in line if t.painted)) or "none"


def _inside(bench: Workbench, place: Place, _: list[str]) -> str:
    """The macro that the next step happens inside of."""
    names = bench.view(place.expansion, place.look).timeline.invocations(place.state)
    return names[-1] if names else "none"


def _error(bench: Workbench, place: Place, _: list[str]) -> str:
    found = [d.message for d in bench.diagnostics if d.severity == "error"]
    return found[0] if found else "none"


def _slot(bench: Workbench, place: Place, words: list[str]) -> str:
    """`slot KERNEL KEY-OR-* input|output N backend|layout|dtype`"""
    kernel, backend, which, number, field = words
    for entry in bench.entries:
        registration = entry.registration
        if registration.kernel_name == kernel and backend in ("*", str(registration.key.backend)):
            args = registration.kernel.args_def
            slots = args.input_defs if which == "input" else args.output_defs
            if not number.isdecimal() or int(number) >= len(slots):
                raise Unanswerable(f"{kernel} has no {which} {number}")
            return str(getattr(slots[int(number)], field))
    raise Unanswerable(f"no kernel {kernel} is registered for {backend}")


def _selects(bench: Workbench, place: Place, words: list[str]) -> str:
    """`selects KERNEL BACKEND LAYOUT DTYPE`: `found`, `fell back to the CPU` or `not found`."""
    from visualizer.entry_story import key_named

    name, *key = words
    selection = bench.runtime.explain_selection(name, key_named(bench.runtime, *key))
    return selection.outcome


ANSWERS: dict[str, Answer] = {
    "next": _next,
    "replacement": _replacement,
    "result": _result,
    "line": _line,
    "end": _end,
    "argument": _argument,
    "prescan": _prescan,
    "inside": _inside,
    "painted": _painted,
    "steps": _steps,
    "tokens": _tokens,
    "entries": _entries,
    "entries-of-file": _entries_of_file,
    "newest": _newest,
    "slot": _slot,
    "selects": _selects,
    "error": _error,
}
_ARGUMENTS = {"argument": 1, "prescan": 1, "slot": 5, "selects": 4}
