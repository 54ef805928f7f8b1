"""What is wrong with a lesson, found before a learner finds it.

A lesson claims much: that a macro comes next, that a question has one right answer, that a file solves
an exercise. The engine can compute all of that, so it is asked page by page, as a learner would come
through them; and each exercise is given what it must take and what it must refuse. What can't be found
so is whether the text is good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from visualizer.expansion import Diagnostic, InputError, memory
from visualizer.expansion.diagnostics import Code
from visualizer.expansion.source_files import read_source
from visualizer.frameworks.answers import Place, Unanswerable
from visualizer.frameworks.stories import story_of
from visualizer.learning import checks, places, questions
from visualizer.learning.consequences import consequence
from visualizer.learning.lesson import Lesson, LessonError, load, translation
from visualizer.learning.parts import Asked, Changeable, Exercise, Go, PagePart, Predict, Run
from visualizer.learning.places import PlaceError
from visualizer.learning.player import Stand, changed, file_of, opened
from visualizer.learning.translations import marks, stale
from visualizer.scene.pictures import OF_CALLS, drawn
from visualizer.scene.scene import Scene
from visualizer.workbench.bench import Workbench

WIDEST = 45  # columns of a line of code, beside the screen
LONGEST = 12  # minutes
_PICTURE = 80  # columns of a picture
_FOLDER = 'to search the course\'s folder: flags = ["-I", "../.."] in lesson.md'

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """`FILE:LINE: what is wrong`; of a page, the line of the block. Of a source, the column too."""

    path: Path
    line: int
    message: str
    column: int | None = None

    def __str__(self) -> str:
        column = "" if self.column is None else f"{self.column}:"
        return f"{self.path}:{self.line}:{column} {self.message}"


def lessons_below(folder: Path) -> list[Path]:
    """The folders of a course's lessons, in the order of their paths."""
    return sorted(path.parent for path in folder.rglob("lesson.md"))


def proofread(folder: Path, say: Report = lambda text: None) -> Iterator[Fault | str]:
    """Everything that is wrong with the lesson there; a lesson that can't be read is told in its own
    words. `say` hears what is being done."""
    try:
        read = load(folder)
    except LessonError as error:
        yield str(error)
        return
    yield from faults_of_text(read)
    yield from faults_of_translations(read)
    say(f"{read.short_id}: its questions")
    with memory.together():
        if of_pages := [*faults_of_pages(read)]:
            yield from _missing_headers(read)
        yield from of_pages
    for page, exercise in read.exercises():
        say(f"{read.short_id}: {exercise.file}")
        with memory.together():
            yield from faults_of_exercise(read, page, exercise)


def faults_of_text(read: Lesson) -> Iterator[Fault]:
    """What is wrong with its length, and with the width of its code."""
    path = read.folder / "lesson.md"
    if not 0 < read.minutes <= LONGEST:
        yield Fault(path, 1, f"minutes = {read.minutes}: a lesson takes {LONGEST} at most")
    whole = [read, *_other_halves(read)]
    if not any(isinstance(p, Asked) for each in whole for page in each.pages for p in page.parts):
        yield Fault(path, 1, "no page asks anything: a lesson has at least one prediction")
    if not any(any(each.exercises()) for each in whole):
        yield Fault(path, 1, "no page has an exercise: a lesson has at least one")
    for each in sorted(read.folder.glob("lesson*.md")):
        for number, line in _code(read_source(each)):
            if len(line) > WIDEST:
                told = f"code of {len(line)} columns: beside the screen there are {WIDEST}"
                yield Fault(each, number, told)


def _other_halves(read: Lesson) -> Iterator[Lesson]:
    """The lesson that this one continues, and those that continue it. What can't be read is told
    elsewhere."""
    for folder in sorted(path.parent for path in read.folder.parent.glob("*/lesson.md")):
        with suppress(LessonError):
            other = load(folder)
            if other.continues == read.name or (read.continues and other.name == read.continues):
                yield other


def faults_of_translations(read: Lesson) -> Iterator[Fault | str]:
    """Each translation has the lesson's blocks, as they are now, and its questions' answers."""
    for path in sorted(read.folder.glob("lesson.*.md")):
        language = path.name.removeprefix("lesson.").removesuffix(".md")
        try:
            said = translation(read.folder, language)
        except LessonError as error:
            yield str(error)
            continue
        if behind := [*stale(read.pages, said.translates)]:
            named = ", ".join(f"'{read.pages[number].title}'" for number in behind)
            wanted = ", ".join(f'"{line}"' for line in marks(read.pages))
            told = f"changed since it was translated: {named}; then say translates = [{wanted}]"
            yield Fault(path, 1, told)
        with memory.together():
            faults = [*faults_of_pages(said)]
        yield from (Fault(path, fault.line, fault.message) for fault in faults)


def _code(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a page's code with their numbers; its commands are TOML, and not shown."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fence = "" if fence else line
        elif fence and not fence.startswith("```toml "):
            yield number, line


def faults_of_pages(read: Lesson) -> Iterator[Fault]:
    """Each page leads where it says, and each question has an answer, among its choices one."""
    here: Stand | None = None
    for number, page in enumerate(read.pages):
        for at, (line, part) in enumerate(zip(page.lines, page.parts, strict=True)):
            try:
                here, faults = _walked(read, part, here)
                if isinstance(part, Changeable):
                    faults = [*_faults_of_change(read, number, at, part)]
            except (PlaceError, Unanswerable, InputError, LessonError) as error:
                faults = [f"{_named(part)}{_told(error)}"]
            for message in faults:
                yield Fault(read.folder / "lesson.md", line, message)


def _missing_headers(read: Lesson) -> Iterator[Fault]:
    """Those of the sources that its pages open: whatever else is wrong may come of them."""
    gos = [part for page in read.pages for part in page.parts if isinstance(part, Go)]
    told: set[Fault] = set()
    for go in (Go(), *gos):
        with suppress(InputError):  # of a file that can't be read: its page is told so
            told |= {_of_header(d) for d in file_of(read, go).trace.diagnostics if _is_missing(d)}
    yield from sorted(told, key=str)


def _is_missing(diagnostic: Diagnostic) -> bool:
    return diagnostic.code is Code.HEADER_MISSING


def _of_header(diagnostic: Diagnostic) -> Fault:
    path, line, column = diagnostic.where[:3]
    return Fault(Path(path), line, f"{diagnostic.message}; {_FOLDER}", column)


def _walked(read: Lesson, part: PagePart, here: Stand | None) -> tuple[Stand | None, list[str]]:
    if isinstance(part, Go):
        same = here is not None and part.file is None
        bench = here.bench if here is not None and same else file_of(read, part)
        place = places.find(bench, part, here.place if here is not None and same else None)
        return Stand(bench, place), [
            *_faults_of_call(part, bench),
            *_faults_of_picture(part, bench, place),
        ]
    if isinstance(part, Predict):
        bench = opened(read, None) if here is None else here.bench
        place = (here.place if here is not None else None) or places.find(bench, Go())
        return Stand(bench, place), [*_faults_of_question(part, bench, place)]
    if isinstance(part, Run):
        bench = opened(read, None) if here is None else here.bench
        if "::" not in part.kernel and not _registers(bench, part.kernel):
            return here, [f"the file registers no kernel {part.kernel}"]
    return here, []


def _faults_of_call(go: Go, bench: Workbench) -> Iterator[str]:
    if go.call is not None:
        story = story_of(bench, go.call)
        if go.told is not None and story.end_of(go.told) is None:
            there = dict.fromkeys(step.name or chapter.title for chapter, step in story)
            yield f"no step or chapter '{go.told}' is in that story; there are {', '.join(there)}"


def _faults_of_picture(go: Go, bench: Workbench, place: Place) -> Iterator[str]:
    scene = Scene(bench, place.expansion, place.state, look=place.look)
    if go.picture in OF_CALLS:
        return
    if go.picture is not None and not drawn(go.picture, scene, _PICTURE):
        yield f"there is nothing at this place that the picture '{go.picture}' could draw"


def _faults_of_question(asked: Predict, bench: Workbench, place: Place) -> Iterator[str]:
    truth = questions.answer(asked.truth, bench, place)
    if not asked.choices:
        return
    fitting = [choice for choice in asked.choices if questions.same(choice, truth)]
    if len(fitting) != 1:
        number = "none" if not fitting else f"{len(fitting)}"
        yield f"'{asked.ask}': {number} of the choices is right; the truth is {truth}"
    for wrong in (choice for choice in asked.choices if choice not in fitting):
        told = consequence(asked, Stand(bench, place), wrong, truth)
        if told.is_little or not told.said:
            yield f"'{asked.ask}': [consequences] should say what would follow from '{wrong}'"


def _faults_of_change(read: Lesson, page: int, at: int, change: Changeable) -> Iterator[str]:
    """It isn't as it is to be from the start, and is with the solution; and all that is shown is so."""
    if changed(read, page, at, change.text).reached:
        yield f"'{change.ask}': it is so already, with '{change.text}'"
    came = changed(read, page, at, change.solution)
    if not came.reached:
        yield f"'{change.ask}': with '{change.solution}' it is {came.rows[0][1]}"
    if came.stand.place is not None:
        for _, truth in change.shows:
            asked = truth.replace("{}", change.solution)
            questions.answer(asked, came.stand.bench, came.stand.place)


def _registers(bench: Workbench, kernel: str) -> bool:
    return any(entry.registration.kernel_name == kernel for entry in bench.entries)


def _named(part: PagePart) -> str:
    return f"'{part.ask}': " if isinstance(part, Asked) else ""


def _told(error: Exception) -> str:
    return str(error.diagnostic) if isinstance(error, InputError) else str(error)


def faults_of_exercise(read: Lesson, page: int, exercise: Exercise) -> Iterator[Fault]:
    """Its solution passes and its start does not; so do the files in `right` and `wrong`, or in
    `right-NAME` and `wrong-NAME` for the exercise NAME."""
    stem = Path(exercise.file).stem
    for path in answers(read, exercise, "right", stem):
        verdict = checks.check(read, exercise, read_source(path))
        if verdict.failed:
            said = f"it should solve {exercise.file}, and is refused: {verdict.failed}"
            at = verdict.where
            its_own = at is not None and Path(at.file).name == Path(exercise.file).name
            yield Fault(path, at.line, said, at.column) if at and its_own else Fault(path, 1, said)
    for path in answers(read, exercise, "wrong", stem):
        if not checks.check(read, exercise, read_source(path)).failed:
            yield Fault(path, 1, f"it is a wrong answer to {exercise.file}, and passes")
    if not exercise.hints:
        there = read.pages[page]
        line = there.lines[there.parts.index(exercise)]
        yield Fault(read.folder / "lesson.md", line, f"{exercise.file} has no hints")


def answers(read: Lesson, exercise: Exercise, kind: str, stem: str) -> list[Path]:
    """The answers of that kind, the exercise's own solution and start among them."""
    own = exercise.solution if kind == "right" else exercise.file
    found = (*read.folder.glob(f"{kind}/*"), *read.folder.glob(f"{kind}-{stem}/*"))
    return [read.file(own), *sorted(found)]
