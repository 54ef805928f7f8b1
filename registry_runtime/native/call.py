"""A call of a compiled kernel: its arguments in a file, a child that runs it, and what it left.

The file is of 64-bit words, and behind them the bytes that some of them point to (`phi/runtime.h`
reads them): how often to run it for the clock, into the same memory and into new, and then each
argument as its C++ type has it. The child maps the file and copies the tensors into memory of its
own, so that whatever the kernel does to them, and wherever it writes, nothing of ours is touched;
what it left it writes to another file."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.native.child import Limits, run_child
from registry_runtime.native.crash import BodyFailed, failed
from registry_runtime.native.program import Program

LIMITS = Limits(seconds=20, memory=4 << 30, output=1 << 20, file=2 << 30)
_ALIGNED = 64


class Words:
    """The arguments of a call, in the order of the kernel's parameters."""

    def __init__(self) -> None:
        self._words: list[int] = []
        self._bytes: list[tuple[int, NDArray[np.uint8]]] = []  # the word that points there

    def integer(self, value: int) -> None:
        self._words.append(value)

    def real(self, value: float) -> None:
        self._words.append(struct.unpack("<q", struct.pack("<d", value))[0])

    def text(self, value: str) -> None:
        self._point(np.frombuffer(value.encode(), np.uint8))

    def scalar(self, dtype: int, value: complex) -> None:
        """A number of any type: as a whole one, and as a real and an imaginary part."""
        self.integer(dtype)
        whole = isinstance(value, int | np.integer | np.bool)
        self.integer(int(value.real) if whole else 0)
        self.real(float(value.real))
        self.real(float(value.imag))

    def tensor(
        self,
        dtype: int,
        dims: Sequence[int],
        lod: Sequence[Sequence[int]] = (),
        data: NDArray[Any] | None = None,
    ) -> None:
        """One with this data, or with none yet."""
        self.integer(dtype)
        self.integers(dims)
        self.integer(len(lod))
        for level in lod:
            self.integers(level)
        if data is None:
            self._words += [-1, 0]
        else:
            self._point(np.ascontiguousarray(data).reshape(-1).view(np.uint8))

    def integers(self, values: Sequence[int]) -> None:
        """How many, and each."""
        self._words += [len(values), *values]

    def _point(self, data: NDArray[np.uint8]) -> None:
        self._bytes.append((len(self._words), data))
        self._words += [0, data.size]

    def write(self, path: Path, same_runs: int, new_runs: int) -> None:
        words = [same_runs, new_runs, *self._words]
        end = 8 * len(words)
        with open(path, "wb") as file:
            places = []
            for at, data in self._bytes:
                end += -end % _ALIGNED
                words[at + 2] = end
                places.append(end)
                end += data.size
            file.write(struct.pack(f"<{len(words)}q", *words))
            for place, (_, data) in zip(places, self._bytes, strict=True):
                file.seek(place)
                file.write(data.data)


@dataclass(frozen=True)
class Output:
    """What an output holds after the call: bytes of this type and dims. `data` is None where the kernel
    gave it no memory."""

    dtype: int
    dims: tuple[int, ...]
    data: bytes | None


@dataclass(frozen=True)
class Ran:
    """What came of it: the outputs of the first call, the seconds of each of those that were timed,
    into the same memory and into new, and what the kernel printed."""

    outputs: tuple[Output, ...]
    same_seconds: tuple[float, ...]
    new_seconds: tuple[float, ...]
    printed: str


@dataclass(frozen=True)
class Key:
    """Which registration of the text is called."""

    name: str
    backend: str
    dtype: int


def run(
    program: Program,
    key: Key,
    words: Words,
    itemsize: Callable[[int], int],
    runs: tuple[int, int] = (0, 0),
    limits: Limits = LIMITS,
    cancelled: Callable[[], bool] | None = None,
) -> Ran:
    """Run the kernel of `key` on these arguments, and `runs` times more for the clock: into the same
    memory, and into new. `itemsize` tells the bytes of an element of a type.

    Raises BodyFailed, with its line where there is one, for whatever went wrong in there.
    """
    with tempfile.TemporaryDirectory(prefix="unfold-") as folder:
        given, left = Path(folder, "arguments"), Path(folder, "result")
        words.write(given, *runs)
        seconds = int(limits.seconds)
        command = [str(program.path), key.name, key.backend, str(key.dtype)]
        command += [str(given), str(left), str(seconds)]
        environment = {"ASAN_OPTIONS": _ASAN, "UBSAN_OPTIONS": "print_stacktrace=1:color=never"}
        if program.sanitized:  # which reserves terabytes
            limits = Limits(limits.seconds, None, limits.output, limits.file)
        watched = Limits(limits.seconds + 2, limits.memory, limits.output, limits.file)
        ended = run_child(command, watched, folder, environment=environment, cancelled=cancelled)
        if ended.code or ended.stopped is not None:
            raise failed(ended, program, limits)
        printed = (ended.out + ended.err).decode(errors="replace")
        try:
            return _read(left.read_bytes(), itemsize, printed)
        except (OSError, struct.error, ValueError):
            raise BodyFailed("the body ended the process before it returned") from None


_ASAN = "detect_leaks=0:color=never:hard_rss_limit_mb=4096:allocator_may_return_null=1"


def _read(result: bytes, itemsize: Callable[[int], int], printed: str) -> Ran:
    at = 0

    def words(count: int) -> tuple[int, ...]:
        nonlocal at
        found = struct.unpack_from(f"<{count}q", result, at)
        at += 8 * count
        return found

    outputs = []
    (count,) = words(1)
    for _ in range(count):
        dtype, there, dims_count = words(3)
        dims = words(dims_count)
        size = int(np.prod(dims, dtype=np.int64)) * itemsize(dtype) if there else 0
        outputs.append(Output(dtype, dims, result[at : at + size] if there else None))
        at += size + -size % 8
    same = struct.unpack(f"<{(n := words(1)[0])}d", result[at : at + 8 * n])
    at += 8 * n
    new = struct.unpack(f"<{(n := words(1)[0])}d", result[at : at + 8 * n])
    return Ran(tuple(outputs), same, new, printed)
