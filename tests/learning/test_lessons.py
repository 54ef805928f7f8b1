"""Every lesson, from its first page to its last: it can be read, each place that it leads to is there,
each question has an answer, and each wrong choice a consequence; each solution passes, and each wrong
answer doesn't."""

import re
from pathlib import Path

import pytest

from visualizer.expansion import InputError
from visualizer.learning import checks, lesson, proofread
from visualizer.learning.player import opened

FOLDERS = lesson.folders()
README = (FOLDERS[0].parents[1] / "README.md").read_text()


def named(folder: Path) -> str:
    return f"{folder.parent.name}/{folder.name}"


def exercises():
    for folder in FOLDERS:
        read = lesson.load(folder)
        for page, exercise in read.exercises():
            yield pytest.param(read, exercise, id=f"{read.id}-{page}")


def answers(kind):
    for folder in FOLDERS:
        read = lesson.load(folder)
        for _, exercise in read.exercises():
            stem = Path(exercise.file).stem
            for path in sorted((*folder.glob(f"{kind}/*"), *folder.glob(f"{kind}-{stem}/*"))):
                yield pytest.param(read, exercise, path, id=f"{read.id}-{path.stem}")


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_each_page_leads_where_it_says_and_asks_what_has_an_answer(folder):
    read = lesson.load(folder)
    assert read.minutes >= 5
    assert [*map(str, proofread.faults_of_text(read))] == []
    assert [*map(str, proofread.faults_of_pages(read))] == []


def test_the_manual_states_how_wide_code_may_be():
    stated = re.search(r"break lines of code at (\d+) columns", README)
    assert stated is not None
    assert int(stated[1]) == proofread.WIDEST


@pytest.mark.parametrize(("read", "exercise"), exercises())
def test_a_solution_passes(read, exercise):
    text = read.file(exercise.solution).read_text()
    assert checks.check(read, exercise, text) == checks.Verdict()


@pytest.mark.parametrize(("read", "exercise"), exercises())
def test_the_start_does_not(read, exercise):
    assert checks.check(read, exercise, read.file(exercise.file).read_text()).failed
    assert checks.check(read, exercise, "").failed


@pytest.mark.parametrize(("read", "exercise", "path"), answers("right"))
def test_a_right_answer_that_looks_different_passes(read, exercise, path):
    assert checks.check(read, exercise, path.read_text()) == checks.Verdict()


@pytest.mark.parametrize(("read", "exercise", "path"), answers("wrong"))
def test_a_wrong_answer_does_not(read, exercise, path):
    assert checks.check(read, exercise, path.read_text()).failed


@pytest.mark.parametrize(("read", "exercise"), exercises())
def test_each_exercise_has_wrong_answers_and_hints(read, exercise):
    stem = Path(exercise.file).stem
    wrong = [*read.folder.glob("wrong/*"), *read.folder.glob(f"wrong-{stem}/*")]
    assert len(wrong) >= 2
    assert exercise.hints


def test_no_lesson_opens_a_file_that_is_not_there():
    for folder in FOLDERS:
        with pytest.raises((InputError, FileNotFoundError)):
            opened(lesson.load(folder), "nowhere.cc")
