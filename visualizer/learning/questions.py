"""What a lesson may ask, and how the engine finds the answer.

A question is a word, some with arguments behind it: `result`, or `prescan x`. It is asked of a place in
an open file, and answered from the trace and the registry. So the answer can't be out of date, and the
author need not know it. Two words stand before a question and change what it is asked of: `in DIALECT`
asks it of the same file as another preprocessor reads it, `loaded DEVICE` while a plug-in is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from visualizer.expansion.moments import Moment
from visualizer.expansion.tokens import Token, spell
from visualizer.expansion.trace import Argument
from visualizer.learning.probes import error_in, number, probed

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import AttributeArgDef, TensorArgDef
    from registry_runtime.phi.runtime import Registration
    from registry_runtime.phi.selection import Selection
    from visualizer.learning.places import Place
    from visualizer.workbench import Workbench

# What exercises may be checked for; `checks.py` does it.
CHECKS = (
    *("errors", "preprocesses", "yields", "values", "registers", "exactly", "slots", "runs"),
    *("keeps", "lacks", "leaves", "uses", "avoids", "answers", "says", "dialect"),
)


class Unanswerable(Exception):
    """The question can't be asked at this place."""


Answer = Callable[["Workbench", "Place", list[str]], str]


def unknown(question: str) -> str:
    """Why this is no question, or nothing."""
    word, *rest = question.split()
    if word in _BEFORE:
        known = len(rest) > 1 and (word != "in" or rest[0] in DIALECTS)
        return unknown(" ".join(rest[1:])) if known else f"'{word}' takes {_BEFORE[word]}"
    if word not in ANSWERS:
        return f"no truth '{word}'; there are {', '.join(ANSWERS)}"
    if word in _OF_A_TEXT:
        return "" if rest else f"'{word}' takes a text"
    wanted = _ARGUMENTS.get(word, 0)
    return "" if len(rest) == wanted else f"'{word}' takes {wanted} words, not {len(rest)}"


def answer(question: str, bench: Workbench, place: Place) -> str:
    """The truth. Raises Unanswerable."""
    word, *rest = question.split()
    if word == "in":
        return _in_dialect(rest[0], " ".join(rest[1:]), bench, place)
    if word == "loaded":
        return _loaded(rest[0], " ".join(rest[1:]), bench, place)
    return ANSWERS[word](bench, place, rest)


def _in_dialect(dialect: str, question: str, bench: Workbench, place: Place) -> str:
    from visualizer.workbench import open_file

    other = open_file(bench.path, replace(bench.options, dialect=dialect))
    if place.expansion >= len(other.trace.expansions):
        raise Unanswerable(f"{dialect} comes to no such place")
    return answer(question, other, replace(place, state=0))


def _loaded(device: str, question: str, bench: Workbench, place: Place) -> str:
    from registry_runtime.phi.enforce import AlreadyExists

    if bench.runtime.custom_devices.get(device):
        return answer(question, bench, place)
    try:
        bench.runtime.load_custom_device(device)
    except AlreadyExists as error:
        return f"(AlreadyExists) {error}"
    try:
        return answer(question, bench, place)
    finally:
        bench.runtime.unload_custom_device(device)


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


def _bound(bench: Workbench, place: Place, words: list[str]) -> str:
    """What a parameter will be bound to when a macro is next met: it does not yet stand on the card."""
    macro, parameter = words
    for moment in _moments(bench, place)[place.state :]:
        if moment.step.macro == macro:
            for argument in moment.step.arguments:
                if argument.parameter == parameter:
                    return spell(argument.raw)
    raise Unanswerable(f"no {macro} with a parameter {parameter} comes here")


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


def _registers(bench: Workbench, place: Place, _: list[str]) -> str:
    """How many kernels this invocation registers, from its start to its end."""
    return str(sum(entry.expansion == place.expansion for entry in bench.entries))


def _coming(bench: Workbench, place: Place, _: list[str]) -> str:
    """The key that this invocation registers next."""
    whole = bench.view(place.expansion, place.look).in_whole(place.state)
    here = (e for e in bench.entries if e.expansion == place.expansion)
    births = [(bench.born(e)[1], str(e.registration.key)) for e in here]
    later = [born for born in births if born[0] > whole]
    if not later:
        raise Unanswerable("nothing more is registered here")
    return min(later, key=lambda born: born[0])[1]


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
    return became


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


def _slot(bench: Workbench, place: Place, words: list[str]) -> str:
    """`slot KERNEL BACKEND[:DTYPE] input|attribute|output N FIELD`"""
    kernel, which, number, field = words[0], *words[2:]
    slots = _described(_registered(bench, kernel, words[1]), which)
    if not number.isdecimal() or int(number) >= len(slots):
        raise Unanswerable(f"{kernel} has no {which} {number}")
    slot = slots[int(number)]
    if not hasattr(slot, field):
        raise Unanswerable(f"an {which} has no {field}")
    return str(getattr(slot, field))


def _count(bench: Workbench, place: Place, words: list[str]) -> str:
    """`count KERNEL BACKEND[:DTYPE] input|attribute|output`"""
    return str(len(_described(_registered(bench, *words[:2]), words[2])))


def _kind(bench: Workbench, place: Place, words: list[str]) -> str:
    """`kind KERNEL`: `FUNCTION` or `STRUCTURE`."""
    return _registered(bench, words[0], "*").kernel.registered_type.name


def _function(bench: Workbench, place: Place, words: list[str]) -> str:
    """`function KERNEL BACKEND[:DTYPE]`: the C++ function, as `phi::ReluKernel<float, …>`."""
    return str(_registered(bench, *words).kernel.function or "none")


def _registered(bench: Workbench, kernel: str, where: str) -> Registration:
    """The first registration of a kernel there: `CPU`, `GPU:float16`, or `*`. One that another has
    replaced doesn't count."""
    from visualizer.workbench import replacements

    backend, _, dtype = where.partition(":")
    replaced = replacements(bench.entries).values()
    for entry in bench.entries:
        registration = entry.registration
        on, of = str(registration.key.backend), str(registration.key.dtype)
        fits = backend in ("*", on) and dtype in ("", of) and entry not in replaced
        if registration.kernel_name == kernel and fits:
            return registration
    raise Unanswerable(f"no kernel {kernel} is registered for {where}")


def _described(
    registration: Registration, which: str
) -> Sequence[TensorArgDef] | Sequence[AttributeArgDef]:
    args = registration.kernel.args_def
    if which == "attribute":
        return args.attribute_defs
    return args.input_defs if which == "input" else args.output_defs


def _selects(bench: Workbench, place: Place, words: list[str]) -> str:
    """`selects KERNEL BACKEND LAYOUT DTYPE`: `found`, `fell back to the CPU` or `not found`."""
    return _selection(bench, words).outcome


def _transforms(bench: Workbench, place: Place, words: list[str]) -> str:
    """`transforms KERNEL BACKEND LAYOUT DTYPE`: what inputs with this key go through, or `nothing`."""
    selection = _selection(bench, words)
    if selection.result is None:
        raise Unanswerable(f"no kernel {words[0]} is found there")
    return "; ".join(selection.transforms) or "nothing"


def _selection(bench: Workbench, words: list[str]) -> Selection:
    from visualizer.entry_story import key_named

    name, *key = words
    try:
        return bench.runtime.explain_selection(name, key_named(bench.runtime, *key))
    except ValueError as error:
        raise Unanswerable(str(error)) from None


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
    "entries": _entries,
    "entries-of-file": _entries_of_file,
    "newest": _newest,
    "registers": _registers,
    "coming": _coming,
    "slot": _slot,
    "count": _count,
    "kind": _kind,
    "function": _function,
    "selects": _selects,
    "transforms": _transforms,
    "error": _error,
}
_OF_A_TEXT = ("becomes", "value", "error-in", "made-by")
_ARGUMENTS = {
    "argument": 1,
    "prescan": 1,
    "bound": 2,
    "times": 1,
    "slot": 5,
    "count": 3,
    "kind": 1,
    "function": 2,
    "selects": 4,
    "transforms": 4,
}
DIALECTS = ("standard", "msvc-traditional")
_BEFORE = {
    "in": f"a dialect ({' or '.join(DIALECTS)}) and a question",
    "loaded": "a device and a question",
}
