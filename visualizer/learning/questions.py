"""What a lesson may ask, and how the engine finds the answer.

A question is a word, some with arguments behind it: `result`, or `prescan x`. It is asked of a place in
an open file, and answered from the trace and the registry. So the answer can't be out of date, and the
author need not know it. Three words stand before a question and change what it is asked of: `in
DIALECT` asks it of the same file as another preprocessor reads it, `loaded DEVICE` while a plug-in is
loaded, and `compiled CAPABILITY` of the file as PyTorch's build compiles it for that capability. Two
more stand before questions about PyTorch's dispatcher: `here` and `without LINE`, which leave out what
some of the file registers; and `beside FILE` before questions about an operator's call, which adds a
file.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from registry_runtime.near import did_you_mean
from visualizer.expansion.language import DIALECTS
from visualizer.frameworks.answers import Place, Unanswerable, words_of
from visualizer.frameworks.aten import (
    asked_program,
    dispatch_questions,
    iterator_questions,
    python_questions,
    stub_questions,
)
from visualizer.frameworks.fluid import call_questions as op_questions
from visualizer.frameworks.fluid import questions as fluid_questions
from visualizer.frameworks.phi import questions as registry_questions
from visualizer.learning import line_questions, migration_questions

if TYPE_CHECKING:
    from visualizer.expansion import Options
    from visualizer.workbench.bench import Workbench

# What exercises may be checked for; `checks.py` does it.
CHECKS = (
    *(
        "errors",
        "preprocesses",
        "yields",
        "values",
        "registers",
        "exactly",
        "slots",
        "runs",
        "body",
    ),
    *("compiled", "keeps", "lacks", "leaves", "uses", "avoids", "answers"),
    *("says", "dialect", "flags"),
)


def unknown(question: str) -> str:
    """Why this is no question, or nothing."""
    word, *rest = _words(question)
    if word in _BEFORE_DISPATCH:
        inner = rest[_BEFORE_DISPATCH[word] :]
        if not inner or inner[0] not in dispatch_questions.ASKED:
            return f"'{word}' takes one of {', '.join(dispatch_questions.ASKED)}"
        return unknown(" ".join(inner))
    if word == "beside":
        if len(rest) < 2 or rest[1] not in (*_OF_A_PROGRAM, "beside"):
            return f"'beside' takes a file, and then one of {', '.join(_OF_A_PROGRAM)}"
        return unknown(" ".join(rest[1:]))
    if word in _BEFORE:
        known = len(rest) > 1 and rest[0] in _BETWEEN.get(word, rest)
        return unknown(" ".join(rest[1:])) if known else f"'{word}' takes {_BEFORE[word]}"
    if word not in ANSWERS:
        hint = did_you_mean(word, ANSWERS, f"there are {', '.join(ANSWERS)}")
        return f"no truth '{word}'; {hint}"
    if word in _OF_A_TEXT:
        return "" if rest else f"'{word}' takes a text"
    if word in _AT_LEAST:
        least = _AT_LEAST[word]
        return "" if len(rest) >= least else f"'{word}' takes at least {least} words"
    wanted = _ARGUMENTS.get(word, 0)
    return "" if len(rest) == wanted else f"'{word}' takes {wanted} words, not {len(rest)}"


def _words(question: str) -> list[str]:
    """Blanks part them: those of a text too, and of anything else but what stands in brackets."""
    plain = question.split()
    return plain if any(word in _OF_A_TEXT for word in plain[:3]) else words_of(question)


def answer(question: str, bench: Workbench, place: Place) -> str:
    """The truth. Raises Unanswerable."""
    word, *rest = _words(question)
    if word == "in":
        return _in_dialect(rest[0], " ".join(rest[1:]), bench, place)
    if word == "loaded":
        return _loaded(rest[0], " ".join(rest[1:]), bench, place)
    if word == "compiled":
        return _compiled(rest[0], " ".join(rest[1:]), bench, place)
    if word == "here":
        return dispatch_questions.answer(rest, bench, asked_program.here(bench, place))
    if word == "without":
        dropped = asked_program.block_on(bench, rest[0])
        return dispatch_questions.answer(rest[1:], bench, dropped)
    if word == "beside":
        return _beside(rest[1:], bench, (rest[0],))
    return ANSWERS[word](bench, place, rest)


def _in_dialect(dialect: str, question: str, bench: Workbench, place: Place) -> str:
    return _read_with(replace(bench.options, dialect=dialect), dialect, question, bench, place)


def _compiled(capability: str, question: str, bench: Workbench, place: Place) -> str:
    options = stub_questions.compiled_for(bench.options, capability)
    return _read_with(options, f"the build for {capability}", question, bench, place)


def _read_with(options: Options, who: str, question: str, bench: Workbench, place: Place) -> str:
    from visualizer.workbench.bench import open_file

    other = open_file(bench.path, options)
    if place.expansion >= len(other.trace.expansions):
        raise Unanswerable(f"{who} comes to no such place")
    return answer(question, other, replace(place, state=0))


def _beside(question: list[str], bench: Workbench, files: tuple[str, ...]) -> str:
    word, *rest = question
    if word == "beside":
        return _beside(rest[1:], bench, (*files, rest[0]))
    return _OF_A_PROGRAM[word](bench, files, rest)


def _loaded(device: str, question: str, bench: Workbench, place: Place) -> str:
    from registry_runtime.phi.enforce import AlreadyExists

    if bench.program.phi.custom_devices.get(device):
        return answer(question, bench, place)
    try:
        bench.program.phi.load_custom_device(device)
    except AlreadyExists as error:
        return f"(AlreadyExists) {error}"
    try:
        return answer(question, bench, place)
    finally:
        bench.program.phi.unload_custom_device(device)


def answers(typed: str, truth: str) -> bool:
    """Whether what a learner typed is this answer. What an input method wrote full-width is meant as
    what C++ has for it, where the answer has no such characters itself; and of a list of numbers, 2 is
    2.0."""
    given = typed.translate(_HALF_WIDTH) if truth.isascii() else typed
    wanted = _numbers(truth)
    return same(given, truth) or (wanted is not None and _numbers(given, bare=True) == wanted)


def same(given: str, truth: str) -> bool:
    """Whether two answers are the same sequence of tokens, whatever the white space. A shape is the
    same list of numbers in whatever brackets, or in none."""
    shape = None if "." in truth + given else _numbers(truth)
    if shape is not None and _numbers(given, bare=True) == shape:
        return True
    return _squeezed(given) == _squeezed(truth)


# The full-width forms of ASCII, and what a Chinese keyboard has on the keys of some.
_HALF_WIDTH = {
    **{0xFF00 + code: chr(0x20 + code) for code in range(1, 0x5F)},
    **dict(zip(map(ord, "\u3000、。“”‘’【】《》"), " ,.\"\"''[]<>", strict=True)),
}

_SHAPE = re.compile(r"[\[({](.*)[\])}]")
_NUMBERS = re.compile(r"(-?\d+(\.\d*)?([\s,]+|$))*")


def _numbers(text: str, bare: bool = False) -> list[float] | None:
    """The numbers of `[2, 3, 4]`; of `2, 3, 4` too where a `bare` list counts."""
    match = _SHAPE.fullmatch(text.strip())
    inside = match[1].strip() if match else text.strip()
    if not (match or bare) or not _NUMBERS.fullmatch(inside):
        return None
    return [float(number) for number in inside.replace(",", " ").split()]


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


ANSWERS = (
    line_questions.ANSWERS
    | registry_questions.ANSWERS
    | dispatch_questions.ANSWERS
    | iterator_questions.ANSWERS
    | stub_questions.ANSWERS
    | python_questions.ANSWERS
    | op_questions.ANSWERS
    | fluid_questions.ANSWERS
    | migration_questions.ANSWERS
)
_OF_A_PROGRAM = op_questions.ASKED | fluid_questions.ASKED  # of which more files may be part
_OF_A_TEXT = ("becomes", "value", "error-in", "made-by")
_ARGUMENTS = (
    {
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
    | dispatch_questions.ARGUMENTS
    | iterator_questions.ARGUMENTS
    | python_questions.ARGUMENTS
    | stub_questions.ARGUMENTS
    | fluid_questions.ARGUMENTS
)
_AT_LEAST = (
    registry_questions.AT_LEAST
    | dispatch_questions.AT_LEAST
    | iterator_questions.AT_LEAST
    | stub_questions.AT_LEAST
    | python_questions.AT_LEAST
    | op_questions.AT_LEAST
    | fluid_questions.AT_LEAST
    | migration_questions.AT_LEAST
)
_BEFORE_DISPATCH = {"here": 0, "without": 1}  # and how many words come between
_BEFORE = {
    "in": f"a dialect ({' or '.join(DIALECTS)}) and a question",
    "loaded": "a device and a question",
    "compiled": f"a capability ({', '.join(stub_questions.CAPABILITIES)}) and a question",
}
_BETWEEN: dict[str, Collection[str]] = {
    "in": DIALECTS,
    "compiled": stub_questions.CAPABILITIES,
}
