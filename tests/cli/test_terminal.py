"""What a terminal is shown, and a pipe is not."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import termios
from pathlib import Path

import pytest

import visualizer
from visualizer.commands.command_line import COMMANDS
from visualizer.commands.terminal import wrapped
from visualizer.workbench.samples import samples_folder

BITWISE = samples_folder() / "phi" / "bitwise_kernel.cc"


def on_a_terminal(*words: str, code: int = 0, **given: str) -> list[str]:
    """The lines of a command whose output and errors are a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm", **given}
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
    assert process.returncode == code, text
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


def test_what_is_being_done_stays_in_its_row(tmp_path: Path) -> None:
    """What went on in the next one could not be taken away again."""
    name = f"{'long' * 30}.cc"
    (tmp_path / name).write_text("int a;\n")
    lines = on_a_terminal("run", "trace", "--file", str(tmp_path / name), code=1)
    doing = [part for line in lines for part in line.split("\x1b[K") if "reading" in part]
    assert doing
    assert all(len(part.rstrip("\r")) < 80 and part.rstrip("\r").endswith(" …") for part in doing)


def test_steps_on_a_terminal_go_on_behind_their_bars() -> None:
    lines = on_a_terminal("steps", f"{BITWISE}:72")
    words = (line.strip(" │") for line in lines if len(line) > 80)
    assert not any(" " in word for word in words)  # what is one word stays whole
    assert any(re.match(r" +(│ )+\w", line) for line in lines)


WRONG = """\
#define ADD(a, b) ((a) + (b))
#define WRAP(x) ADD(x)
\tint a = ADD(1, 二, 3);
int b = WRAP(4);
"""
SHOWN = """\
{0}:3:10: error: macro "ADD" passed 3 arguments, but takes just 2
    3 |  int a = ADD(1, 二, 3);
      |          ^~~~~~~~~~~~~
      |              1  2   3
      = argument 1 is a: 1
      = argument 2 is b: 二
      = argument 3 has no parameter: 3
      = ADD(a, b) is defined at {0}:1
{0}:4:9: error: macro "ADD" requires 2 arguments, but only 1 given
    4 | int b = WRAP(4);
      |         ^~~~
      |              1
      = argument 1 is a: 4
      = ADD(a, b) is defined at {0}:1
{0}:2:22: note: no argument is left for b
    2 | #define WRAP(x) ADD(x)
      |                      ^
{0}:4:9: note: in expansion of macro 'WRAP'
"""


@pytest.fixture
def wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "a.cc").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    return "a.cc"


def test_a_terminal_shows_the_source_of_an_error(wrong: str) -> None:
    lines = on_a_terminal("expand", "-P", wrong, code=1, NO_COLOR="1")
    assert "\n".join(lines[2:]) == SHOWN.format(wrong)


def test_colour_changes_no_word(wrong: str) -> None:
    coloured = "\n".join(on_a_terminal("expand", "-P", wrong, code=1, NO_COLOR=""))
    assert "\x1b[1;31merror:\x1b[m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured).endswith(SHOWN.format(wrong))
    dumb = "\n".join(on_a_terminal("expand", "-P", wrong, code=1, TERM="dumb"))
    assert dumb.endswith(SHOWN.format(wrong))


def test_a_pipe_gets_what_editors_parse(wrong: str) -> None:
    command = [sys.executable, "-m", "visualizer", "expand", "-P", wrong]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert all(re.match(r"a\.cc:\d+:\d+: (error|note): ", line) for line in lines)
    assert [line for line in lines if " error: " in line] == [
        'a.cc:3:10: error: macro "ADD" passed 3 arguments, but takes just 2 '
        "(ADD(a, b) is defined at a.cc:1)",
        'a.cc:4:9: error: macro "ADD" requires 2 arguments, but only 1 given '
        "(ADD(a, b) is defined at a.cc:1)",
    ]


def test_a_long_line_is_shown_around_its_caret(wrong: str) -> None:
    text = "int x; " * 40
    Path(wrong).write_text(f"#define F() 1\n{text}F(2); {text}\n")
    lines = on_a_terminal("expand", "-P", wrong, code=1, NO_COLOR="1")
    at = next(i for i, line in enumerate(lines) if ": error: " in line)
    source, caret = lines[at + 1 : at + 3]
    assert len(source) <= 80
    assert source[caret.index("^") :].startswith("F(2)")


def test_a_strangers_text_moves_no_cursor(wrong: str) -> None:
    Path(wrong).write_text("#define F() 1\nF(\x1b[2J);\n")
    shown = "\n".join(on_a_terminal("kernels", wrong, code=1, NO_COLOR="1"))
    assert "F(·[2J);" in shown
    assert "\x1b[2J" not in shown


def test_what_was_typed_in_is_shown_too(tmp_path: Path) -> None:
    script = f"echo '#define F() 1|F(2);' | tr '|' '\\n' | {sys.executable} -m visualizer expand -"
    done = subprocess.run(
        ["script", "-qec", script, "/dev/null"],
        env={**os.environ, "NO_COLOR": "1", "TERM": "xterm"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "    2 | F(2);" in done.stdout


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


def test_the_lessons_fit_the_terminal_with_what_each_is_about() -> None:
    lines = on_a_terminal("lessons", "macros")
    assert max(map(len, lines)) <= 80
    piped = subprocess.run(
        [sys.executable, "-m", "visualizer", "lessons", "macros"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert " ".join(" ".join(lines).split()) == " ".join(piped.stdout.split())
    assert max(map(len, piped.stdout.splitlines())) > 80  # a lesson is a line there


@pytest.mark.parametrize(
    "words",
    [
        ("kernels", str(BITWISE)),
        ("kernels", str(samples_folder() / "aten" / "myops.cc")),
        ("kernels", str(samples_folder() / "fluid" / "trace_op.cc")),
        ("survey", str(samples_folder() / "phi")),
    ],
)
def test_a_listing_fits_the_terminal_and_tells_all(words: tuple[str, ...]) -> None:
    progress = re.compile(r".*\x1b\[[?\d;]*[A-Za-z]")  # what was there until the table came
    lines = [progress.sub("", line) for line in on_a_terminal(*words)]
    assert [line for line in lines if len(line) > 80 and " " in line.strip()] == []
    piped = subprocess.run(
        [sys.executable, "-m", "visualizer", *words], capture_output=True, text=True, check=True
    )
    assert set(" ".join(lines).split()) == set(piped.stdout.split())
    assert max(map(len, piped.stdout.splitlines())) > 80  # a key is a line there


def test_a_migration_is_told_whole_in_a_pipe_and_in_short_on_a_terminal() -> None:
    words = ("migrate", str(samples_folder() / "fluid" / "trace_op.cc"), "--check")
    assert any("…" in line for line in on_a_terminal(*words))
    piped = subprocess.run(
        [sys.executable, "-m", "visualizer", *words], capture_output=True, text=True, check=True
    )
    assert "…" not in piped.stdout


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_the_terminal(command: str) -> None:
    lines = on_a_terminal(*command.split(), "--help")
    # An example stays one line, and so does a line with a path of this machine's.
    ours = str(Path(visualizer.__file__).parent)
    copied = [line for line in lines if line.startswith("  unfold ") or ours in line]
    assert copied
    assert [line for line in lines if len(line) > 80 and line not in copied] == []
    beside = [line for line in copied if "  " in line.strip()]
    assert [line for line in beside if len(line) > 80] == []
