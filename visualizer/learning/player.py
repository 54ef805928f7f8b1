"""Where a learner stands in a lesson: the page, how much of it is shown, and where it has led.

A page is walked through from its top: each `go` leads on from the one before it, and a question is
asked of the place that the last `go` above it has led to; what is to be changed is changed there. A
page is shown down to the first question without an answer. With an answer comes what is said about it,
down to the next `go`: that one waits, so that the screen still shows what was asked about.

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
from visualizer.learning.lesson import Lesson, LessonError, Page
from visualizer.learning.parts import Asked, Changeable, Exercise, Go, PagePart, Predict
from visualizer.learning.places import PlaceError
from visualizer.learning.progress import Left, Progress
from visualizer.learning.watching import until, until_told
from visualizer.messages import _
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import sample_files, samples_folder


@dataclass(frozen=True, slots=True)
class Stand:
    """A file on the bench, and a place in it; None if the file invokes no macro. A call that is told
    there stands before both: its words, and the step or chapter that it is told down to. A `picture` is
    drawn of the place."""

    bench: Workbench
    place: Place | None
    call: str = ""
    told: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a reader has said to a question, one after the other, what is so, and whether the last of
    them is right. Of something to change they are texts, and `truth` one with which it is as it is to
    be."""

    tries: tuple[str, ...]
    truth: str
    right: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a learner's change has come to: where the screen is to stand, what the engine says by now,
    behind each label, and whether that is what it is to say."""

    stand: Stand
    rows: tuple[tuple[str, str], ...]
    reached: bool


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
    stops = (n + isinstance(p, Asked) for n, p in behind if isinstance(p, Go | Asked))
    shown = next(stops, len(parts))
    here, asked = stand(lesson, page, question), parts[question]
    assert isinstance(asked, Asked)
    watched: int | str | None = None
    if isinstance(asked, Changeable):
        here = changed(lesson, page, question, answered[question].tries[-1]).stand
    elif here.call:
        watched = until_told(asked.truth, here.call)
    elif here.place is not None:
        watched = until(asked.truth, here.bench, here.place)
    return OpenPage(page, shown, here, answered, *_exercises(lesson, page, progress), watched)


def _asked(parts: Sequence[PagePart]) -> Iterator[int]:
    return (number for number, part in enumerate(parts) if isinstance(part, Asked))


def _answered(lesson: Lesson, page: int, progress: Progress) -> dict[int, Answered]:
    found = {}
    for number in _asked(lesson.pages[page].parts):
        tries = progress.predicted.get(lesson.part_name(page, number))
        if tries:
            found[number] = judged(lesson, page, number, tries)
    return found


def judged(lesson: Lesson, page: int, number: int, tries: tuple[str, ...]) -> Answered:
    """Whether the last of these answers is right."""
    truth, asked = answer(lesson, page, number), lesson.pages[page].parts[number]
    if isinstance(asked, Changeable):
        return Answered(tries, truth, changed(lesson, page, number, tries[-1]).reached)
    chosen = isinstance(asked, Predict) and asked.choices
    same = questions.same if chosen else questions.answers
    return Answered(tries, truth, same(tries[-1], truth))


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
    """What is so, or why that can't be said; of something to change, the solution."""
    asked = lesson.pages[page].parts[number]
    if isinstance(asked, Changeable):
        return asked.solution
    assert isinstance(asked, Predict)
    return _said(asked.truth, stand(lesson, page, number))


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


def own_reading(bench: Workbench, here: Workbench) -> Workbench:
    """A screen's own reading of the file on the bench: the one that it has `here`, if it is of that
    file. Another takes a while."""
    return here if bench.trace is here.trace else bench.apart()


def stand(lesson: Lesson, page: int, part: int) -> Stand:
    """Where the screen stands when the reader has come to a part of a page: every `go` above it on all
    pages is followed, and a page that leads nowhere but to an exercise shows the file to edit. Raises
    LessonError for a `go` that finds no place, InputError for a file."""
    here = lesson.pages[page].parts
    exercises = [p for p in here[: part + 1] if isinstance(p, Exercise)]
    if exercises and not any(isinstance(p, Go) for p in here):
        return _led(lesson, opened(lesson, exercises[-1].file), ())
    followed = lesson.followed(page, part)
    opens = [go for *_, go in followed[:1] if go.file is not None]
    return _led(lesson, file_of(lesson, opens[0]) if opens else opened(lesson, None), followed)


_Followed = Sequence[tuple[Page, int, Go]]


def _led(lesson: Lesson, bench: Workbench, followed: _Followed) -> Stand:
    """Where these lead in the file on the bench, one from the other."""
    place: Place | None = None
    for page, at, go in followed:
        try:
            place = places.find(bench, go, place)
        except PlaceError as error:
            path = lesson.folder / "lesson.md"
            raise LessonError(path, page.lines[at], str(error)) from None
    if place is None and bench.trace.expansions:
        place = places.find(bench, Go())
    last = followed[-1][2] if followed else Go()
    return Stand(bench, place, last.call or "", last.told or "", last.picture or "")


def changed(lesson: Lesson, page: int, part: int, given: str) -> Outcome:
    """What comes of it when the learner writes this."""
    change = lesson.pages[page].parts[part]
    assert isinstance(change, Changeable)
    here = stand(lesson, page, part)
    if change.is_in_file:
        here = _rewritten(lesson, here, lesson.followed(page, part), change.text, given)
    if change.call:
        here = replace(here, call=change.call.replace("{}", given))
    asked = ((change.label or _("it is"), change.truth), *change.shows)
    rows = tuple((label, _said(truth.replace("{}", given), here)) for label, truth in asked)
    return Outcome(here, rows, questions.same(rows[0][1], change.gives))


def _said(question: str, stand: Stand) -> str:
    """What is so there, or why that can't be said."""
    try:
        return truth(question, stand)
    except Unanswerable as error:
        return f"({error})"


def _rewritten(lesson: Lesson, here: Stand, followed: _Followed, old: str, new: str) -> Stand:
    """Where these lead in the file in which `old`, where it stands first from the invocation `here` on,
    is written anew. If they lead nowhere there any more, it stands at that invocation."""
    bench, lines = here.bench, here.bench.source_lines
    first = 0 if here.place is None else bench.expansions[here.place.expansion].where.line - 1
    at = next((n for n in (*range(first, len(lines)), *range(first)) if old in lines[n]), None)
    if at is None:
        raise LessonError(lesson.folder / "lesson.md", 1, f"'{old}' doesn't stand in {bench.path}")
    text = "\n".join([*lines[:at], lines[at].replace(old, new, 1), *lines[at + 1 :], ""])
    other = _reopened(bench, text)
    try:
        return _led(lesson, other, followed)
    except LessonError:
        again = other.expansion_near(first + 1) if other.trace.expansions else None
        place = None if again is None else Place(again, 0)
        return replace(here, bench=other, place=place)


@lru_cache(maxsize=4)
def _reopened(bench: Workbench, text: str) -> Workbench:
    return open_file(bench.path, bench.options.with_text(bench.path, text))


def truth(question: str, stand: Stand) -> str:
    """The answer to a question asked there. Raises Unanswerable."""
    if stand.place is None:
        raise Unanswerable("this file invokes no macro")
    if why := questions.unknown(question):
        raise Unanswerable(why)
    return questions.answer(question, stand.bench, stand.place)
