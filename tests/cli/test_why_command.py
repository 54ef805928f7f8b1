"""`unfold why` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from visualizer.cli import main

FILE = """\
#define ONE 1
int i = ONE;
#if ONE > 1
int j = ONE;
#endif
#undef ONE

int k = ONE, l;
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "x.c").write_text(FILE)
    return tmp_path / "x.c"


def test_why_tells_of_each_name_on_a_line(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", f"{path}:8"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{path}:8:9: ONE is no macro any more",
        f"  {path}:6:8: #undef ONE",
        f"    it ends the definition of {path}:1",
        f"{path}:8:1: never a macro: int, k, l",
    ]


def test_why_tells_a_macros_history(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", str(path), "ONE"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"ONE is no macro at the end of {path}",
        f"  {path}:6:8: #undef ONE",
        f"    it ends the definition of {path}:1",
        f"  {path}:1:9: #define ONE 1",
    ]
    assert main(["why", f"{path}:2", "ONE"]) == 0
    told = capsys.readouterr().out
    assert "ONE expands to 1" in told
    assert f"→ {path}:1:9: #define ONE 1" in told


def test_why_tells_the_same_as_data(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", f"{path}:4:9", "ONE", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (name,) = document["names"]
    assert (name["name"], name["column"], name["kind"]) == ("ONE", 9, "skipped")
    assert name["because"] == ["line 3: #if ONE > 1 does not hold: ONE = 1"]
    assert [event["deed"] for event in document["history"]["ONE"]] == ["undef", "define"]


def test_a_name_that_nothing_defines_is_0_in_a_condition(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text("#if NONE || defined(NEITHER)\n#endif\n")
    assert main(["why", f"{path}:1", "NONE"]) == 0
    assert "NONE is no macro: nothing defines it" in (said := capsys.readouterr().out)
    assert ", and counts as 0" in said


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["{}:7"], 1, ":7:1: error: no name stands on this line"),
        (["{}:2:4"], 1, ":2:4: error: no name stands in this column (unfold why {}:2 tells"),
        (["{}:90"], 1, ":90:1: error: there is no such line (it has 8 lines)"),
        (["{}", "OEN"], 1, "nothing defines OEN, here or in what is included (did you mean"),
        (["{}"], 2, "name a line, {}:LINE, or a macro, {} NAME"),
        (["{}:2", "1+"], 2, "'1+' is no name"),
        (["{}.none:2"], 1, "no such file"),
    ],
)
def test_why_says_where_nothing_is_to_be_told(
    path: Path, words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text(FILE + "#define ONE 2\n" if "OEN" in words else FILE)
    assert main(["why", *(word.replace("{}", str(path)) for word in words)]) == code
    assert said.replace("{}", str(path)) in capsys.readouterr().err


def test_a_line_without_an_invocation_says_why_of_itself(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["steps", f"{path}:4"]) == 1
    assert "the line is skipped: line 3: #if ONE > 1 does not hold" in capsys.readouterr().err
    assert main(["steps", f"{path}:8"]) == 1
    assert "ONE is no macro any more" in capsys.readouterr().err
