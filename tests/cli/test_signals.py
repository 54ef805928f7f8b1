"""Signals: whoever ends the app gets the terminal back, and the reader's work is kept."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a Unix terminal's")

ROOT = Path(__file__).parents[2]
ALTERNATE_SCREEN, BACK = b"\x1b[?1049h", b"\x1b[?1049l"


def read_until(terminal: int, wanted: bytes, seen: bytes = b"") -> bytes:
    """What the app has drawn, up to `wanted`, or all where that never comes."""
    with suppress(OSError):  # how the end of a terminal reads on Linux
        while wanted not in seen and (piece := os.read(terminal, 65536)):
            seen += piece
    assert wanted in seen, seen[-2000:]
    return seen


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_put_back_and_the_draft_kept(number: int, tmp_path: Path) -> None:
    (tmp_path / "a.cc").write_text("#define ONE 1\nint a = ONE;\n")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, 120))
    before = termios.tcgetattr(theirs)
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("UNFOLD")},
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    with subprocess.Popen(
        [sys.executable, "-m", "visualizer", "a.cc"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env=environment,
        start_new_session=True,
    ) as app:
        drawn = read_until(ours, b"invocation")
        assert ALTERNATE_SCREEN in drawn
        os.write(ours, b"w")
        read_until(ours, b"Expansion")
        os.write(ours, b"QWERTY")
        read_until(ours, b"Y")
        app.send_signal(number)
        read_until(ours, BACK)
        assert app.wait(PATIENCE) == 128 + number
    now = termios.tcgetattr(theirs)
    assert now[:4] == before[:4]
    os.close(theirs)
    os.close(ours)
    (draft,) = (tmp_path / "state").rglob("drafts/*.json")
    assert "QWERTY" in draft.read_text()


def test_ctrl_c_while_a_command_is_being_imported_ends_quietly(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int a;\n")
    code = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == "visualizer.commands.expand":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from tests.waiting import PATIENCE
from visualizer.cli import main
sys.exit(main(["expand", "a.c"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        # `nohup` and shells in the background hand a SIGINT on that is ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("moment", ["visualizer.commands.command_line", "at the end"])
def test_ctrl_c_outside_of_a_command_ends_the_process(moment: str, tmp_path: Path) -> None:
    """Where Python calls what is cleaned up, an exception would be told of, and no end."""
    (tmp_path / "a.c").write_text("int a;\n")
    code = f"""
import os, signal, sys
class Interrupted:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
class Interrupting:
    def find_spec(self, name, *_):
        if name == {moment!r}:
            Interrupted()
sys.meta_path.insert(0, Interrupting())
sys.argv = ["unfold", "expand", "-P", "a.c"]
from visualizer.cli import main
code = main()
print("ended", flush=True)
Interrupted()
sys.exit(code)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    said = "" if moment != "at the end" else "int a;\nended\n"
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, said, "")


def test_ctrl_c_waits_for_nothing_that_a_command_held(tmp_path: Path) -> None:
    """To free what was read may take seconds; and what is still to be written, a pager that has stopped
    reading. What is put back at the end is."""
    code = """
import atexit, os, signal, sys
from visualizer.commands import expand
class Held:
    def __del__(self):
        print("freed", file=sys.stderr)
def run(arguments):
    held = Held()
    atexit.register(print, "put back", file=sys.stderr)
    print("not written yet")
    os.kill(os.getpid(), signal.SIGINT)
expand.run = run
sys.argv = ["unfold", "expand", "a.c"]
from visualizer.cli import main
sys.exit(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "put back\n")
