"""What a learner did stays with what it was done to, however the lesson is edited."""

import json
from dataclasses import replace

import pytest

from visualizer.cli import main
from visualizer.learning import lesson, progress
from visualizer.learning.parts import Predict
from visualizer.learning.progress import Left
from visualizer.personal.drafts import Draft, left_behind
from visualizer.tui.home.choices import ListedLesson, choices

FRONT = '+++\ntitle = "Twice"\nidea = "A macro"\nsample = "twice.c"\n+++\n'
ASKED = """
## What becomes of it

```toml predict
ask = "What does TWICE(3) become?"
truth = "end"
```

```toml exercise
file = "start.c"
solution = "start.c"
check = [{errors = false}]
```
"""
PAGE_BEFORE = "\n## A page before it\n\nSome text.\n"
QUESTION_BEFORE = ASKED.replace(
    "```toml predict",
    '```toml predict\nask = "What comes next?"\ntruth = "next"\n```\n\n```toml predict',
    1,
)


def silent(text):
    raise AssertionError(text)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "macros" / "01-twice"
    made.mkdir(parents=True)
    for name in ("twice.c", "start.c"):
        (made / name).write_text("#define TWICE(x) x + x\nint n = TWICE(3);\n")
    (made / "lesson.md").write_text(FRONT + ASKED)
    return made


def edited(folder, text, name="lesson.md", language=""):
    (folder / name).write_text(text)
    lesson._load.cache_clear()
    return lesson.load(folder, language)


def test_an_answer_stays_with_its_question_when_a_page_and_a_question_are_put_before_it(folder):
    read = lesson.load(folder)
    progress.at_page(read, 0, silent)
    progress.predicted(read, read.part_name(0, 0), ("6", "3 + 3"), silent)
    progress.solved(read, read.part_name(0, 1), silent)

    read = edited(folder, FRONT + PAGE_BEFORE + QUESTION_BEFORE)
    kept = progress.of_lesson(read, silent)
    assert kept.page_in(read) == 1
    assert read.part_name(1, 0) not in kept.predicted
    assert kept.predicted[read.part_name(1, 1)] == ("6", "3 + 3")
    assert kept.solved == (read.part_name(1, 2),)


def test_a_lesson_that_gets_another_number_keeps_its_progress(folder):
    read = lesson.load(folder)
    progress.solved(read, read.part_name(0, 1), silent)
    again = lesson.load(folder.rename(folder.with_name("07-twice")))
    assert progress.of_lesson(again, silent).solved == (again.part_name(0, 1),)


def test_progress_by_place_from_an_older_file_is_carried_over(folder):
    path = progress.progress_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    old = {"page": 0, "furthest": 0, "predicted": {"0.0": "6", "9.9": "gone"}, "solved": ["0.1"]}
    other = {"page": 2, "furthest": 3, "predicted": {"0.1": "x"}, "solved": []}
    lessons = {"macros/01-twice": old, "phi/99-of-somebody": other}
    path.write_text(json.dumps({"version": 1, "lessons": lessons}))
    read = lesson.load(folder)

    first = progress.of_lesson(read, silent)
    assert first.page_in(read) == 0
    assert first.predicted == {read.part_name(0, 0): ("6",)}
    assert first.solved == (read.part_name(0, 1),)
    assert first.left(read).share == 1

    progress.at_page(read, 0, silent)
    kept = progress.all_progress(silent)
    assert replace(kept[read.name], read=first.read) == first
    assert "macros/01-twice" not in kept
    assert kept["phi/99-of-somebody"].predicted == {"0.1": ("x",)}, "it waits for its lesson"


def test_an_exercise_of_an_older_version_is_carried_over_with_its_unsaved_work(folder):
    read = lesson.load(folder)
    _, exercise = next(read.exercises())
    path = progress.exercise_path(read, exercise)
    old = path.parent.with_name("01-twice") / exercise.file
    old.parent.mkdir(parents=True)
    old.write_text("mine")
    draft = Draft(old)
    draft.keep("mine, not saved")
    draft.release()

    progress.carry_over(read, exercise)
    assert path.read_text() == "mine"
    (found,) = left_behind(path)
    assert found.kept().text == "mine, not saved"
    found.discard()

    old.write_text("older")
    progress.carry_over(read, exercise)
    assert path.read_text() == "mine"


def test_a_translation_keeps_the_names_of_what_it_translates(folder):
    chinese = ASKED.replace("What becomes of it", "变成什么").replace("What does TWICE", "TWICE")
    read = edited(folder, FRONT + chinese, "lesson.zh.md", "zh")
    assert read.pages[0].title == "变成什么"
    assert read.part_name(0, 0) == lesson.load(folder).part_name(0, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FRONT + ASKED + ASKED, ":20: another page is called 'What becomes of it' as well"),
        (
            FRONT + QUESTION_BEFORE.replace("What comes next?", "What does TWICE(3) become?"),
            "name =",
        ),
    ],
)
def test_what_would_be_kept_by_one_name_is_refused(folder, text, said):
    with pytest.raises(lesson.LessonError, match=said):
        edited(folder, text)


def test_a_question_may_have_a_name_of_its_own(folder):
    read = edited(folder, FRONT + ASKED.replace('truth = "end"', 'truth = "end"\nname = "twice"'))
    assert read.part_name(0, 0) == "What becomes of it / twice"


@pytest.mark.parametrize(
    "damaged",
    [
        '{"lessons": {"macros/twice": {"page": "\\ud800", "seen": [], "predicted": {}, "solved": []}}}',
        "[" * 100_000,
        '{"lessons": {"macros/twice": {"page": %s}}}' % ("[" * 500 + "]" * 500),
    ],
    ids=["half a letter", "nested", "nested within"],
)
def test_progress_that_nobody_wrote_is_set_aside(folder, own_folder, damaged):
    (own_folder / "progress.json").write_text(damaged)
    said = []
    twice = lesson.load(folder)
    assert progress.at_page(twice, 0, said.append).seen
    assert "progress.json.damaged-1" in said[0]
    assert (own_folder / "progress.json.damaged-1").read_text() == damaged


def test_a_page_is_done_when_it_was_answered_and_solved_and_not_when_it_was_turned(folder):
    read = edited(folder, FRONT + PAGE_BEFORE + ASKED)
    assert not progress.of_lesson(read, silent).left(read).begun
    progress.at_page(read, 0, silent)
    turned = progress.at_page(read, 1, silent).left(read)
    assert (turned.share, str(turned)) == (0.5, "1 question, 1 exercise")
    missed = progress.missed(read, read.part_name(1, 0), silent).left(read)
    assert (missed.share, str(missed)) == (0.5, "1 question (answered wrongly), 1 exercise")
    progress.predicted(read, read.part_name(1, 0), ("6",), silent)
    shown = progress.shown(read, read.part_name(1, 1), silent).left(read)
    assert (shown.share, str(shown)) == (0.5, "1 exercise (solution shown)")
    assert progress.of_lesson(read, silent).left(read) == shown, "it is kept"
    done = progress.solved(read, read.part_name(1, 1), silent).left(read)
    assert (done.share, str(done)) == (1, "")


@pytest.mark.parametrize(("pages", "undone"), [(5, 4), (3, 2), (7, 3), (20, 13)])
def test_home_and_the_list_of_lessons_tell_the_same_share(pages, undone):
    left = Left(pages, unread=tuple(range(undone)))
    offered = choices([ListedLesson("one", "One", left.share)], silent)
    (choice,) = (choice for choice in offered if choice.lesson == "one")
    assert choice.note.split() == f"{left.share:.0%}".replace("%", " %").split()


def test_what_is_left_of_a_lesson_is_listed(folder, monkeypatch, capsys):
    read = lesson.load(folder)
    progress.at_page(read, 0, silent)
    monkeypatch.setattr(lesson, "folders", lambda: [folder])
    assert main(["lessons"]) == 0
    assert "  0%  1 question, 1 exercise  Twice" in capsys.readouterr().out
    assert main(["lessons", "--format", "json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)
    assert listed["progress"] == 0
    assert listed["left"]["asked"] == [1]


def test_a_lesson_s_second_half_has_what_was_kept_of_its_pages():
    first, second = (lesson.load(lesson.find(id)) for id in ("macros/7", "macros/7b"))
    assert (second.short_id, second.continues) == ("macros/7b", first.name)
    page = second.pages[0].name
    parts = enumerate(second.pages[0].parts)
    asked = second.part_name(0, next(n for n, part in parts if isinstance(part, Predict)))
    number, exercise = next(second.exercises())
    solved = second.part_name(number, second.pages[number].parts.index(exercise))
    path = progress.progress_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {"page": page, "seen": [first.pages[0].name, page], "predicted": {asked: ["-a,"]}}
    whole = {**kept, "solved": [solved]}
    path.write_text(json.dumps({"version": 2, "lessons": {first.name: whole}}))
    half = progress.of_lesson(second, print)
    assert half.page_in(second) == 0
    assert half.predicted == {asked: ("-a,",)}
    assert half.left(second).unsolved == ()
    progress.at_page(second, 1, print)
    assert progress.of_lesson(second, print).predicted == {asked: ("-a,",)}
    assert progress.of_lesson(first, print).seen[0] == first.pages[0].name
    old = progress.progress_path().parent / "exercises" / first.name / exercise.file
    old.parent.mkdir(parents=True)
    old.write_text("mine")
    progress.carry_over(second, exercise)
    assert progress.exercise_path(second, exercise).read_text() == "mine"
