"""Where a learner stands in a lesson: the page, the file that it has opened, and the place in it.

A page is walked through from its top: each `go` leads on from the one before it, and a question is
asked of the place that the last `go` above it has led to.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from visualizer.expansion import Options
from visualizer.learning import places, questions
from visualizer.learning.answers import Unanswerable
from visualizer.learning.lesson import Lesson, LessonError
from visualizer.learning.parts import Exercise, Go, Predict
from visualizer.learning.places import Place, PlaceError
from visualizer.learning.stub_questions import compiled_for
from visualizer.samples import sample_files, samples_folder
from visualizer.workbench import Workbench, open_file


@dataclass(frozen=True, slots=True)
class Stand:
    """A file on the bench, and a place in it; None if the file invokes no macro."""

    bench: Workbench
    place: Place | None


def options_of(lesson: Lesson) -> Options:
    """The preprocessor's options for the files of a lesson: its own flags, and where headers are."""
    from visualizer.opening import Opening, options_of

    samples = [
        word for track in ("phi", "aten", "fluid") for word in ("-I", str(samples_folder() / track))
    ]
    folders = ("-I", str(lesson.folder), *samples)
    options, _ = options_of(Opening(lesson.folder, None, (*lesson.flags, *folders)))
    return options


@lru_cache(maxsize=8)
def opened(lesson: Lesson, name: str | None, compiled: str | None = None) -> Workbench:
    """A file of the lesson, its sample by default; `compiled` for a capability of the CPU, if one is
    named. Raises InputError if it can't be read."""
    name = name or lesson.sample
    path = sample_files()[0] if name is None else lesson.file(name)
    options = options_of(lesson)
    return open_file(path, options if compiled is None else compiled_for(options, compiled))


def stand(lesson: Lesson, page: int, part: int) -> Stand:
    """Where the screen stands when the reader has come to a part of a page: every `go` above it on all
    pages is followed, and a page that leads nowhere but to an exercise shows the file to edit. Raises
    LessonError for a `go` that finds no place, InputError for a file."""
    bench: Workbench | None = None
    place: Place | None = None
    for number, each in enumerate(lesson.pages[: page + 1]):
        parts = each.parts[: part + 1] if number == page else each.parts
        for go in (p for p in parts if isinstance(p, Go)):
            if bench is None or go.file is not None:
                bench, place = opened(lesson, go.file, go.compiled), None
            try:
                place = places.find(bench, go, place)
            except PlaceError as error:
                path = lesson.folder / "lesson.md"
                raise LessonError(path, each.line, f"on this page: {error}") from None
    here = lesson.pages[page].parts
    if not any(isinstance(p, Go) for p in here):
        for exercise in (p for p in here[: part + 1] if isinstance(p, Exercise)):
            bench, place = opened(lesson, exercise.file), None
    bench = bench or opened(lesson, None)
    if place is None and bench.trace.expansions:
        place = places.find(bench, Go())
    return Stand(bench, place)


def truth(predict: Predict, stand: Stand) -> str:
    """The answer to a question asked there. Raises Unanswerable."""
    if stand.place is None:
        raise Unanswerable("this file invokes no macro")
    return questions.answer(predict.truth, stand.bench, stand.place)
