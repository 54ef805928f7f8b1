"""What solves an exercise is compiled, where a compiler is and nobody is served; phi/15 runs it too."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from visualizer.learning import checks, lesson
from visualizer.learning.verdict import Verdict

LESSON = lesson.load(lesson.find("phi/15"))
EXERCISE = next(exercise for _, exercise in LESSON.exercises())
WITH_A_BODY = LESSON.file("right-less_than/with_a_body.cc").read_text()


def judged(text: str) -> Verdict:
    return checks.check(LESSON, EXERCISE, text)


@pytest.mark.compiler
def test_a_body_is_compiled_and_run() -> None:
    verdict = judged(WITH_A_BODY)
    assert verdict.passed
    assert "and run" in verdict.note


@pytest.mark.compiler
def test_what_a_compiler_refuses_is_refused_at_its_line() -> None:
    after = "}  // namespace phi"
    assert after in WITH_A_BODY
    verdict = judged(WITH_A_BODY.replace(after, f"inline int one() {{ return nobody; }}\n{after}"))
    assert not verdict.passed
    assert "nobody" in verdict.failed
    assert verdict.where is not None
    line = WITH_A_BODY.splitlines().index(after) + 1
    assert verdict.where.line == line


MACROS = lesson.load(lesson.find("macros/5"))
CALL = next(exercise for _, exercise in MACROS.exercises())
SOLUTION = MACROS.file(CALL.solution).read_text()
BROKEN = SOLUTION + "int one = two;\n"


@pytest.mark.compiler
def test_what_passes_the_checks_is_compiled_whatever_they_are() -> None:
    assert checks.check(MACROS, CALL, BROKEN).passed
    verdict = checks.judged(MACROS, CALL, BROKEN)
    assert "the compiler says" in verdict.failed
    assert "two" in verdict.failed
    assert verdict.where is not None
    assert verdict.where.line == BROKEN.count("\n")
    assert checks.judged(MACROS, CALL, SOLUTION).passed


@pytest.mark.compiler
def test_a_compiler_that_refuses_the_solution_too_is_not_believed(tmp_path: Path) -> None:
    solution = tmp_path / "solution.c"
    solution.write_text(BROKEN)
    exercise = replace(CALL, solution=str(solution))
    verdict = checks.judged(MACROS, exercise, BROKEN)
    assert verdict.passed
    assert verdict.note.startswith("not compiled")


def test_that_nothing_was_compiled_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    verdict = checks.judged(MACROS, CALL, BROKEN)
    assert verdict.passed
    assert verdict.note.startswith("not compiled: no C++ compiler is on PATH")


def test_a_course_is_not_compiled(tmp_path: Path) -> None:
    copied = shutil.copytree(MACROS.folder, tmp_path / "course" / "calls")
    verdict = checks.judged(replace(MACROS, folder=copied), CALL, BROKEN)
    assert verdict.passed
    assert not verdict.note, "its author has asked for no compiler"


def test_without_a_compiler_the_other_checks_have_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    verdict = judged(WITH_A_BODY)
    assert verdict.passed
    assert verdict.note.startswith("not compiled")


def test_nothing_is_compiled_for_a_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("visualizer.personal.consent.is_confined", lambda: True)
    verdict = judged(WITH_A_BODY)
    assert verdict.passed
    assert verdict.note.startswith("not compiled")
