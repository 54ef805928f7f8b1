"""What a source holds never gives a terminal orders: no command prints a control character of it."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from visualizer.cli import main

CLIPBOARD = "\x1b]52;c;aGk=\x07"  # OSC 52
ORDERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")
FILE = f"""\
#define A(x) "s{CLIPBOARD}\x9b31m" x
#define PASTE(a, b) a ## b
#warning oops {CLIPBOARD}
int x = A(1 "{CLIPBOARD}\u202e");
int y = PASTE("{CLIPBOARD}", +);
REGISTER_OPERATOR(tr{CLIPBOARD}, x)
#include "no{CLIPBOARD}.h"
"""
COMMANDS = [
    "expand {}",
    "steps {}:4",
    "steps {}:5",
    "steps {}:4 --format md",
    "steps {}:4 --format html",
    "steps {}:4 --format json",
    "why {}:4",
    "why {} A",
    "why {}:4 --format json",
    "kernels {}",
    "kernels {} --select x{}",
    "migrate {} --check",
    "survey .",
    "survey . --format json",
    "run x{} --file {}",
    "expand missing{}",
]


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    name = "n\x1b]0;t\x07.cc"
    (tmp_path / name).write_text(FILE)
    return name


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_prints_a_control_character(
    command: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with suppress(SystemExit):
        main([word.replace("{}", file) for word in command.split()])
    out, err = capsys.readouterr()
    assert out + err
    assert not ORDERS.search(err)
    if not command.startswith("expand"):  # whose output is the file's own text
        assert not ORDERS.search(out)


def test_expand_prints_what_cc_prints_but_on_a_terminal(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["expand", file, "-P"])
    assert CLIPBOARD in capsys.readouterr().out
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "visualizer", "expand", file, "-P"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "NO_COLOR": "1"}
    printed = b""
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        with suppress(OSError):  # how the end of a terminal reads on Linux
            while piece := os.read(ours, 4096):
                printed += piece
    os.close(ours)
    shown = printed.decode().replace("\r\n", "\n")
    assert not ORDERS.search(shown)
    assert "·]52;c;aGk=·" in shown
