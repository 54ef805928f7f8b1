"""Random keys at random moments, over all screens: python -m tests.tui.monkey SEED ROUNDS [KEYS]

Each round starts the app somewhere and types: keys that something on the screen is bound to, keys that
go from place to place, letters, pasted text; some in bursts, before the app has looked at the first,
some a little later, and now and then the window gets another size. It may end, and say what it likes;
it may not fall, nor stop answering. The process is confined as a visitor's is (`serving.confine`), so
that nothing is written but in a folder of its own. The same seed types the same keys.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from textual import app as textual_app
from textual import events
from textual import pilot as textual_pilot
from textual.app import App
from textual.keys import _character_to_key
from textual.worker import WorkerFailed

from tests.migration.operator_text import operator_text
from tests.tui.settled import idle, settled
from visualizer.expansion.cache_folder import cache_folder
from visualizer.serving.confine import confine
from visualizer.tui.app import UnfoldApp
from visualizer.workbench.opening import Opening
from visualizer.workbench.samples import samples_folder

KEYS = 30  # in a round, if nobody says otherwise
MOST = 400.0  # seconds that a round may take: where it is quiet, three
MEMORY = 4 * 2**30
WRONG = "#define P(a, b) a##b\nint P(+, /);\n#warning soon\nint P(1);\n#if P(,1)\n#endif\n"
BODY = '    auto* x = ctx.Input<framework::Tensor>("X");\n    framework::Odd odd;\n'
WAYS = ["up", "down", "left", "right", "home", "end", "pageup", "pagedown", "tab", "shift+tab"]
WAYS += ["enter", "escape", "space", "backspace", "delete", "shift+right", "ctrl+a", "ctrl+z"]
LETTERS = "abcdefghijklmnopqrstuvwxyzPD_(){},;#\"'\\0123456789.-+*&é漢 "
PASTED = ["", "\n", "x" * 3000, "#define A A(\n", "~nosuchuser/x", "a.cc:" + "9" * 40, "\x1b[31m\0"]

Start = tuple[Callable[[], App[Any]], list[str]]


def starts(folder: Path) -> list[Start]:
    """The app, and the keys that lead on from there."""
    wrong, operator = folder / "wrong.c", folder / "scale_op.cc"
    wrong.write_text(WRONG)
    operator.write_text(operator_text(BODY))
    phi = Opening(samples_folder() / "phi" / "bitwise_kernel.cc", 70)
    aten = Opening(samples_folder() / "aten" / "add.cc")
    return [
        (UnfoldApp, []),
        (UnfoldApp, ["ctrl+o"]),
        *((lambda: UnfoldApp(opening=phi), keys) for keys in ([], ["w"], ["r"], ["s"], ["ctrl+p"])),
        (lambda: UnfoldApp(opening=phi), ["3", "enter", "r"]),
        (lambda: UnfoldApp(opening=phi), ["b"]),
        *((lambda: UnfoldApp(opening=Opening(wrong)), keys) for keys in ([], ["w"], ["v"], ["2"])),
        (lambda: UnfoldApp(opening=aten), []),
        (lambda: UnfoldApp(opening=aten), ["r"]),
        *(
            (lambda id=id: UnfoldApp(lesson=id), [])
            for id in ("macros/1", "macros/3", "phi/1", "phi/6", "aten/1", "fluid/1")
        ),
        (lambda: UnfoldApp(migrating=operator), []),
        (lambda: UnfoldApp(migrating=operator), ["s"]),
    ]


def one_key(app: App[Any], chance: random.Random) -> events.Key | events.Paste:
    """Something to type, on this screen."""
    kind = chance.random()
    if kind < 0.03:
        return events.Paste(chance.choice(PASTED))
    if kind < 0.55 and app.screen_stack:
        bound = sorted(key for key in app.screen.active_bindings if key not in ("ctrl+q", "q"))
        key = chance.choice(bound) if bound else "enter"
    elif kind < 0.85:
        key = chance.choice(WAYS)
    elif kind < 0.99:
        letter = chance.choice(LETTERS)
        return events.Key(_character_to_key(letter), letter)
    else:
        key = chance.choice(["q", "ctrl+q", "h"])
    return events.Key(key, key if len(key) == 1 else {"space": " "}.get(key))


async def play(start: Start, keys: int, chance: random.Random, typed: list[str]) -> None:
    """A round. What is typed is kept in `typed`, with the screen that it was typed on."""
    make, lead = start
    app = make()
    async with asyncio.timeout(MOST), app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        for key in lead:
            await pilot.press(key)
        for _ in range(keys):
            if app._exit:
                return
            event = one_key(app, chance)
            what = event.key if isinstance(event, events.Key) else f"paste {event.text[:20]!r}"
            typed.append(f"{type(app.screen).__name__}: {what}" if app.screen_stack else what)
            app.post_message(event)
            moment = chance.random()
            if moment < 0.02:
                size = chance.randint(1, 160), chance.randint(1, 50)
                typed.append(f"size {size}")
                await pilot.resize_terminal(*size)
            elif moment < 0.3:
                await asyncio.sleep(chance.random() ** 3 / 5)
            elif moment < 0.5:
                await asyncio.sleep(0)
        rest = asyncio.create_task(settled(pilot))
        while not (rest.done() or app._exit):
            await asyncio.sleep(0.01)
        if app._exit:
            rest.cancel()
        with suppress(asyncio.CancelledError):
            await rest


def rounds(seed: int, count: int, keys: int, folder: Path) -> Iterator[tuple[int, list[str], str]]:
    """Those that fell: the number, what was typed, and why."""
    places = starts(folder)
    for number in range(seed, seed + count):
        typed: list[str] = []
        chance = random.Random(number)
        try:
            asyncio.run(play(places[number % len(places)], keys, chance, typed))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            cause = error.error if isinstance(error, WorkerFailed) else error
            yield number, typed, "".join(traceback.format_exception(cause))


def main() -> int:
    seed, count, keys = map(int, [*sys.argv[1:], str(KEYS)][:3])
    for module in (textual_app, textual_pilot):
        setattr(module, "wait_for_idle", idle)  # noqa: B010
    began = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name, "files")
        folder.mkdir()
        os.environ |= {"UNFOLD_CONFIG_DIR": f"{name}/settings", "HOME": name, "TMPDIR": f"{name}"}
        tempfile.tempdir = name
        for editor in ("EDITOR", "VISUAL"):
            os.environ.pop(editor, None)
        os.chdir(folder)
        caches = cache_folder()
        with suppress(ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        confine(name, [caches, os.environ.get("NUMBA_CACHE_DIR", caches)])
        fallen = 0
        for number, typed, why in rounds(seed, count, keys, folder):
            fallen += 1
            print(
                f"--- round {number} fell behind: {', '.join(typed[-12:])}\n{why[-3000:]}",
                flush=True,
            )
    print(f"{count} rounds from {seed}, {fallen} fell, {time.monotonic() - began:.0f} s")
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
