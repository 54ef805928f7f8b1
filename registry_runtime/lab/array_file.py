"""Arrays in files that NumPy wrote: `x.npy`, and `many.npz:x` for one of several.

A file is a stranger's. Its head says what the array is before there is memory for it, so a shape that
doesn't fit is refused unread; and an array of Python objects, which NumPy keeps as a pickle, is never
loaded: reading a pickle runs what it says.
"""

from __future__ import annotations

import errno
import math
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import ml_dtypes
import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

MOST_BYTES = 1 << 30
_NPZ = re.compile(r"(.*\.npz)(?::(.*))?", re.IGNORECASE | re.DOTALL)
_OF_ARCHIVES = (zipfile.BadZipFile, zlib.error)
_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


class _Refused(ValueError):
    """What the head says is no tensor, or too large a one."""


@dataclass(frozen=True, slots=True)
class ArrayFile:
    """One array in a file, not yet read: its dims, and the data type of its elements. `member` is its
    name in an `.npz`."""

    path: str
    member: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __str__(self) -> str:
        return f"{self.path}:{self.member}" if self.member else self.path

    def read(self) -> NDArray[Any]:
        """The array, C-contiguous. Raises ValueError where the file is shorter than its head says."""
        with _errors(str(self)), _opened(self.path, self.member) as stream:
            array = npy.read_array(stream, allow_pickle=False)
        return np.ascontiguousarray(_of_this_machine(array)).reshape(self.shape)


def is_array_file(text: str) -> bool:
    """Whether these are the words for one."""
    return text.lower().endswith(".npy") or _NPZ.fullmatch(text) is not None


def array_file(text: str) -> ArrayFile:
    """What the words name. Raises ValueError: for a file that can't be read or that NumPy didn't
    write, for one that holds more than a gigabyte, or Python objects."""
    named = _NPZ.fullmatch(text)
    path, member = (named[1], named[2] or "") if named else (text, "")
    if named:
        member = _member(path, member)
    with _errors(text), _opened(path, member) as stream:
        shape, dtype = _head(stream)
        nbytes = math.prod(shape) * dtype.itemsize
        if nbytes > MOST_BYTES:
            most = f"{MOST_BYTES / 1e9:.1f} GB"
            raise _Refused(f"it holds {nbytes / 1e9:,.1f} GB, and no more than {most} is read")
    return ArrayFile(path, member, shape, dtype)


def save(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write the arrays, by their names: one as `.npy`, any number as `.npz`. Raises ValueError where
    the file's name is for neither, and OSError."""
    kind = path.suffix.lower()
    if kind == ".npz":
        with zipfile.ZipFile(
            path, "w"
        ) as archive:  # np.savez would take a name for its own argument
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                    npy.write_array(stream, array, allow_pickle=False)
        return
    if kind != ".npy":
        raise ValueError(f"{path}: results are saved as .npy or .npz")
    if len(arrays) != 1:
        names = ", ".join(arrays) or "none"
        raise ValueError(f"{path}: a .npy holds one array, and there are {names}; name an .npz")
    (array,) = arrays.values()
    with path.open("wb") as stream:
        npy.write_array(stream, array, allow_pickle=False)


def _head(stream: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    version = npy.read_magic(stream)
    if version == (1, 0):
        shape, _, dtype = npy.read_array_header_1_0(stream)
    elif version == (2, 0):
        shape, _, dtype = npy.read_array_header_2_0(stream)
    else:  # whose field names need UTF-8
        raise _Refused("it holds records, and a tensor holds numbers")
    if dtype.hasobject:
        raise _Refused("it holds Python objects, and these are never loaded: save numbers")
    if any(dim < 0 for dim in shape):
        raise _Refused(f"its head says a shape that there isn't, {shape}")
    return shape, _of_this_machine(np.empty(0, dtype)).dtype


def _of_this_machine(array: NDArray[Any]) -> NDArray[Any]:
    """In this machine's byte order; NumPy writes bfloat16 as two bytes that mean nothing."""
    if array.dtype.kind == "V" and array.dtype.names is None and array.dtype.itemsize == 2:
        return array.view(_BFLOAT16)
    if array.dtype.kind not in "biufc":
        raise _Refused(f"it holds {array.dtype}, and a tensor holds numbers")
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _member(path: str, member: str) -> str:
    """The name in the `.npz`; where none is given, the only one that there is."""
    with _errors(path), _regular(path) as file, zipfile.ZipFile(file) as archive:
        names = [name.removesuffix(".npy") for name in archive.namelist()]
    if member in names:
        return member
    if not member and len(names) == 1:
        return names[0]
    there = ", ".join(names[:20]) or "nothing"
    said = f"has no array '{member}'" if member else "holds several arrays"
    raise ValueError(f"{path} {said}: write {path}:NAME, of {there}")


@contextmanager
def _opened(path: str, member: str) -> Iterator[IO[bytes]]:
    if not member:
        with _regular(path) as stream:
            yield stream
        return
    with (
        _regular(path) as file,
        zipfile.ZipFile(file) as archive,
        archive.open(f"{member}.npy") as stream,
    ):
        yield stream


@contextmanager
def _regular(path: str) -> Iterator[IO[bytes]]:
    """A regular file: a FIFO would wait for somebody to write."""
    with open(path, "rb", opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        yield file


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


@contextmanager
def _errors(name: str) -> Iterator[None]:
    """Whatever a file may hold instead of an array is told as a ValueError with its name."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"cannot read {name}: {error.strerror or error}") from None
    except _Refused as error:
        raise ValueError(f"cannot read {name}: {error}") from None
    # NumPy, zipfile and zlib each have their own words, and their own exceptions.
    except (ValueError, SyntaxError, KeyError, EOFError, RuntimeError, *_OF_ARCHIVES):
        raise ValueError(f"cannot read {name}: NumPy didn't write it, or it is damaged") from None
