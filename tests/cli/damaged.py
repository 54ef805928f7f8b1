"""Damaged files through every subcommand: python -m tests.cli.damaged N [SEED]

Bytes of samples and of lessons' files are changed, taken out, repeated, or put in from elsewhere, and
the whole is given in turn to each command that reads a file, `open` on a screen that nobody sees; in
this process, with limits on time and on memory. What may come of it is output and messages, each with
its place. Anything else is printed, with the text that did it: a traceback, an exit code that is none,
an error without a place, a command that takes too long. The same seed damages the same way. What was
found is kept, as small texts, in `test_damaged.py`.
"""

from __future__ import annotations

import asyncio
import io
import os
import random
import re
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

from tests.tui.settled import settled
from visualizer.cli import main
from visualizer.tui.app import UnfoldApp
from visualizer.workbench.opening import Opening
from visualizer.workbench.samples import lessons_folder, samples_folder

SECONDS = 60
MEMORY = 2 * 2**30
LARGEST = 60_000  # bytes of a file that is damaged
CODES = (0, 1, 2, 3)
LOCATED = re.compile(r"unfold: error: |.+?:\d+(:\d+)?: ")
PIECES = b"""#define |#if |#endif
|#include |##|#|(|)|{|}|<|>|::|...|__VA_ARGS__|__VA_OPT__(|template <|\\
|"|'|/*|//|R"(|\0|\xff|\xed\xa0\x80|\xef\xbb\xbf|\x1b[31m|0x|1e+|namespace |;|,|->|[[|operator""".split(
    b"|"
)

COMMANDS: dict[str, Callable[[str, int], list[str]]] = {
    "expand": lambda file, line: ["expand", file, "-P"],
    "steps": lambda file, line: ["steps", f"{file}:{line}"],
    "steps md": lambda file, line: ["steps", f"{file}:{line}", "--format", "md"],
    "steps html": lambda file, line: ["steps", f"{file}:{line}", "--format", "html"],
    "steps svg": lambda file, line: ["steps", f"{file}:{line}", "--format", "svg", "--step", "2"],
    "steps json": lambda file, line: ["steps", file, "--format", "json"],
    "conditionals": lambda file, line: ["steps", file, "--conditionals", "--includes"],
    "why": lambda file, line: ["why", f"{file}:{line}"],
    "kernels": lambda file, line: ["kernels", file],
    "kernels json": lambda file, line: ["kernels", file, "--format", "json"],
    "select": lambda file, line: ["kernels", file, "--select", "relu:CPU:float32"],
    "run": lambda file, line: ["run", "no_such_kernel", "--file", file],
    "survey": lambda file, line: ["survey", file, "-j", "1"],
    "migrate": lambda file, line: ["migrate", file],
    "check": lambda file, line: ["migrate", file, "--check"],
    "lesson": lambda file, line: ["lesson", file],
    "bench": lambda file, line: ["bench", "bitwise_and", "--compare", file],
    "serve": lambda file, line: ["serve", file, "--password-file", file],
    "open": lambda file, line: ["open", f"{file}:{line}"],
}
KEYS = ("right", "down", "2", "3", "v", "c", "n", "w", "escape", "end", "u", "escape", "?")


class TooLong(BaseException):
    """Not an Exception: nobody catches it on the way."""


def whole() -> list[bytes]:
    folders = (samples_folder(), lessons_folder())
    paths = [p for folder in folders for p in sorted(folder.rglob("*")) if p.is_file()]
    named = [p for p in paths if p.suffix in (".c", ".cc", ".h", ".cu", ".md")]
    texts = [path.read_bytes() for path in named]
    return [text for text in texts if text and len(text) < LARGEST]


def damaged(text: bytes, others: list[bytes], chance: random.Random) -> bytes:
    data = bytearray(text)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((1, 1, 4, 40, 400)))
        match chance.randrange(6):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[at:end]
            case 2:
                data[at:at] = data[at:end] * chance.choice((1, 2, 50))
            case 3:
                data[at:at] = chance.choice(PIECES) * chance.choice((1, 1, 1, 3, 300))
            case 4:
                other = chance.choice(others)
                start = chance.randrange(len(other))
                data[at:at] = other[start : start + 300]
            case 5:
                del data[at:]
    return bytes(data)


def wrong(command: str, file: str, line: int) -> str:
    """What is wrong with what the command does; empty if nothing is."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(2))

    def too_long(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(SECONDS)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            words = COMMANDS[command](file, line)
            code: object = asyncio.run(opened(file, line)) if command == "open" else main(words)
    except SystemExit as ended:
        code = ended.code
    except TooLong:
        return f"takes longer than {SECONDS} s\n{traceback.format_exc()[-1500:]}"
    except BaseException:
        return traceback.format_exc()[-3000:]
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    printed, said = _written(out), _written(err)
    if code not in CODES:
        return f"exit code {code!r}: {said[-500:]}"
    if "Traceback" in said:
        return said[-3000:]
    if code == 1 and not said and not printed:
        return "it fails without a word"
    unplaced = [s for s in said.splitlines() if "error: " in s and not LOCATED.match(s)]
    return f"an error without a place: {unplaced[0]}" if unplaced else ""


async def opened(file: str, line: int) -> int:
    """What `unfold open` does on a screen, and on some keys there; it is not drawn."""
    app = UnfoldApp(opening=Opening(Path(file), line))
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        for key in KEYS:
            if app._exit:
                break
            await pilot.press(key)
            await settled(pilot)
    if app.refused is not None:
        print(app.refused, file=sys.stderr)
    return int(app.refused is not None)


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8", "replace")


def rounds(seed: int, count: int) -> Iterator[tuple[int, str, bytes, str]]:
    """What fell: the number, the command, the text, and why."""
    texts = whole()
    names = list(COMMANDS)
    for number in range(seed, seed + count):
        chance = random.Random(number)
        text = damaged(chance.choice(texts), texts, chance)
        command = names[number % len(names)]
        file = (
            "lesson.md" if command == "lesson" else chance.choice(("x.cc", "x.c", "x_op.cc", "x.h"))
        )
        Path(file).write_bytes(text)
        why = wrong(command, file, chance.randint(1, text.count(b"\n") + 1))
        if why:
            yield number, command, text, why
        Path(file).unlink()


def program() -> int:
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    fallen = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"UNFOLD_CONFIG_DIR": f"{folder}/settings", "HOME": folder}
        os.chdir(folder)
        for number, command, text, why in rounds(seed, count):
            fallen += 1
            kept = Path(tempfile.gettempdir(), f"damaged-{number}")
            kept.write_bytes(text)
            print(f"--- {number}: unfold {command}, on {kept}\n{why}\n", flush=True)
        os.chdir("/")
    print(f"{count} damaged files from {seed} on: {fallen} fell")
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(program())
