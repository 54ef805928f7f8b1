"""Whose flags a file is read with, where nobody said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from visualizer.cli import main
from visualizer.expansion.found_database import build_flags


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project under version control, inside a folder whose database is none of its business."""
    project = tmp_path / "project"
    (project / "src" / "deep").mkdir(parents=True)
    (project / ".git").mkdir()
    (project / "src" / "deep" / "a.c").write_text(
        '#include "a.h"\nX __OPTIMIZE__ __STDC_VERSION__\n'
    )
    (project / "src" / "deep" / "a.h").write_text("X __STDC_VERSION__\n")
    (project / "src" / "deep" / "new.c").write_text("X\n")
    monkeypatch.chdir(tmp_path)
    database(tmp_path, "project/src/deep/new.c", "-DX=strange")
    return project


def database(folder: Path, file: str, *words: str) -> None:
    folder.mkdir(exist_ok=True)
    entry = {"directory": str(folder), "file": file, "arguments": ["cc", *words, "-c", file]}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))


@pytest.mark.parametrize("folder", [".", "build", "build-debug", "out", "cmake-build-release"])
def test_the_builds_database_is_found_above_the_file(project: Path, folder: str, capsys) -> None:
    database(project / folder, str(project / "src/deep/a.c"), "-DX=found", "-O2", "-std=c99")
    assert main(["expand", "-P", "project/src/deep/a.c"]) == 0
    said = capsys.readouterr()
    assert said.out.split() == ["found", "199901L", "found", "1", "199901L"]
    assert said.err == ""


def test_what_is_given_on_the_command_line_has_the_last_word(project: Path, capsys) -> None:
    database(project / "build", str(project / "src/deep/a.c"), "-DX=found")
    assert main(["expand", "-P", "-DX=given", "project/src/deep/a.c", "-U__OPTIMIZE__"]) == 0
    assert capsys.readouterr().out.split()[2] == "given"


def test_a_header_has_the_flags_of_a_file_that_includes_it(project: Path, capsys) -> None:
    database(project / "build", str(project / "src/deep/a.c"), "-DX=found", "-std=c11")
    assert main(["expand", "-P", "project/src/deep/a.h"]) == 0
    said = capsys.readouterr()
    assert said.out.split() == ["found", "201112L"]
    assert "using the flags of project/src/deep/a.c" in said.err


def test_a_file_that_no_database_of_its_project_names_is_read_as_if_there_were_none(
    project: Path, capsys
) -> None:
    """Also where one above the project does."""
    database(project / "build", str(project / "src/deep/a.c"), "-DX=found")
    assert build_flags(project / "src/deep/new.c") == ()
    assert main(["expand", "-P", "project/src/deep/new.c"]) == 0
    assert capsys.readouterr().out.split() == ["X"]


def test_a_damaged_database_that_nobody_asked_for_is_passed_over(project: Path, capsys) -> None:
    (project / "compile_commands.json").write_text("[")
    assert main(["expand", "-P", "project/src/deep/a.c"]) == 0
    assert capsys.readouterr().err == ""
