"""phi/15: the learner's own kernel is compiled and run, where a compiler is and nobody is served."""

from __future__ import annotations

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
