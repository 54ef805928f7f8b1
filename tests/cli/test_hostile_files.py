"""What a folder may hold beside files: devices, pipes, books of a gigabyte, and databases of anybody's.

Each is refused in one located line, by every command, and nothing waits for it or reads it whole.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from visualizer.cli import main

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs")

COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "expand": lambda file: ["expand", file],
    "steps": lambda file: ["steps", f"{file}:1"],
    "why": lambda file: ["why", f"{file}:1"],
    "kernels": lambda file: ["kernels", file],
    "migrate": lambda file: ["migrate", file],
    "survey": lambda file: ["survey", file],
    "run": lambda file: ["run", "relu", "--file", file],
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text("#define A 1\nint x = A;\n")
    os.mkfifo("fifo.c")
    with open("big.c", "wb") as file:
        file.truncate((64 << 20) + 1)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("/dev/zero", "it is no regular file"),
        ("fifo.c", "it is no regular file"),
        ("big.c", "it is larger than 64 MB"),
    ],
)
def test_what_is_no_source_file_is_refused(
    command: str, file: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(COMMANDS[command](file)) == 1
    assert f":1:1: error: cannot be read: {why}" in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_that_no_file_can_have(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(COMMANDS[command]("b\0.c")) == 1
    assert ":1:1: error: " in capsys.readouterr().err


@pytest.mark.parametrize("asks", ['#include "{}"', "#embed <{}>", '#embed "{}"'])
@pytest.mark.parametrize("file", ["/dev/zero", "fifo.c", "big.c"])
def test_nor_is_it_included(
    asks: str, file: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "b.c").write_text(f"{asks.format(file)}\nint y;\n")
    assert main(["expand", "b.c"]) == 1
    assert "error: " in capsys.readouterr().err


ENTRY = '{"directory": ".", "file": "a.c", "arguments": %s}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 100_000, "nested without end"),
        ('[{"file": %s}]' % ("1" * 5000), "a number too long"),
        ("[%s]" % (ENTRY % r'["cc", "-I/\u0000x"]'), "a word that no command line can have"),
        ("[%s]" % (ENTRY % r'["cc", "-I/\ud800x"]'), "a word that no command line can have"),
        ("[%s]" % (ENTRY % json.dumps(["cc", "-DA=" + "y" * (1 << 21)])), "a word that no command"),
    ],
    ids=["nested", "digits", "null", "surrogate", "long"],
)
def test_a_damaged_database_is_refused_where_it_is_named_and_passed_over_where_it_is_found(
    text: str, why: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "compile_commands.json").write_text(text)
    assert main(["expand", "a.c", "-p", "."]) == 1
    said = capsys.readouterr().err
    assert said.startswith("compile_commands.json:1:2: error: ")
    assert why in said
    assert main(["expand", "a.c", "-P"]) == 0
    assert capsys.readouterr().out == "int x = 1;\n"


@pytest.mark.parametrize("file", ["/dev/zero", "fifo.c", "big.c"])
def test_nor_are_words_read_from_it(
    file: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "compile_commands.json").write_text(f"[{ENTRY % json.dumps(['cc', '@' + file])}]")
    assert main(["expand", "a.c", "-P", "-p", "."]) == 0
    assert capsys.readouterr().out == "int x = 1;\n"


def test_a_header_is_looked_for_in_no_pipe(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "h.h").write_text("#define B 2\nint y = B;\n")
    entry = json.dumps([{"directory": ".", "file": "fifo.c", "arguments": ["cc", "-DC"]}])
    (here / "compile_commands.json").write_text(entry)
    assert main(["expand", "h.h", "-P"]) == 0
    assert capsys.readouterr().out == "int y = 2;\n"


@pytest.mark.parametrize("place", ["a.c:" + "1" * 5000, "a.c:2:" + "1" * 5000, "~nosuchuser/a.c:1"])
@pytest.mark.parametrize("command", ["steps", "why"])
def test_a_place_that_is_none(place: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, place]) in (1, 2)
    assert "error: " in capsys.readouterr().err


def test_response_files_that_name_each_other_have_an_end(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten times each, eight deep: a hundred million. And many entries are read once each, not all of
    those before it again."""
    (here / "r").write_text("@r " * 10 + "-DB=2")
    entry = json.dumps({"directory": ".", "file": "a.c", "arguments": ["cc", "@r"]})
    others = json.dumps({"directory": ".", "file": "b.c", "arguments": ["cc"]})
    (here / "a.c").write_text("int x = B;\n")
    (here / "compile_commands.json").write_text(f"[{', '.join([others] * 50_000)}, {entry}]")
    assert main(["expand", "a.c", "-P", "-p", "."]) == 0
    assert capsys.readouterr().out == "int x = 2;\n"


def test_standard_input_without_an_end_is_not_read_for_ever(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            assert size >= 0
            return b"\n" * size

    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=Endless()))
    assert main(["expand", "-"]) == 1
    said = "<stdin>:1:1: error: cannot be read: it is larger than 64 MB\n"
    assert capsys.readouterr().err == said
