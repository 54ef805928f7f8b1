"""Files: reading one, and the name under which it is shown."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from visualizer.expansion.diagnostics import InputError
from visualizer.expansion.readable import may_read
from visualizer.expansion.tokens import Source


def read_source(
    path: Path | str, included: bool = False, unsaved: Iterable[tuple[str, str]] = ()
) -> str:
    """The text of a source file, on disk or `unsaved`. Raises InputError, with what to do, where there
    is none.

    An included file may be empty and need not be UTF-8 throughout: nobody steps through its comments.
    """
    name = display_path(path)
    start = Source(name, 1, 1)
    edited = dict(unsaved).get(os.path.abspath(path))
    data = _bytes_of(path, start) if edited is None else edited.encode("utf-8", "replace")
    if included:
        return data.decode("utf-8-sig", errors="replace")
    if b"\0" in data:
        before = data[: data.index(b"\0")]
        where = Source(name, before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1) + 1)
        raise InputError("is a binary file, not source text", where, "name a C or C++ source file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        raise InputError(
            f"is not UTF-8: byte 0x{data[error.start]:02x}",
            Source(name, line, column),
            f"convert it from the encoding that it has: iconv -f ENCODING -t UTF-8 {name}",
        ) from None
    if not text.strip():
        raise InputError("is empty", start, "name a file that invokes a macro")
    return text


def _bytes_of(path: Path | str, start: Source) -> bytes:
    if not may_read(path):
        raise InputError("no such file in the served folder", start, "open one that is in it")
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise InputError("no such file", start, "check the path") from None
    except IsADirectoryError:
        raise InputError("is a folder", start, "name a source file in it") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", start) from None


def display_path(path: Path | str) -> str:
    """As a compiler names it: relative where it lies below the working folder, else absolute."""
    absolute = os.path.abspath(path)
    here = os.getcwd().rstrip("/") + "/"
    return absolute.removeprefix(here) if absolute.startswith(here) else absolute
