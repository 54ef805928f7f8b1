"""A course of somebody's own, looked through: each fault is told once, at the line of its block."""

import shutil
from pathlib import Path

import pytest

from visualizer.cli import main
from visualizer.learning import lesson
from visualizer.learning.course import VARIABLE
from visualizer.learning.proofread import proofread
from visualizer.workbench.samples import lessons_folder

FRONT = '+++\ntitle = "One"\nidea = "An idea"\nsample = "one.c"\n+++\n\n## A page\n\n'
ASKED = '```toml predict\nask = "What comes next?"\ntruth = "next"\n{}```\n\n'
EXERCISE = '```toml exercise\nfile = "task.c"\nsolution = "done.c"\n{}```\n'
CHECK = '[[check]]\nvalues = [["ONE", 2]]\n'
HINTS = 'hints = ["What is one and one?"]\n'


@pytest.fixture
def course(tmp_path):
    folder = tmp_path / "week" / "01-one"
    folder.mkdir(parents=True)
    (folder / "one.c").write_text("#define ONE 1\nint n = ONE;\n")
    (folder / "task.c").write_text("#define ONE 1\n")
    (folder / "done.c").write_text("#define ONE 2\n")

    def written(text):
        (folder / "lesson.md").write_text(FRONT + text)
        return folder

    return written


GOOD = ASKED.format("") + EXERCISE.format(HINTS + CHECK)
CHOICES = 'choices = ["ONE", "n"]\n'
TOLD = '[consequences]\n"n" = "It is no macro."\n'


def test_a_good_lesson_has_no_fault(course):
    assert [*proofread(course(GOOD))] == []
    assert [*proofread(course(ASKED.format(CHOICES + TOLD) + EXERCISE.format(HINTS + CHECK)))] == []


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (GOOD.replace('next"', 'nxet"', 1), None, "nxet"),
        ('```toml go\nmacro = "TWO"\n```\n\n' + GOOD, 9, "invokes TWO 0 times"),
        ('```toml go\ncall = "aten::ad.Tensor 1"\n```\n\n' + GOOD, 9, "aten::ad"),
        (GOOD.replace('truth = "next"', 'truth = "slot a CPU input 0 dtype"'), 9, "kernel a"),
        (GOOD.replace("```\n\n", 'choices = ["n", "1"]\n```\n\n', 1), 9, "none of the choices"),
        ("```c\n" + "x" * 46 + "\n```\n\n" + GOOD, 10, "code of 46 columns"),
        ('```toml run\nkernel = "relu"\n```\n\n' + GOOD, 9, "registers no kernel relu"),
        (ASKED.format("") + EXERCISE.format(CHECK), 14, "task.c has no hints"),
        (ASKED.format(""), 1, "has an exercise"),
        (EXERCISE.format(HINTS + CHECK), 1, "asks anything"),
        (GOOD.replace(", 2]", ", 1]"), None, "it should solve task.c"),
    ],
)
def test_a_fault_is_told_where_it_stands(course, text, line, said):
    folder = course(text)
    found = [*map(str, proofread(folder))]
    assert said in "\n".join(found)
    if line is not None:
        assert any(one.startswith(f"{folder / 'lesson.md'}:{line}: ") for one in found)


def test_a_course_may_be_called_by_a_path_that_goes_up(course, monkeypatch):
    folder = course(ASKED.format(CHOICES + TOLD) + EXERCISE.format(HINTS + CHECK))
    (folder / "inner").mkdir()
    monkeypatch.chdir(folder / "inner")
    assert [*map(str, proofread(Path("../../01-one")))] == []


def test_answers_beside_the_lesson_are_given_to_it(course):
    folder = course(GOOD)
    for name, text in (("wrong", "#define ONE 2\n"), ("right", "#define ONE 3\n")):
        (folder / name).mkdir()
        (folder / name / "other.c").write_text(text)
    right, wrong = [*map(str, proofread(folder))]
    assert "right/other.c:1: it should solve task.c" in right
    assert "wrong/other.c:1: it is a wrong answer to task.c, and passes" in wrong


def test_a_header_that_is_not_found_is_told_before_what_follows_from_it(course, tmp_path):
    folder = course('```toml go\nmacro = "LOG"\n```\n\n' + GOOD)
    (folder / "one.c").write_text('#include "log.h"\nint n = LOG;\n')
    (folder / "done.c").write_text('\n #include "log.h"\n')
    (tmp_path / "log.h").write_text("#define LOG 1\n#define ONE 2\n")
    first, *rest = map(str, proofread(folder))
    assert first.startswith(f"{folder / 'one.c'}:1:10: log.h: no such file; ")
    refused = f"{folder / 'done.c'}:2:11: it should solve task.c, and is refused"
    assert any(fault.startswith(refused) for fault in rest)
    other = Path(shutil.copytree(folder, folder.with_name("02-one"))) / "lesson.md"
    other.write_text(other.read_text().replace("sample", 'flags = ["-I", "../.."]\nsample', 1))
    assert [*map(str, proofread(other.parent))] == []


@pytest.mark.parametrize(("truth", "code", "faults"), [(2, 0, "0 faults"), (1, 1, "1 fault")])
def test_the_command_counts_faults_and_fails(course, tmp_path, capsys, truth, code, faults):
    course(GOOD.replace(", 2]", f", {truth}]"))
    (tmp_path / "week" / "01-one" / "task.c").write_text("#define ONE 3\n")
    assert main(["lessons", "check", str(tmp_path)]) == code
    assert capsys.readouterr().out.endswith(f"1 lesson, {faults}\n")


@pytest.mark.parametrize("words", [["check"], ["check", "nowhere"], ["phi", "."]])
def test_a_folder_is_wanted_and_only_with_check(words, capsys):
    assert main(["lessons", *words]) == 2
    assert "unfold lessons check DIR" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["01-one", "1"])
def test_a_lesson_of_ones_own_is_opened_by_its_folder(course, tmp_path, monkeypatch, capsys, name):
    monkeypatch.setenv(VARIABLE, "")
    folder = course(GOOD)
    solved = str(folder / "done.c")
    assert main(["lesson", str(tmp_path / "week" / name), "--check", solved]) == 0
    assert capsys.readouterr().out == f"{solved}: solved\n"
    assert lesson.find("week/1") == folder, "its course is open, and the lesson has its name there"


def test_a_solution_has_the_ending_of_what_it_solves(course):
    folder = course(GOOD.replace('solution = "done.c"\n', ""))
    assert "no file solution.c" in "".join(map(str, proofread(folder)))


def test_files_of_a_lesson_may_hold_any_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A compiler takes them in a comment, too."""
    lesson = tmp_path / "course" / "track" / "1-one"
    shutil.copytree(lessons_folder() / "macros" / "03-strings-and-pasting", lesson)
    for file in lesson.rglob("*.c"):
        file.write_bytes(file.read_bytes() + b"// \xe9\xff\n")
    assert main(["lessons", "check", str(tmp_path / "course")]) == 0
    assert capsys.readouterr().out.endswith("1 lesson, 0 faults\n")
