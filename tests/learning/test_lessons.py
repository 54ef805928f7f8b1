"""Every lesson, from its first page to its last: it can be read, each place that it leads to is there,
each question has an answer, and each wrong choice a consequence; each solution passes, and each wrong
answer doesn't."""

import re
from pathlib import Path

import pytest

from visualizer.expansion import InputError
from visualizer.frameworks.stories import story_of
from visualizer.learning import checks, lesson, places, questions
from visualizer.learning.consequences import consequence
from visualizer.learning.parts import Go, Predict, Run
from visualizer.learning.player import Stand, file_of, opened

FOLDERS = lesson.folders()
TOO_LITTLE = "The first token isn't"  # enough for what somebody types, not for a choice of ours
README = (FOLDERS[0].parents[1] / "README.md").read_text()


def named(folder: Path) -> str:
    return f"{folder.parent.name}/{folder.name}"


def code_of(text: str) -> list[str]:
    """The lines of a page's code; its commands are TOML, and not shown."""
    shown = re.sub(r"^```toml.*?^```", "", text, flags=re.M | re.S)
    return "".join(re.findall(r"^```.*?\n(.*?)^```", shown, re.M | re.S)).splitlines()


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
    assert 5 <= read.minutes <= 15
    place = bench = None
    predictions = 0
    for page in read.pages:
        for part in page.parts:
            if isinstance(part, Go):
                if part.file is not None or bench is None:
                    bench, place = file_of(read, part), None
                place = places.find(bench, part, place)
                if part.call is not None:
                    story = story_of(bench, part.call)
                    assert part.told is None or story.end_of(part.told) is not None, part.told
            elif isinstance(part, Predict):
                predictions += 1
                if bench is None:
                    bench = opened(read, None)
                place = place or places.find(bench, Go())
                truth = questions.answer(part.truth, bench, place)
                if part.choices:
                    fitting = [c for c in part.choices if questions.same(c, truth)]
                    assert len(fitting) == 1, f"{page.title}: the truth is {truth}"
                    stand = Stand(bench, place)
                    for wrong in set(part.choices) - set(fitting):
                        said = consequence(part, stand, wrong, truth).said
                        assert said, f"{page.title}: what would follow from {wrong}?"
                        assert not said.startswith(TOO_LITTLE), f"{page.title}: {wrong}"
            elif isinstance(part, Run):
                assert bench is not None
    assert predictions, "a lesson has at least one prediction"
    assert list(read.exercises()), "a lesson has at least one exercise"


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_code_is_no_wider_than_its_pane(folder):
    stated = re.search(r"break lines of code at (\d+) columns", README)
    assert stated is not None
    for path in folder.glob("lesson*.md"):
        assert [line for line in code_of(path.read_text()) if len(line) > int(stated[1])] == []


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
