"""How long it takes from the command to the first picture, on a terminal of its own."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

BITWISE = Path(__file__).parents[2] / "cpp_samples" / "phi" / "bitwise_kernel.cc"
TRIES, LIMIT = 4, 0.5


def seconds_until(text, *words):
    """From starting `unfold` with these words until it has drawn this text: by the clock, and of
    the processor's time. They are the same where nothing else runs."""
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    begin = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", "from visualizer.cli import main; main()", *words],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    os.close(terminal)
    drawn = b""
    try:
        while text not in drawn:
            if not select.select([screen], [], [], 20)[0]:
                raise AssertionError(f"nothing more is drawn after {drawn[-200:]!r}")
            drawn += os.read(screen, 65_536)
        return time.monotonic() - begin, processor_time(process.pid)
    finally:
        process.kill()
        process.wait()
        os.close(screen)


def processor_time(process):
    """Of a process that runs: fields 14 and 15 of Linux's stat, behind a name that may hold blanks."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize(
    ("text", "words"),
    [(b"Open a file", []), (b"Reading", ["open", str(BITWISE)])],
    ids=["home", "a file"],
)
def test_the_first_picture_is_there_within_half_a_second(text, words, capsys):
    clock, processor = min(seconds_until(text, *words) for _ in range(TRIES))
    with capsys.disabled():
        print(f" {clock * 1000:.0f} ms, {processor * 1000:.0f} of them computing ", end="")
    assert processor < LIMIT  # the clock's, if nothing else runs on this machine
