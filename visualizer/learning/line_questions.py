"""Questions about the line: what comes next, what becomes of it, what stands on it."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from visualizer.expansion.moments import Moment
from visualizer.expansion.tokens import Token, spell
from visualizer.expansion.trace import Argument
from visualizer.frameworks.answers import Answer, Place, Unanswerable
from visualizer.learning.probes import error_in, number, probed

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench


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
    return spell(bench.expansions[place.expansion].after)


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


def _bound(bench: Workbench, place: Place, words: list[str]) -> str:
    """What a parameter will be bound to when a macro is next met: it does not yet stand on the card."""
    macro, parameter = words
    for moment in _moments(bench, place)[place.state :]:
        if moment.step.macro == macro:
            for argument in moment.step.arguments:
                if argument.parameter == parameter:
                    return spell(argument.raw)
    raise Unanswerable(f"no {macro} with a parameter {parameter} comes here")


def _steps(bench: Workbench, place: Place, _: list[str]) -> str:
    return str(len(_moments(bench, place)))


def _times(bench: Workbench, place: Place, words: list[str]) -> str:
    """How often a macro is replaced in the whole expansion."""
    moments = bench.timeline(place.expansion).moments
    replaced = [m for m in moments if not m.meeting and m.step.kind in ("function", "object")]
    return str(sum(moment.step.macro == words[0] for moment in replaced))


def _made_by(bench: Workbench, place: Place, words: list[str]) -> str:
    """The macro whose replacement first puts such a token on the line."""
    wanted = " ".join(words)
    for moment in bench.timeline(place.expansion).moments:
        if any(fnmatchcase(token.text, wanted) for token in moment.insert):
            return moment.step.macro
    raise Unanswerable(f"no macro makes a token {wanted} here")


def _becomes(bench: Workbench, place: Place, words: list[str]) -> str:
    """What an invocation becomes behind the file's text."""
    text = "\n".join(bench.source_lines)
    (became,) = probed(bench.path, bench.options, text, [" ".join(words)])
    if became is None:
        raise Unanswerable(f"{bench.path.name} ends inside of something")
    return spell(became)


def _error_in(bench: Workbench, place: Place, words: list[str]) -> str:
    """The preprocessor's first error in a text behind the file, or `none`."""
    text = "\n".join(bench.source_lines)
    return error_in(bench.path, bench.options, text, " ".join(words)) or "none"


def _value(bench: Workbench, place: Place, words: list[str]) -> str:
    """The integer that the compiler makes of an expression behind the file's text."""
    value = number(_becomes(bench, place, words))
    if value is None:
        raise Unanswerable(f"{' '.join(words)} is no number")
    return str(value)


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


ANSWERS: dict[str, Answer] = {
    "next": _next,
    "replacement": _replacement,
    "result": _result,
    "line": _line,
    "end": _end,
    "argument": _argument,
    "prescan": _prescan,
    "bound": _bound,
    "inside": _inside,
    "painted": _painted,
    "steps": _steps,
    "times": _times,
    "made-by": _made_by,
    "becomes": _becomes,
    "value": _value,
    "error-in": _error_in,
    "tokens": _tokens,
    "error": _error,
}
