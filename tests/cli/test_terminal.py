"""What a terminal is shown, and a pipe is not."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest

from visualizer.commands.terminal import wrapped
from visualizer.workbench.samples import samples_folder

BITWISE = samples_folder() / "phi" / "bitwise_kernel.cc"


def on_a_terminal(*words: str) -> list[str]:
    """The lines of a command whose output and errors are a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
    command = [sys.executable, "-m", "visualizer", *words]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        text = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # Linux's way to say that the other end is closed
                break
            if not piece:
                break
            text += piece
    os.close(ours)
    assert process.returncode == 0, text
    return text.decode().replace("\r\n", "\n").split("\n")


def test_a_story_breaks_between_words_and_tells_what_it_waits_for() -> None:
    words = ("run", "trace", "--file", str(samples_folder() / "fluid" / "trace_op.cc"), "--story")
    first, *lines = on_a_terminal(*words)
    assert "reading trace_op.cc …" in first
    assert first.endswith(lines[0]) or "\x1b[K1. " in first  # which is gone when the story begins
    shown = [re.sub(r".*\x1b\[K", "", line) for line in (first, *lines)]
    assert max(map(len, shown)) <= 80
    piped = subprocess.run(
        [sys.executable, "-m", "visualizer", *words], capture_output=True, text=True, check=True
    )
    assert piped.stderr == ""
    assert " ".join(" ".join(shown).split()) == " ".join(piped.stdout.split())
    assert max(map(len, piped.stdout.splitlines())) > 80


def test_steps_on_a_terminal_go_on_behind_their_bars() -> None:
    lines = on_a_terminal("steps", f"{BITWISE}:72")
    words = (line.strip(" │") for line in lines if len(line) > 80)
    assert not any(" " in word for word in words)  # what is one word stays whole
    assert any(re.match(r" +(│ )+\w", line) for line in lines)


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("short", ["short"]),
        ("12. " + "word " * 12, ["12. " + "word " * 6 + "word", "    word word word word word"]),
        ("│ │ " + "word " * 9, ["│ │ " + "word " * 6 + "word", "│ │ word word"]),
        ("7 │ " + "word " * 9, ["7 │ " + "word " * 6 + "word", "  │ word word"]),
        ("x" * 50 + " end", ["x" * 50, "end"]),
        ("  " + "x" * 50, ["  " + "x" * 50]),
    ],
)
def test_a_row_ends_with_a_word(line: str, rows: list[str]) -> None:
    assert wrapped(line.rstrip(), 40) == rows
