"""A child may do what it likes: its parent goes on, and says what became of it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from registry_runtime.native.child import Ended, Limits, Stopped, run_child
from tests.waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX's")


def python(code: str, folder: Path, limits: Limits | None = None, **more: object) -> Ended:
    command = [sys.executable, "-I", "-S", "-c", code]
    return run_child(command, limits or Limits(seconds=30), folder, **more)  # type: ignore[arg-type]


def test_what_it_prints_and_its_exit_code_come_back(tmp_path: Path) -> None:
    code = "import os, sys; print(os.getcwd()); print(input(), file=sys.stderr); sys.exit(3)"
    ended = python(code, tmp_path, given=b"given\n")
    assert (ended.code, ended.out, ended.err) == (3, f"{tmp_path}\n".encode(), b"given\n")
    assert ended.stopped is None
    assert not ended.signal


def test_one_that_never_ends_is_ended(tmp_path: Path) -> None:
    ended = python("while True: pass", tmp_path, Limits(seconds=0.3))
    assert ended.stopped is Stopped.TIME


async def test_its_children_end_with_it(tmp_path: Path) -> None:
    code = "import os, time; os.fork() or print(os.getpid(), flush=True); time.sleep(600)"
    pid = int(python(code, tmp_path, Limits(seconds=1)).out)
    await until(lambda: not alive(pid))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_who_waits_for_the_processor_has_time(tmp_path: Path) -> None:
    """A compiler on a busy machine: its seconds are those of a processor."""
    ended = run_child(["/bin/sleep", "0.3"], Limits(seconds=0.1, patience=1000), tmp_path)
    assert (ended.code, ended.stopped) == (0, None)


def test_one_that_prints_without_end_is_ended_and_little_of_it_kept(tmp_path: Path) -> None:
    ended = python("while True: print('x' * 1000)", tmp_path, Limits(seconds=30, output=10_000))
    assert ended.stopped is Stopped.OUTPUT
    assert len(ended.out) == 10_000


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere address space has no limit")
def test_memory_without_end_is_refused(tmp_path: Path) -> None:
    code = "x = []\nwhile True: x.append(bytearray(1 << 24))"
    ended = python(code, tmp_path, Limits(seconds=30, memory=300 << 20))
    assert ended.code == 1
    assert b"MemoryError" in ended.err


def test_a_large_file_is_refused(tmp_path: Path) -> None:
    code = "open('f', 'wb').write(bytes(1 << 20))"
    ended = python(code, tmp_path, Limits(seconds=30, file=1 << 16))
    assert ended.code or ended.signal
    assert (tmp_path / "f").stat().st_size <= 1 << 16


def test_the_signal_that_ended_it_is_named(tmp_path: Path) -> None:
    code = f"import os; os.kill(os.getpid(), {int(signal.SIGSEGV)})"
    assert python(code, tmp_path).signal == "SIGSEGV"


def test_it_is_called_off_and_tells_how_long_it_takes(tmp_path: Path) -> None:
    told: list[float] = []
    ended = python(
        "import time; time.sleep(600)", tmp_path, progress=told.append, cancelled=lambda: bool(told)
    )
    assert ended.stopped is Stopped.CANCELLED
    assert told


def test_no_order_reaches_it_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CPATH", "/elsewhere")
    ended = python("import os; print(os.environ.get('CPATH'))", tmp_path)
    assert ended.out == b"None\n"


# Under nohup, SIGHUP is ignored by all that is started.
PARENT = """
import signal, sys
from registry_runtime.native.child import Limits, run_child
code = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(600)"
signal.signal(int(sys.argv[2]), signal.SIG_DFL)
run_child([sys.executable, "-S", "-c", code], Limits(seconds=600), sys.argv[1])
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_what_ends_the_parent_ends_the_child(tmp_path: Path, number: int) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, tmp_path, str(int(number))])
    pid = tmp_path / "pid"
    await until(lambda: pid.exists() and pid.read_text())
    parent.send_signal(number)
    assert parent.wait() == 128 + number
    await until(lambda: not alive(int(pid.read_text())))
