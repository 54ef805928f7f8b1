"""A trace that is too large to read: written piece by piece, and cut to what is asked for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from visualizer.cli import main
from visualizer.export import json_trace
from visualizer.export.json_trace import write_json_trace
from visualizer.workbench.bench import open_file

TEXT = """\
#define ID(x) x
#define TWICE(x) x x
#define INC(n) n + 1
TWICE(ID(ID(INC(1)))) ID(INC(2))
"""
Json = dict[str, Any]


@pytest.fixture
def nested(tmp_path: Path) -> Path:
    file = tmp_path / "nested.c"
    file.write_text(TEXT)
    return file


def spelled(tokens: list[Json]) -> str:
    return " ".join(token["text"] for token in tokens)


def replayed(before: list[Json], steps: list[Json]) -> str:
    now = list(before)
    for step in steps:
        now[step["at"] : step["at"] + step["remove"]] = step["insert"]
        for argument in step["arguments"]:
            if argument["prescan"] is not None:
                prescan = argument["prescan"]
                assert replayed(argument["raw"], prescan["steps"]) == spelled(prescan["after"])
    return spelled(now)


@pytest.mark.parametrize("at_once", [100, 10_000])
def test_json_is_written_in_pieces_that_are_no_larger_with_the_trace(
    at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor are there more of them than that takes."""
    monkeypatch.setattr(json_trace, "_AT_ONCE", at_once)
    largest = []
    for times in (4, 40):
        file = tmp_path / f"{times}.c"
        file.write_text(TEXT.partition("TWICE(ID")[0] + f"TWICE({'ID(INC(1)) ' * times})\n" * times)
        pieces: list[str] = []
        bench = open_file(file)
        write_json_trace(pieces.append, [(bench, bench.trace.expansions)])
        document = json.loads("".join(pieces))
        assert len(document["expansions"]) == times
        largest.append(max(map(len, pieces)) / times)
        assert len(pieces) <= sum(map(len, pieces)) // at_once + 1
    assert largest[1] < 1.5 * largest[0]


@pytest.mark.parametrize("words", [["--steps", "2-4"], ["--steps", "5-"], ["--max-depth", "0"]])
def test_a_cut_trace_still_leads_from_before_to_after(
    words: list[str], nested: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["steps", str(nested), "--format", "json", *words]) == 0
    for expansion in json.loads(capsys.readouterr().out)["expansions"]:
        assert replayed(expansion["before"], expansion["steps"]) == spelled(expansion["after"])


def test_steps_deep_inside_arguments_are_one(
    nested: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = {"0": ["folded"], "1": ["function", "folded"], "9": ["function"] * 3}
    for depth, kinds in wanted.items():
        assert main(["steps", f"{nested}", "--format", "json", "--max-depth", depth]) == 0
        (step,) = json.loads(capsys.readouterr().out)["expansions"][0]["steps"]
        found = []
        while any(a["prescan"]["steps"] for a in step["arguments"]):
            (step,) = step["arguments"][0]["prescan"]["steps"]
            found.append(step["kind"])
        assert found == kinds


def test_a_range_keeps_the_numbers_of_the_whole(
    nested: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def numbers(*words: str) -> str:
        assert main(["steps", str(nested), *words]) == 0
        return re.sub(r"^(\d)?.*\n", r"\1", capsys.readouterr().out, flags=re.MULTILINE)

    assert numbers() == numbers("--steps", "1-") == "1234567123"
    assert numbers("--steps", "3-4") == "343"
    assert numbers("--steps", "2") == "22"
    assert numbers("--max-depth", "0") == "1713"


@pytest.mark.parametrize("words", [["--steps", "x"], ["--max-depth", "-1"]])
def test_what_is_no_range_is_wrong_usage(words: list[str], nested: Path) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["steps", str(nested), *words])
    assert stopped.value.code == 2


def test_a_document_can_t_be_cut(nested: Path) -> None:
    assert main(["steps", str(nested), "--format", "md", "--steps", "1-2"]) == 2
