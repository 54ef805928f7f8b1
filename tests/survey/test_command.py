"""`unfold survey`: its formats, its messages, its exit codes."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from visualizer.cli import main
from visualizer.survey.report import COLUMNS


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "add.cc").write_text(
        "PD_REGISTER_KERNEL(add, CPU, ALL_LAYOUT, phi::AddKernel, float, int) {}\n"
        "#ifdef PADDLE_WITH_CUDA\n"
        "PD_REGISTER_KERNEL(add, GPU, ALL_LAYOUT, phi::AddKernel, float) {}\n"
        "#endif\n"
    )
    return tmp_path


def test_the_table_counts(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["survey", str(tree), "-D", "PADDLE_WITH_CUDA"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[3:] == ["dtype", "function", "framework", "where"]
    assert lines[1].split()[:5] == ["add", "CPU", "ALL_LAYOUT", "float32", "phi::AddKernel"]
    assert lines[1].endswith("add.cc:1")
    assert lines[-1] == "3 registrations of 1 kernel in 1 of 1 file"


def test_json_and_csv_have_a_row_for_each_key(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "bad.cc").write_bytes(b"\0")
    assert main(["survey", str(tree), "--format", "json"]) == 1
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert [r["dtype"] for r in document["registrations"]] == ["float32", "int32"]
    assert tuple(document["registrations"][0]) == COLUMNS
    assert document["failures"][0]["reason"].startswith("is a binary file")
    assert "bad.cc:1:1: error: is a binary file" in captured.err
    assert main(["survey", str(tree), "--format", "csv"]) == 1
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows == [{k: str(v) for k, v in r.items()} for r in document["registrations"]]


def test_a_file_takes_any_format(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tree / "out.csv"
    assert main(["survey", str(tree), "--format", "csv", "-o", str(out)]) == 0
    assert capsys.readouterr().out == ""
    assert len(out.read_text().splitlines()) == 3
    assert main(["survey", str(tree), "-o", str(tree / "no" / "folder")]) == 1
    assert "unfold: error: " in capsys.readouterr().err


def test_parquet_holds_the_same_rows(tree: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra 'parquet'")
    out = tree / "out.parquet"
    assert main(["survey", str(tree), "--format", "parquet", "-o", str(out)]) == 0
    rows = parquet.read_table(out).to_pylist()
    assert [(r["kernel"], r["dtype"], r["line"]) for r in rows] == [
        ("add", "float32", 1),
        ("add", "int32", 1),
    ]


def test_parquet_says_what_it_needs(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["survey", str(tree), "--format", "parquet"]) == 2
    assert capsys.readouterr().err == "unfold: error: --format parquet needs -o FILE\n"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert main(["survey", str(tree), "--format", "parquet", "-o", str(tree / "x")]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "pip install 'unfold[parquet]'" in error


def test_nothing_to_find_is_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["survey", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no registrations in 0 files\n"


def test_a_file_is_surveyed_alone(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = next(iter(sorted(tree.rglob("*.cc"))))
    assert main(["survey", str(named)]) == 0
    assert "in 1 of 1 file\n" in capsys.readouterr().out


def test_an_empty_file_that_was_named_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.cc"
    empty.write_text("")
    assert main(["survey", str(empty)]) == 1
    out, error = capsys.readouterr()
    assert out == "no registrations in 0 files; 1 file failed\n"
    assert error == f"{empty}:1:1: error: is empty, and registers nothing\n"
    assert main(["survey", str(tmp_path)]) == 0  # which nobody has asked for that file


def test_a_missing_folder_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["survey", str(tmp_path / "nope")]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "nope:1:1: error: no such file or folder" in error


def test_a_scheduler_that_is_not_there_is_one_message(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed", reason="needs the extra 'cluster'")
    assert main(["survey", str(tree), "--scheduler", "nonsense://x"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("unfold: error: no Dask scheduler at nonsense://x")
    assert error.count("\n") == 1


def test_flags_may_come_from_a_compilation_database(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = {
        "directory": str(tree),
        "file": "add.cc",
        "command": "g++ -DPADDLE_WITH_CUDA -c add.cc",
    }
    (tree / "compile_commands.json").write_text(json.dumps([entry]))
    assert main(["survey", str(tree), "-p", str(tree), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [r["backend"] for r in document["registrations"]] == ["CPU", "CPU", "GPU"]


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["survey", "--help"])
    assert "examples:" in capsys.readouterr().out
