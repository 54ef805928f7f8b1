"""A course that is served: its own lessons and files come first on the home screen."""

from pathlib import Path

import pytest

from visualizer.learning import course, lesson
from visualizer.serving.environment import Common, environment
from visualizer.serving.visitors import Visitor
from visualizer.tui.app import UnfoldApp
from visualizer.tui.home.choices import HomeRow, choices
from visualizer.tui.home.list import HomeList
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.lesson.offered import glanced

LESSON = '+++\ntitle = "{}"\nidea = "An idea"\nsample = "one.c"\n+++\n\n## A page\n\nText.\n'


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a lesson of its own, one in the place of ours, and files beside them."""
    folder = tmp_path / "course"
    for name in ("week/01-welcome", "macros/01-two-kinds-of-macros"):
        (folder / name).mkdir(parents=True)
        (folder / name / "lesson.md").write_text(LESSON.format(f"Of {name[:4]}"))
        (folder / name / "one.c").write_text("#define ONE 1\nint n = ONE;\n")
    (folder / "own.cc").write_text("// The first file.\n#define A 1\nint a = A;\n")
    (folder / "own.h").write_text("#define B 2\n")
    (folder / "week" / "later.c").write_text("int c;\n")
    monkeypatch.setenv(course.VARIABLE, str(folder))
    return folder


def offered() -> list[HomeRow]:
    return choices(glanced(UnfoldApp()), print)


def test_a_visitors_app_is_told_where_the_course_lies(tmp_path: Path) -> None:
    visitor = Visitor(tmp_path, "token", "course")
    assert environment(visitor, Common((), {}))[course.VARIABLE] == str(visitor.files)


def test_the_courses_own_lessons_and_files_come_first(served: Path) -> None:
    first = [(c.section, c.title) for c in offered()[:5]]
    assert first == [
        ("Lessons · course", "macros/1  Of macr"),
        ("Lessons · course", "week/1  Of week"),
        ("Files · course", "own.cc"),
        ("Files · course", "week/later.c"),
        ("Files", "Open a file …"),
    ]


def test_a_lesson_of_the_course_takes_the_place_of_ours(served: Path) -> None:
    assert lesson.find("macros/1") == served / "macros" / "01-two-kinds-of-macros"
    listed = [choice.lesson for choice in offered() if choice.lesson]
    assert len(set(listed)) == len(listed)
    assert "macros/02" in " ".join(listed)


def test_without_a_course_nothing_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(course.VARIABLE, raising=False)
    assert not [choice for choice in offered() if "·" in choice.section and choice.lesson]
    assert not course.source_files()


async def test_home_begins_on_the_courses_first_lesson(served: Path) -> None:
    app = UnfoldApp()
    async with app.run_test() as pilot:
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        cursor = app.screen.query_one(HomeList).cursor
        assert cursor is not None
        assert cursor.lesson == "macros/01-two-kinds-of-macros"
