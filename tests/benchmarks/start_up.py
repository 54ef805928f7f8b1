"""What somebody at a terminal waits for: a command's answer, the stepper's first picture.

    python tests/benchmarks/start_up.py [--turns 5]

It fetches nothing. A picture is there when the terminal, 120 by 40, was sent what is waited for: the
macro's name, in the line that is stepped through. Modules are compiled before. What is printed is a
table for `RESULTS.md`: of each the least of the clock, and of the CPU seconds that were used by then.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import tempfile
import termios
import time
from collections.abc import Sequence
from pathlib import Path

from whole_files import REGISTRATION, SAMPLES, UNFOLD

PLAIN = "#define SQUARE(x) ((x) * (x))\nint nine = SQUARE(3);\n"
PATIENCE = 120.0  # seconds, after which nobody waits any more


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="unfold-bench-") as folder:
        os.environ |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{folder}/compiled"}
        os.environ["UNFOLD_CONFIG_DIR"] = os.environ["XDG_CACHE_HOME"] = folder
        os.environ["TERM"] = "xterm-256color"
        print("| waited for | clock | CPU |\n|---|---|---|", flush=True)
        for name, words, shown in rows(Path(folder)):
            if given.only not in name:
                continue
            waits = [wait(words, shown) for _ in range(given.turns + 1)][1:]
            clock, used = map(min, zip(*waits, strict=True))
            print(f"| {name} | {clock:.2f} s | {used:.2f} s |", flush=True)


def rows(folder: Path) -> Sequence[tuple[str, Sequence[str], bytes]]:
    """What is waited for, the command, and what it shows then; nothing: its end."""
    (plain := folder / "plain.c").write_text(PLAIN)
    sample, phi = SAMPLES / "phi/bitwise_kernel.cc", ("-I", str(SAMPLES / "phi"))
    many = folder / "many.cc"
    lines = (REGISTRATION.format(n) for n in range(3_000))
    many.write_text('#include "kernel_registry.h"\n' + "".join(lines))
    return [
        ("`unfold --version`", [*UNFOLD, "--version"], b""),
        ("`steps` of two lines", [*UNFOLD, "steps", str(plain)], b""),
        ("`steps` of a sample", [*UNFOLD, "steps", str(sample)], b""),
        ("`steps` of one of 3,000", [*UNFOLD, "steps", f"{many}:7506", *phi], b""),
        ("two lines, opened", [*UNFOLD, "open", str(plain)], b"SQUARE"),
        ("a sample, opened", [*UNFOLD, "open", str(sample)], b"PD_REGISTER_KERNEL"),
        ("3,000 registrations, opened", [*UNFOLD, "open", str(many), *phi], b"PD_REGISTER_KERNEL"),
        (
            "the same, at a line",
            [*UNFOLD, "open", f"{many}:7506", *phi],
            b"PD_REGISTER_KERNEL",
        ),
    ]


def wait(words: Sequence[str], shown: bytes) -> tuple[float, float]:
    """By the clock, and of the processor."""
    began = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.execvp(words[0], list(words))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    read = b""
    while time.perf_counter() - began < PATIENCE:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            read += os.read(terminal, 1 << 16)
        except OSError:  # the other end is closed
            break
        if shown and shown in read:
            break
    clock = time.perf_counter() - began
    if shown and shown not in read and clock < PATIENCE:
        raise SystemExit(f"{words[3:]} showed something else: {read[-400:]!r}")
    used = sum(
        map(float, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13])
    )
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    os.close(terminal)
    return clock, used / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
