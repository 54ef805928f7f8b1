"""`unfold steps FILE:LINE` on a directive, in all formats; `--conditionals` tells of headers too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from visualizer.cli import main

FILE = """\
#include "a.h"
#define B(x) ((x) > 1)
#if defined(A) && B(2)
int yes = B(3);
#endif
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "a.h").write_text("#if NOTHING\n#else\n#define A 7\n#endif\n")
    (tmp_path / "x.c").write_text(FILE)
    return tmp_path / "x.c"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words]) == 0
    return capsys.readouterr().out


def test_as_text(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "steps", f"{file}:3").splitlines() == [
        f"{file}:3:1: #if",
        "  #if defined(A) && B(2)",
        "1 defined(A) is 1: there is such a macro.",
        "2 B becomes ((2) > 1).",
        "3 ((2) > 1) is 1.",
        "4 1 && 1 is 1.",
        "  => #if 1",
    ]


def test_as_data(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(printed(capsys, "steps", f"{file}:3", "--format", "json"))
    (expansion,) = document["expansions"]
    assert (expansion["macro"], expansion["line"]) == ("#if", 3)
    assert [step["kind"] for step in expansion["steps"]] == [
        "answered",
        "function",
        "computed",
        "computed",
    ]
    now = expansion["before"]
    for step in expansion["steps"]:
        now[step["at"] : step["at"] + step["remove"]] = step["insert"]
    assert [token["text"] for token in now] == ["#", "if", "1"]
    assert [token["text"] for token in expansion["after"]] == ["#", "if", "1"]
    assert expansion["registered"] == []


@pytest.mark.parametrize("format", ["md", "html", "svg"])
def test_as_a_document(file: Path, capsys: pytest.CaptureFixture[str], format: str) -> None:
    told = printed(capsys, "steps", f"{file}:3", "--format", format)
    assert "#if" in told
    if format == "svg":
        assert "The condition is not 0: the lines below it count." in told
    else:
        assert "What #if comes to" in told
        assert "What the compiler reads" not in told


def test_the_whole_file_tells_of_its_text_only(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "#if" not in printed(capsys, "steps", f"{file}")


def test_conditionals_of_headers_are_listed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "steps", f"{file}", "--conditionals").splitlines()
    assert f"{file}:3: #if defined(A) && B(2)  taken" in told
    assert f"{file.parent}/a.h:1: #if NOTHING  not taken" in told
    assert f"{file.parent}/a.h:2: #else  taken" in told
    assert any(row.endswith("NOTHING = 0") for row in told)


def test_a_condition_of_thousands_of_terms_is_told_in_lines_as_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not in the square of it: once each, as the whole is."""
    terms = [f"defined(X{n})" for n in range(3000)]
    text = f"#if {' || '.join(terms)}\n#elif !({' || '.join(terms)}) && 1\n#endif\n"
    (tmp_path / "a.c").write_text(text)
    told = printed(capsys, "steps", str(tmp_path / "a.c"), "--conditionals")
    assert "defined(X2999)" in told
    assert len(told) < 10 * len(text)
