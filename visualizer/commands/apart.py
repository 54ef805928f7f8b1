"""A whole command in a process of its own: one that runs the Python kernels of somebody's folder.

`unfold run NAME --kernels FILE.py` does nothing itself. It starts `apart_main` with the same words, and
limits; there the file is run, the registry filled, the kernel built, called, compared and timed as
ever, all in one process, so that a call costs what it costs and NumPy is timed beside it. What comes
back is text. A kernel that loops, crashes, prints or allocates without end ends that process, and here
it is told in a sentence, with the line that it was at.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.commands.reporting import INPUT_ERROR, complain, report
from visualizer.commands.terminal import working
from visualizer.expansion.source_files import display_path

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench

_MAIN = "visualizer.commands.apart_main"
is_apart = False  # whether this process is such a one


@dataclass(frozen=True, slots=True)
class KernelFile:
    """A file that may run, and the digest of the contents that it was said of."""

    path: Path
    digest: str


def in_its_own_process(
    arguments: argparse.Namespace, beside: Iterable[Path] = (), seconds: float = 60.0
) -> int | None:
    """Run the command there if it brings kernels: those that --kernels names, and those `beside` a
    file that the user lets run; it may take so many seconds of a processor. Returns the exit code; None
    where it brings none, or this is that process."""
    from visualizer.personal import consent

    if is_apart:
        return None
    named: list[Path] = list(arguments.kernel_files)
    files: list[KernelFile] = []
    for path in (*named, *(p for p in beside if p not in named)):
        try:
            what = consent.digest(path.read_bytes())
        except OSError as error:
            return complain(f"cannot read {display_path(path)}: {error.strerror}")
        if path in named or (not consent.why_not_here() and _may_run(path, what)):
            files.append(KernelFile(path, what))
    if not files:
        return None
    if reason := consent.why_not_here():
        return complain(reason)
    with working() as show:
        show(f"running {', '.join(file.path.name for file in files)} in a process of its own")
        return run_apart(arguments.words, files, seconds)


def _may_run(path: Path, what: str) -> bool:
    """Whether the user has said so of these contents, or says so now."""
    from visualizer.personal import consent

    if consent.is_given(what):
        return True
    shown = display_path(path)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        how = "name it with --kernels, or confirm it in a terminal"
        print(f"unfold: note: {shown} lies beside it and isn't run: {how}", file=sys.stderr)
        return False
    print(f"{shown} lies beside it. Run its Python? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        return False
    consent.give(what, path, lambda said: print(f"unfold: warning: {said}", file=sys.stderr))
    return True


def run_apart(words: Sequence[str], files: Sequence[KernelFile], seconds: float) -> int:
    """The command in a process with limits; what it printed is printed here. Returns the exit code."""
    from visualizer.workbench.python_apart import run_python

    asked = {"words": list(words), "seconds": seconds}
    asked["kernels"] = [[str(file.path), file.digest] for file in files]
    given = sys.stdin.buffer.read() if _reads_input(words) else b""
    paths = [file.path for file in files]
    ended = run_python(_MAIN, [json.dumps(asked)], paths, seconds, given)
    sys.stdout.write(ended.out.decode(errors="replace"))
    sys.stdout.flush()
    sys.stderr.write(ended.said)
    return complain(ended.fault) if ended.fault else ended.code


def _reads_input(words: Sequence[str]) -> bool:
    return any(re.search(r"=\s*-\s*(?::.*)?$", word) for word in words) and not sys.stdin.isatty()


def complain_of(error: Exception, benches: Sequence[Workbench] = (), more: str = "") -> int:
    """A kernel's error: at its line, if it is of a kernel's file, and at the token that is to blame, if
    it is of a body in one of the opened files; `more` is said behind it."""
    from registry_runtime.kernels.brought import KernelFileError
    from visualizer.workbench.refusals import located

    if (found := located(error, benches, more)) is not None:
        return report([found])
    if not isinstance(error, KernelFileError):
        return complain(f"{error}{more}")
    sys.stdout.flush()
    where = f"{display_path(error.path)}:{error.line}:{error.column}"
    print(f"{where}: error: {error.said}", file=sys.stderr)
    return INPUT_ERROR
