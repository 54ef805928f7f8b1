"""A file that is being edited: what it held when it was read, and how to put a text back into it.

Nothing of a file is changed that the user did not change: a byte order mark stays, line ends stay as
they are, and so do permissions. A file that could not be written back as it was, because its bytes
are no UTF-8, can be read here and not edited. Line ends of two kinds become one, which is said.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from visualizer.expansion.include_path import stamp
from visualizer.expansion.readable import read_regular
from visualizer.expansion.source_files import LARGEST, legible
from visualizer.personal import safe_file
from visualizer.workbench.samples import is_ours
from visualizer.workbench.seen import Seen, digest, seen

_MARK = "\ufeff"
_NOT_KEPT = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # an editor takes these for line ends, C++ doesn't
_OTHER_BYTES = "it is not UTF-8 (iconv -f GBK -t UTF-8 makes it of GBK)"


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file as it was on disk. `why_fixed` says why it can't be edited, empty if it can; `note` what
    saving it will change besides the text."""

    path: Path
    text: str
    marked: bool
    seen: Seen
    why_fixed: str = ""
    note: str = ""

    @property
    def bytes(self) -> bytes:
        """As they stand in the file, if it can be edited."""
        return (_MARK * self.marked + self.text).encode()


def read(path: Path) -> TextFile:
    """Raises OSError if it can't be read."""
    known = stamp(str(path))
    data = read_regular(path, LARGEST)
    now = Seen(known, digest(data))
    try:
        text, why = data.decode("utf-8"), ""
    except UnicodeDecodeError:
        text, why = legible(data.decode("utf-8", "surrogateescape")), _OTHER_BYTES
    if "\0" in text:
        text, why = text.replace("\0", "\ufffd"), "it is a binary file"
    if not why and any(c in text for c in _NOT_KEPT):
        why = "it has page breaks or the like, which would become line ends"
    alike = _with_line_ends_alike(text)
    note = "" if alike == text else "Its line ends are of two kinds: saving makes them alike."
    return TextFile(path, alike.removeprefix(_MARK), text.startswith(_MARK), now, why, note)


def _with_line_ends_alike(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    kinds = ("\r\n", "\n", "\r")
    return lines.replace("\n", next((kind for kind in kinds if kind in text), "\n"))


def write(file: TextFile, text: str) -> TextFile:
    """Put a text into the file. Raises OSError if it can't be written."""
    safe_file.write(file.path, _MARK * file.marked + text)
    return TextFile(file.path, text, file.marked, seen(file.path))


def is_ours_to_write(path: Path) -> bool:
    """Whether the user may want this file itself changed: it is none of Unfold's, and writable."""
    return not is_ours(path) and os.access(path if path.exists() else path.parent, os.W_OK)
