"""Mutants of the lessons' solutions, each given to its exercise: which are accepted, though a compiler
refuses them?

One token is dropped, doubled, swapped with the next, or becomes another of the text. Run as a program
it tries every exercise: `python -m tests.learning.mutants 20` makes up to 20 changes to each solution,
and prints those that are accepted, with what g++ says of them; where it refuses the solution too, it
says nothing. `python -m tests.learning.mutants 100 phi/6 fluid/4` tries these lessons only. A mutant
that passes the checks is given to the machine's compiler too, as a learner's text is; with the word
`reader` it is not, and the checks are shown as they are where no compiler is.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

from visualizer.expansion.lexer import tokenize
from visualizer.expansion.tokens import Source, spelled_at
from visualizer.learning import checks, lesson
from visualizer.learning.lesson import Lesson
from visualizer.learning.parts import Exercise
from visualizer.learning.player import options_of
from visualizer.learning.verdict import Verdict

_KEYWORDS = ("const", "int", "return")
_STANDARD = (
    "algorithm array cmath cstdint functional memory optional string tuple type_traits vector"
)

Judge = Callable[[Lesson, Exercise, str], Verdict]


@dataclass(frozen=True, slots=True)
class Mutant:
    text: str
    told: str


def mutants(text: str, dice: random.Random, most: int) -> list[Mutant]:
    """Up to `most` texts, in each of which one token is another, chosen by chance."""
    made = [*_mutants(text, dice)]
    dice.shuffle(made)
    return made[:most]


def _mutants(text: str, dice: random.Random) -> Iterator[Mutant]:
    starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    tokens = [token for line in tokenize(text, "solution") for token in line]
    places = [(_at(spelled_at(token), starts), token.text) for token in tokens]
    words = sorted({word for _, word in places if word[0].isalpha() or word[0] == "_"})
    others = [*words, *_KEYWORDS]
    for (at, old), (following, behind) in zip(places, [*places[1:], (len(text), "")], strict=True):
        end = at + len(old)
        changes = {"dropped": "", "doubled": f"{old} {old}"}
        if old[0].isalpha() or old[0] == "_":
            changes["replaced"] = dice.choice([word for word in others if word != old])
        elif old.isdigit():
            changes["replaced"] = str(int(old) + 1)
        for how, new in changes.items():
            told = f"{_line(text, at)}: {old} {how}{f' by {new}' if how == 'replaced' else ''}"
            yield Mutant(text[:at] + new + text[end:], told)
        if behind and behind != old:
            swapped = behind + text[end:following] + old
            told = f"{_line(text, at)}: {old} and {behind} swapped"
            yield Mutant(text[:at] + swapped + text[following + len(behind) :], told)


def _at(place: Source, starts: list[int]) -> int:
    return starts[place.line - 1] + place.column - 1


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def without_compiler(read: Lesson, exercise: Exercise, text: str) -> Verdict:
    """What the checks alone say of a text, where no compiler is."""
    tables = ({k: v for k, v in table.items() if k != "compiled"} for table in exercise.checks)
    return checks.check(read, replace(exercise, checks=tuple(tables)), text)


def accepted(
    read: Lesson,
    exercise: Exercise,
    dice: random.Random,
    most: int,
    judge: Judge = without_compiler,
) -> Iterator[tuple[str, bool]]:
    """Of the mutants of its solution, those that solve it too: lines for a report, and whether g++
    refuses them."""
    path = read.file(exercise.solution)
    text = path.read_text()
    compiles = not _refusal(read, exercise, text)
    for mutant in mutants(text, dice, most):
        if mutant.text.split() != text.split() and judge(read, exercise, mutant.text).passed:
            refusal = _refusal(read, exercise, mutant.text) if compiles else ""
            said = refusal or ("g++ takes it too" if compiles else "g++ takes no solution of it")
            yield f"{read.short_id} {path.name}:{mutant.told} ({said})", bool(refusal)


def _refusal(read: Lesson, exercise: Exercise, text: str) -> str:
    """g++'s first error in the text, in the place of the exercise's file."""
    options = options_of(read)
    language = "c" if exercise.file.endswith(".c") else "c++"
    words = ["-fsyntax-only", "-w", "-I", str(read.folder)]
    words += [word for folder in options.include_folders for word in ("-I", folder)]
    words += [f"-{letter}{macro}" for letter, macro in options.macros]
    if language == "c++":
        words += [
            "-std=c++17",
            *(word for name in _STANDARD.split() for word in ("-include", name)),
        ]
    command = [
        "env",
        "LC_ALL=C",
        "g++" if language == "c++" else "gcc",
        *words,
        "-x",
        language,
        "-",
    ]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return next((line for line in done.stderr.splitlines() if "error:" in line), "")


def survivors(
    most: int, named: list[str], seed: int = 0, judge: Judge = without_compiler
) -> Iterator[tuple[str, bool]]:
    for folder in lesson.folders():
        read = lesson.load(folder)
        if named and read.short_id not in named:
            continue
        for _, exercise in read.exercises():
            yield from accepted(read, exercise, random.Random(seed), most, judge)


if __name__ == "__main__":
    wrong = 0
    most, named = int(sys.argv[1]) if len(sys.argv) > 1 else 20, sys.argv[2:]
    judge = without_compiler if "reader" in named else checks.judged
    named = [name for name in named if name != "reader"]
    for line, is_wrong in survivors(most, named, judge=judge):
        wrong += is_wrong
        print("WRONG" if is_wrong else "     ", line, flush=True)
    print(f"{wrong} are accepted that g++ refuses")
    raise SystemExit(bool(wrong))
