"""Files: reading one, the name under which it is shown, and what that name says of the language.

A file need not be UTF-8: compilers pass bytes that they can't read on, in comments, strings and where
they stand alone. Python reads each such byte as a lone surrogate (PEP 383), from which the byte can be
had again. No screen and no JSON may have one. Where they are GBK, as in what was written on a Chinese
Windows, its characters are shown; elsewhere U+FFFD, `�`, stands for each byte.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable
from pathlib import Path

from visualizer.expansion.diagnostics import InputError
from visualizer.expansion.readable import may_read, read_regular
from visualizer.expansion.tokens import Source
from visualizer.expansion.under_way import in_pieces

LARGEST = 64 << 20  # bytes of a file
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".cuh", ".inc", ".inl", ".ipp", ".tcc")
SHOWN = "\ufffd"  # for a byte that is no UTF-8
_BYTES = re.compile("[\udc80-\udcff]+")  # such as are no UTF-8
_WRITTEN = 1 << 21  # characters that somebody may have written by hand
_OF_CXX = (
    *(".cc", ".cpp", ".cxx", ".c++", ".cu", ".hip", ".kps", ".mm"),
    *(".hh", ".hpp", ".hxx", ".h++", ".cuh"),
)


def is_header(file: str) -> bool:
    return os.path.splitext(file)[1].lower() in HEADERS


def is_compiled(file: str) -> bool:
    """Whether it is a translation unit by its name, and no text that others include."""
    suffix = os.path.splitext(file)[1].lower()
    return suffix == ".c" or (suffix in _OF_CXX and suffix not in HEADERS)


def is_c(file: str) -> bool:
    return os.path.splitext(file)[1] == ".c"


def is_assembler(file: str) -> bool:
    """Whether the file is one of assembler that is preprocessed first."""
    return os.path.splitext(file)[1] in (".S", ".sx")


def is_among_c(header: str) -> bool:
    """Whether a `.h` lies beside files of C, and beside none of C++."""
    if os.path.splitext(header)[1] != ".h":
        return False
    try:
        names = os.listdir(os.path.dirname(os.path.abspath(header)))
    except OSError:
        return False
    suffixes = {os.path.splitext(name)[1].lower() for name in names}
    return ".c" in suffixes and suffixes.isdisjoint(_OF_CXX)


def read_source(
    path: Path | str, included: bool = False, unsaved: Iterable[tuple[str, str]] = ()
) -> str:
    """The text of a source file, on disk or `unsaved`, to be looked at. Raises InputError, with what to
    do, where there is none. It may be empty."""
    return legible(read_exactly(path, included, unsaved))


def read_exactly(
    path: Path | str, included: bool = False, unsaved: Iterable[tuple[str, str]] = ()
) -> str:
    """The same with each byte that is no UTF-8 as a lone surrogate."""
    name = display_path(path)
    start = Source(name, 1, 1)
    edited = dict(unsaved).get(os.path.abspath(path))
    data = _bytes_of(path, start) if edited is None else as_bytes(edited)
    if not included and b"\0" in data:
        before = data[: data.index(b"\0")]
        where = Source(name, before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1) + 1)
        raise InputError("is a binary file, not source text", where, "name a C or C++ source file")
    if data.isascii():
        return data.decode()
    decoder = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape")
    return "".join([*map(decoder.decode, in_pieces(data)), decoder.decode(b"", True)])


def legible(text: str) -> str:
    """The text as it may be shown."""
    return text if text.isascii() else shown_as(text, is_gbk(text))


def shown_as(text: str, in_gbk: bool) -> str:
    """The same of a text that is GBK, or isn't."""
    if in_gbk:
        return _of_gbk(as_bytes(text))
    return "".join([_BYTES.sub(_replaced, piece) for piece in in_pieces(text)])


def _replaced(found: re.Match[str]) -> str:
    return SHOWN * len(found[0])


def is_gbk(text: str) -> bool:
    """Whether bytes that are no UTF-8 are certainly meant as GBK: all of them can be, and most are of
    GB 2312, which has what is written every day. What Shift-JIS has is none; of Latin-1 two letters
    with accents side by side may be taken for it."""
    if text.isascii() or len(text) > _WRITTEN or not _BYTES.search(text):
        return False
    data = as_bytes(text)
    pairs, common = 0, 0
    for run in _HIGH.finditer(data):
        count = len(run.group()) // 2
        if len(run.group()) % 2 and data[run.end() : run.end() + 1] not in _SECOND:
            return False
        try:
            data[run.start() : run.start() + 2 * count].decode("gbk")
        except UnicodeDecodeError:
            return False
        pairs += count
        common += sum(map(bool, _GB_2312.findall(run.group(), 0, 2 * count)))
    return 0 < pairs < 2 * common


_HIGH = re.compile(rb"[\x80-\xff]+")
_GB_2312 = re.compile(rb"([\xa1-\xf7][\xa1-\xfe])|..", re.DOTALL)  # each pair, or that it is none
_SECOND = frozenset(bytes([byte]) for byte in range(0x40, 0x7F))  # what may follow in ASCII


def _of_gbk(data: bytes) -> str:
    return _HIGH.sub(lambda run: b"".join(map(_shown, _pairs(run.group()))), data).decode()


def _pairs(run: bytes) -> list[bytes]:
    return [run[i : i + 2] for i in range(0, len(run), 2)]


def _shown(pair: bytes) -> bytes:
    # Whose second byte is one of ASCII has that beside it, as the compiler has.
    return (pair.decode("gbk") if len(pair) == 2 else SHOWN).encode()


def characters(line: str, in_gbk: bool) -> list[bytes]:
    """What stands in a line of a file for each character that is shown of it."""
    if not in_gbk:
        return [as_bytes(character) for character in line]
    data, found, at = as_bytes(line), list[bytes](), 0
    for run in _HIGH.finditer(data):
        found += [bytes([byte]) for byte in data[at : run.start()]] + _pairs(run.group())
        at = run.end()
    return found + [bytes([byte]) for byte in data[at:]]


def as_bytes(text: str) -> bytes:
    """The text as a file has it."""
    return text.encode("utf-8", "surrogateescape")


def not_utf8(text: str, file: str) -> tuple[str, Source] | None:
    """What to say of the first byte that is no UTF-8, and its place; None where all are."""
    if text.isascii():
        return None
    at = 0
    for piece in in_pieces(text):
        if m := _BYTES.search(piece):
            before = text[: at + m.start()]
            where = Source(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
            return f"is not UTF-8: byte 0x{ord(m[0][0]) & 0xFF:02x}", where
        at += len(piece)
    return None


def _bytes_of(path: Path | str, start: Source) -> bytes:
    if not may_read(path):
        raise InputError("no such file in the served folder", start, "open one that is in it")
    try:
        return read_regular(path, LARGEST)
    except FileNotFoundError:
        raise InputError("no such file", start, "check the path") from None
    except IsADirectoryError:
        raise InputError("is a folder", start, "name a source file in it") from None
    except (OSError, ValueError) as error:  # a name with a null or half a character in it
        why = getattr(error, "strerror", None) or "no file can have this name"
        raise InputError(f"cannot be read: {why}", start) from None


def display_path(path: Path | str) -> str:
    """As a compiler names it: relative where it lies below the working folder, else absolute."""
    absolute = os.path.abspath(path)
    here = os.getcwd().rstrip("/") + "/"
    return absolute.removeprefix(here) if absolute.startswith(here) else absolute
