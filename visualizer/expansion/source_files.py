"""Files: finding what `#include` names, reading it, and the name under which it is shown."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from visualizer.expansion.diagnostics import InputError
from visualizer.expansion.options import Options
from visualizer.expansion.tokens import Source


def read_source(path: Path, included: bool = False) -> str:
    """The text of a source file. Raises InputError, with what to do, where there is none.

    An included file may be empty and need not be UTF-8 throughout: nobody steps through its comments.
    """
    name = display_path(path)
    start = Source(name, 1, 1)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", start, "check the path") from None
    except IsADirectoryError:
        raise InputError("is a folder", start, "name a source file in it") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", start) from None
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
            f"convert it, for example with: iconv -f GB18030 -t UTF-8 {name}",
        ) from None
    if not text.strip():
        raise InputError("is empty", start, "name a file that invokes a macro")
    return text


def display_path(path: Path) -> str:
    """As a compiler names it: relative where it lies below the working folder, else absolute."""
    absolute = os.path.abspath(path)
    relative = os.path.relpath(absolute)
    return absolute if relative.startswith("..") else relative


class Includes:
    """The include path, searched as gcc does: quoted names first beside the file that includes."""

    def __init__(self, options: Options) -> None:
        self.folders = [*options.include_folders, *options.system_folders]

    def find(self, header: str, includer: str, after_current: bool = False) -> Path | None:
        """The file that `"x.h"` or `<x.h>` stands for, or None. `after_current` searches only behind
        the folder in which the including file was found (`#include_next`)."""
        name = header[1:-1]
        folders = self._folders(header, includer)
        if after_current:
            here = os.path.dirname(os.path.abspath(includer))
            same = [i for i, f in enumerate(self.folders) if os.path.abspath(f) == here]
            folders = self.folders[same[0] + 1 :] if same else self.folders
        for folder in folders:
            path = os.path.normpath(os.path.join(folder, name))
            if _is_file(path):
                return Path(os.path.abspath(path))
        return None

    def searched(self, header: str, includer: str) -> str:
        folders = [display_path(Path(f)) for f in self._folders(header, includer)]
        return ", ".join(dict.fromkeys(folders)) or "no folder"

    def _folders(self, header: str, includer: str) -> list[str]:
        if header.startswith("<"):
            return self.folders
        return [os.path.dirname(os.path.abspath(includer)), *self.folders]


@lru_cache(maxsize=65536)
def _is_file(path: str) -> bool:
    return os.path.isfile(path)
