"""What a lesson may ask, and how the engine finds the answer.

A question is a word, some with arguments behind it: `result`, or `prescan x`. It is asked of a place in
an open file, and answered from the trace and the registry. So the answer can't be out of date, and the
author need not know it. Two words stand before a question and change what it is asked of: `in DIALECT`
asks it of the same file as another preprocessor reads it, `loaded DEVICE` while a plug-in is loaded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from visualizer.expansion.language import DIALECTS
from visualizer.learning import line_questions, registry_questions
from visualizer.learning.answers import Unanswerable
from visualizer.learning.places import Place

if TYPE_CHECKING:
    from visualizer.workbench import Workbench

# What exercises may be checked for; `checks.py` does it.
CHECKS = (
    *("errors", "preprocesses", "yields", "values", "registers", "exactly", "slots", "runs"),
    *("keeps", "lacks", "leaves", "uses", "avoids", "answers", "says", "dialect", "flags"),
)


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


ANSWERS = line_questions.ANSWERS | registry_questions.ANSWERS
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
_BEFORE = {
    "in": f"a dialect ({' or '.join(DIALECTS)}) and a question",
    "loaded": "a device and a question",
}
