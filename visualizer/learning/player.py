"""Where a learner stands in a lesson: the page, how much of it is shown, and where it has led.

A page is walked through from its top: each `go` leads on from the one before it, and a question is
asked of the place that the last `go` above it has led to. A page is shown down to the first question
without an answer. With an answer comes what is said about it, down to the next `go`: that one waits, so
that the screen still shows what was asked about.

What is right is asked of a reading of the file that no screen has. A reader may load a plug-in into the
program on the screen, and the questions' answers stay what they were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from visualizer.expansion import Options
from visualizer.frameworks.answers import Place, Unanswerable
from visualizer.frameworks.aten.stub_questions import compiled_for
from visualizer.learning import places, questions
from visualizer.learning.lesson import Lesson, LessonError
from visualizer.learning.parts import Exercise, Go, PagePart, Predict
from visualizer.learning.places import PlaceError
from visualizer.learning.progress import Left, Progress
from visualizer.learning.watching import until, until_told
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import sample_files, samples_folder


@dataclass(frozen=True, slots=True)
class Stand:
    """A file on the bench, and a place in it; None if the file invokes no macro. A call that is told
    there stands before both: its words, and the step or chapter that it is told down to."""

    bench: Workbench
    place: Place | None
    call: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a reader has said to a question, one after the other, and what is so."""

    tries: tuple[str, ...]
    truth: str

    @property
    def right(self) -> bool:
        return questions.same(self.tries[-1], self.truth)


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page, of which the first `shown` parts are. The screen is to stand at `stand`. If it stays at
    a question that has just been answered, the answer can be watched until `watched`, a state of the
    expansion, or a step or chapter of the call's story. Of the
    page's exercises some are `solved`; of others the `solution_shown`. `left` is of the lesson."""

    page: int
    shown: int
    stand: Stand
    answered: Mapping[int, Answered]
    solved: frozenset[int]
    solution_shown: frozenset[int]
    left: Left
    watched: int | str | None = None


def read(lesson: Lesson, page: int, progress: Progress, shown: int = 0) -> OpenPage:
    """A page of which `shown` parts are known, down to the next question without an answer. Raises
    LessonError, InputError."""
    parts, answered = lesson.pages[page].parts, _answered(lesson, page, progress)
    waiting = (n + 1 for n in _asked(parts) if n >= shown and n not in answered)
    shown = next(waiting, len(parts))
    here = stand(lesson, page, shown - 1)
    return OpenPage(page, shown, here, answered, *_exercises(lesson, page, progress))


def read_answer(lesson: Lesson, page: int, progress: Progress, question: int) -> OpenPage:
    """What comes with the answer to a question: down to the next `go`, or the next question."""
    parts, answered = lesson.pages[page].parts, _answered(lesson, page, progress)
    behind = enumerate(parts[question + 1 :], question + 1)
    stops = (n + isinstance(p, Predict) for n, p in behind if isinstance(p, Go | Predict))
    shown = next(stops, len(parts))
    here, asked = stand(lesson, page, question), parts[question]
    assert isinstance(asked, Predict)
    watched: int | str | None = None
    if here.call:
        watched = until_told(asked.truth, here.call)
    elif here.place is not None:
        watched = until(asked.truth, here.bench, here.place)
    return OpenPage(page, shown, here, answered, *_exercises(lesson, page, progress), watched)


def _asked(parts: Sequence[PagePart]) -> Iterator[int]:
    return (number for number, part in enumerate(parts) if isinstance(part, Predict))


def _answered(lesson: Lesson, page: int, progress: Progress) -> dict[int, Answered]:
    found = {}
    for number in _asked(lesson.pages[page].parts):
        tries = progress.predicted.get(lesson.part_name(page, number))
        if tries:
            found[number] = Answered(tries, answer(lesson, page, number))
    return found


def _exercises(
    lesson: Lesson, page: int, progress: Progress
) -> tuple[frozenset[int], frozenset[int], Left]:
    """Those that are solved, those whose solution was shown instead, and what is left of the lesson."""
    parts = enumerate(lesson.pages[page].parts)
    names = {n: lesson.part_name(page, n) for n, part in parts if isinstance(part, Exercise)}
    solved = frozenset(n for n, name in names.items() if name in progress.solved)
    shown = frozenset(n for n, name in names.items() if name in progress.shown)
    return solved, shown - solved, progress.left(lesson)


def answer(lesson: Lesson, page: int, number: int) -> str:
    """What is so, or why that can't be said."""
    asked = lesson.pages[page].parts[number]
    assert isinstance(asked, Predict)
    try:
        return truth(asked, stand(lesson, page, number))
    except Unanswerable as error:
        return f"({error})"


def options_of(lesson: Lesson) -> Options:
    """The preprocessor's options for the files of a lesson: its own flags, whose paths begin in its
    folder, and where headers are."""
    from visualizer.workbench.flag_words import read_flags

    samples = [
        word for track in ("phi", "aten", "fluid") for word in ("-I", str(samples_folder() / track))
    ]
    folders = ("-I", str(lesson.folder), *samples)
    flags = read_flags((*lesson.flags, *folders), of_the_user=False)
    return flags.absolute(lesson.folder).options_for(lesson.folder)[0]


@lru_cache(maxsize=8)
def opened(
    lesson: Lesson,
    name: str | None,
    compiled: str | None = None,
    main: str | None = None,
    nth_pass: int = 1,
) -> Workbench:
    """A file of the lesson, its sample by default; `compiled` for a capability of the CPU, or as it is
    included by the file `main`, if one is named. It is what questions are asked of: a screen shows
    another reading, made by `apart`. Raises InputError if it can't be read."""
    name = name or lesson.sample
    path = sample_files()[0] if name is None else lesson.file(name)
    options = options_of(lesson)
    if main is not None:
        options = replace(options, main=str(lesson.file(main)), nth=nth_pass)
    return open_file(path, options if compiled is None else compiled_for(options, compiled))


def file_of(lesson: Lesson, go: Go) -> Workbench:
    """The file that is named there, as it is to be read."""
    return opened(lesson, go.file, go.compiled, go.main, go.nth_pass)


def stand(lesson: Lesson, page: int, part: int) -> Stand:
    """Where the screen stands when the reader has come to a part of a page: every `go` above it on all
    pages is followed, and a page that leads nowhere but to an exercise shows the file to edit. Raises
    LessonError for a `go` that finds no place, InputError for a file."""
    bench: Workbench | None = None
    place: Place | None = None
    call, told = "", ""
    for number, each in enumerate(lesson.pages[: page + 1]):
        parts = each.parts[: part + 1] if number == page else each.parts
        for n, go in enumerate(parts):
            if not isinstance(go, Go):
                continue
            call, told = go.call or "", go.told or ""
            if bench is None or go.file is not None:
                bench, place = file_of(lesson, go), None
            try:
                place = places.find(bench, go, place)
            except PlaceError as error:
                path = lesson.folder / "lesson.md"
                raise LessonError(path, each.lines[n], str(error)) from None
    here = lesson.pages[page].parts
    if not any(isinstance(p, Go) for p in here):
        for exercise in (p for p in here[: part + 1] if isinstance(p, Exercise)):
            bench, place, call = opened(lesson, exercise.file), None, ""
    bench = bench or opened(lesson, None)
    if place is None and bench.trace.expansions:
        place = places.find(bench, Go())
    return Stand(bench, place, call, told)


def truth(predict: Predict, stand: Stand) -> str:
    """The answer to a question asked there. Raises Unanswerable."""
    if stand.place is None:
        raise Unanswerable("this file invokes no macro")
    return questions.answer(predict.truth, stand.bench, stand.place)
