"""Every file of a build as its own compiler preprocesses it, token for token.

    python tests/benchmarks/whole_builds.py redis/compile_commands.json libuv/build --at-most 50

For each file of each database, its first entry counts. The entry's compiler is run in its folder with
its words and `-E -P -w`, without those that compile, name an output or write dependencies;
`unfold expand -P -p DATABASE FILE` is run beside it. Both are told the same `__DATE__` and `__TIME__`.
What each prints is read into tokens by one lexer, pragmas among them, and only the order of their
spellings counts. A file is *equal*; *refused* by both, with an exit code that is not 0; or *different*,
and then the first token that differs is told, or who refused it and why. What is printed is a table for
`RESULTS.md`; the exit code is 1 where a file is different.

It fetches and builds nothing. A database comes of cmake's `-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, of
`bear -- make`, or of a script that reads `make -n`.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from visualizer.expansion.lexer import tokenize

UNFOLD = (sys.executable, "-c", "import sys; from visualizer.cli import main; sys.exit(main())")
BOTH = ('-D__DATE__="Jan  1 2000"', '-D__TIME__="00:00:00"')
_WITH_OPERAND = ("-o", "-MF", "-MT", "-MQ", "-MJ")
_LEFT_OUT = ("-c", "-S", "-MD", "-MMD", "-MP", "-MG", "-M", "-MM", "-save-temps")
_TOO_LONG = 600  # seconds


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a database, and how it is compiled."""

    database: Path
    file: Path
    folder: Path
    words: tuple[str, ...]

    def by_the_compiler(self) -> list[str]:
        words = iter(self.words[1:])
        kept: list[str] = []
        for word in words:
            if word in _WITH_OPERAND:
                next(words, "")
            elif word not in _LEFT_OUT and not word.startswith(("-Wp,-M", "-o")):
                kept.append(word)
        return [Path(self.words[0]).name, *kept, "-E", "-P", "-w", *BOTH]

    def by_us(self) -> list[str]:
        return [*UNFOLD, "expand", "-P", "-p", str(self.database), *BOTH, str(self.file)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("databases", nargs="+", type=Path, metavar="DATABASE")
    parser.add_argument(
        "--at-most", type=int, default=1_000_000, help="files of each, spread evenly"
    )
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    print("| database | files | equal | refused by both | different |\n|---|---|---|---|---|")
    wrong = 0
    for database in given.databases:
        each = spread(list(entries(database)), given.at_most)
        with ThreadPoolExecutor(given.jobs) as pool:
            found = list(zip(each, pool.map(compared, each), strict=True))
        kinds = Counter(kind for _, (kind, _) in found)
        cells = [len(found), *(kinds[kind] for kind in ("equal", "refused", "different"))]
        print(f"| {database} | {' | '.join(map(str, cells))} |", flush=True)
        for entry, (kind, said) in found:
            if kind == "different":
                print(f"{entry.file}: {said}", file=sys.stderr, flush=True)
                wrong = 1
    return wrong


def entries(database: Path) -> Iterator[Entry]:
    """The first entry of each file whose compiler is here."""
    database = (database / "compile_commands.json" if database.is_dir() else database).absolute()
    seen: set[Path] = set()
    for row in json.loads(database.read_text()):
        folder = database.parent / row.get("directory", "")
        file = Path(os.path.normpath(folder / row["file"]))
        words = row.get("arguments") or shlex.split(row["command"])
        if file not in seen and shutil.which(Path(words[0]).name):
            seen.add(file)
            yield Entry(database, file, folder, tuple(words))


def spread(each: list[Entry], at_most: int) -> list[Entry]:
    if len(each) <= at_most:
        return each
    return [each[i * len(each) // at_most] for i in range(at_most)]


def compared(entry: Entry) -> tuple[str, str]:
    """What it is, and of a different one what differs."""
    theirs, ours = (printed(entry, words) for words in (entry.by_the_compiler(), entry.by_us()))
    if theirs.returncode and ours.returncode:
        return "refused", ""
    for whose, done in (("the compiler", theirs), ("unfold", ours)):
        if done.returncode:
            return "different", f"refused by {whose}: {_error(done.stderr)}"
    for n, (a, b) in enumerate(zip_longest(tokens(ours.stdout), tokens(theirs.stdout))):
        if a != b:
            return "different", f"token {n} is {a!r}, and to the compiler {b!r}"
    return "equal", ""


def printed(entry: Entry, words: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            words,
            cwd=entry.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=_TOO_LONG,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", f"error: {_TOO_LONG} seconds are over")


def tokens(text: str) -> list[str]:
    return [token.text for line in tokenize(text, "") for token in line]


def _error(said: str) -> str:
    return next((line for line in said.splitlines() if "error: " in line), said[-300:])


if __name__ == "__main__":
    sys.exit(main())
