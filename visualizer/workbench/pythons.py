"""Where a python keeps its packages, asked of itself: only it knows what its environment is.

A folder that is opened may have a `python` in it, and a shell's PATH may lead into that folder. So one
is started only where the user named it, or where an absolute entry of PATH has it; isolated (`-I`), in
an empty folder, and for a visitor of `unfold serve` none at all. What it said is kept for as long as it
is the same file.
"""

from __future__ import annotations

import json
import os

from visualizer.expansion.cache_folder import fits, name_of, read_entry, write_entry
from visualizer.expansion.readable import is_confined

_SECONDS = 20
_ASKED = (
    "import json, sys, sysconfig; print(json.dumps([sysconfig.get_path('include'), *sys.path]))"
)


def on_path() -> str | None:
    """The `python3` of PATH; an entry that is relative is the working folder's, and passed over."""
    import shutil

    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which("python3", path=os.pathsep.join(filter(os.path.isabs, entries)))


def folders_of(python: str) -> list[str]:
    """Its folder of C headers, and those that it imports from; empty where it gives no answer."""
    if is_confined():
        return []
    try:
        stat = os.stat(python)
    except OSError:
        return []
    real = os.path.realpath(python)
    name = f"python-{name_of('python 1', python, real, str(stat.st_mtime_ns), str(stat.st_size))}"
    try:
        folders = _read(read_entry(name) or b"")
        if folders is None:
            answer = _answer(python)
            folders = _read(answer) or []
            write_entry(name, answer)
    except (OSError, ValueError):
        return []
    return [folder for folder in folders if os.path.isabs(folder)]


def _read(answer: bytes) -> list[str] | None:
    try:
        folders: list[str] = json.loads(answer)
    except (ValueError, RecursionError):
        return None
    return folders if fits(folders, [str]) else None


def _answer(python: str) -> bytes:
    """Raises OSError or ValueError where it gives none."""
    import subprocess  # with what it needs a sixteenth of a start, and asked once for each python
    import tempfile

    with tempfile.TemporaryDirectory(prefix="unfold-") as empty:
        command = [os.path.abspath(python), "-I", "-c", _ASKED]
        try:
            done = subprocess.run(
                command,
                cwd=empty,
                capture_output=True,
                timeout=_SECONDS,
                check=True,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.SubprocessError as error:
            raise ValueError(str(error)) from None
    return done.stdout
