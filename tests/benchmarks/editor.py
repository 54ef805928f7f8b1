"""The editor's server with real headers: `python tests/benchmarks/editor.py` prints a table.

A hover is asked as an editor asks it, over a pipe: where the text hasn't changed, and right behind an
edit, before all of it is read. Then come thousands of edits, each half of them undone by the next, and
what the server holds is told before and after. The headers are those of `real_headers`; the files, the
same registrations. `--edits N` for other than 10,000.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1] / "editor"))

from wire import Editor, started

from tests.benchmarks.real_headers import FILES
from tests.real.frameworks import folders

ROUNDS = 60


def milliseconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def held(editor: Editor) -> float:
    """MB that are resident and not shared."""
    resident, shared = Path(f"/proc/{editor.process.pid}/statm").read_text().split()[1:3]
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE") / 2**20


def spent(editor: Editor) -> float:
    """Milliseconds of CPU time that the server has taken so far."""
    words = Path(f"/proc/{editor.process.pid}/stat").read_text().rpartition(")")[2].split()
    return 1000 * sum(map(int, words[11:13])) / os.sysconf("SC_CLK_TCK")


def insert(editor: Editor, uri: str, line: int, text: str, over: int = 0) -> None:
    place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": over}}
    editor.change(uri, {"range": place, "text": text})


def measured(name: str, text: str, flags: list[str], edits: int) -> None:
    with tempfile.TemporaryDirectory() as folder, started(Path(folder), *flags) as editor:
        uri = editor.open(Path(folder, "main.cc"), text)
        row = next(i for i, r in enumerate(text.split("\n")) if r.startswith(("PD_", "TORCH_L")))
        first = milliseconds(lambda: editor.hover(uri, row, 4))
        same = [milliseconds(lambda: editor.hover(uri, row, 4)) for _ in range(ROUNDS)]
        after, cpu = [], 0.0
        for n in range(ROUNDS):
            insert(editor, uri, row, "int x; " if n % 2 == 0 else "", 0 if n % 2 == 0 else 7)
            place, begun = 4 + 7 * (n % 2 == 0), spent(editor)
            after.append(milliseconds(partial(editor.hover, uri, row, place)))
            cpu += spent(editor) - begun
            editor.ask("textDocument/documentSymbol", textDocument={"uri": uri})  # all is read
        before = held(editor)
        seen = [before]
        for n in range(edits):
            insert(editor, uri, row, "int x; " if n % 2 == 0 else "", 0 if n % 2 == 0 else 7)
            if n % 50 == 49:
                editor.ask("textDocument/documentSymbol", textDocument={"uri": uri})
            if n % max(edits // 5, 1) == 0:
                seen.append(held(editor))
        seen.append(held(editor))
    after.sort()
    tail = after[len(after) * 95 // 100]
    memory = " ".join(f"{mb:.0f}" for mb in seen)
    print(f"| {name} | {first:.0f} | {statistics.median(same):.1f} |", end="")
    print(
        f" {statistics.median(after):.0f} | {tail:.0f} | {cpu / ROUNDS:.0f} | {memory} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--edits", type=int, default=10_000)
    edits = parser.parse_args().edits
    print(
        "| headers | first, ms | unchanged (≤ 5) | edited, median (≤ 50) | 95 % (≤ 200) | CPU | MB |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, text, wheel, variable in FILES:
        flags = [f"-I{folder}" for folder in folders(wheel, variable)]
        measured(name, text, flags, edits)


if __name__ == "__main__":
    main()
