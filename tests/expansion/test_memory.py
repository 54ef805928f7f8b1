"""What a process holds, asked of each system in its own way: the others' are stood in for here, by what
their documentation says (getrusage(2) of macOS and the BSDs, GetProcessMemoryInfo of psapi.h). And that
it holds nothing for good because a long text was read beside it."""

from __future__ import annotations

import ctypes
import gc
import struct
import sys
import weakref
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from visualizer.expansion import Options, memory, preprocess


@pytest.mark.parametrize(("system", "unit"), [("darwin", 1), ("freebsd14", 1024)])
def test_the_most_that_it_ever_had(system: str, unit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In bytes on macOS, in kilobytes elsewhere."""
    resource: Any = ModuleType("resource")
    resource.RUSAGE_SELF = 0
    resource.getrusage = lambda who: SimpleNamespace(ru_maxrss=[123_456][who])
    monkeypatch.setitem(sys.modules, "resource", resource)
    monkeypatch.setattr(memory, "_SYSTEM", system)
    assert memory.held() == 123_456 * unit


@pytest.mark.parametrize("known", [1, 0])
def test_private_bytes_on_windows(known: int, monkeypatch: pytest.MonkeyPatch) -> None:
    size = struct.calcsize("IIPPPPPPPP")

    def about(process: int, counters: Any, room: int) -> int:
        if (process, room) != (2**64 - 1, size):
            return 0
        told = struct.pack("IIPPPPPPPP", size, 1, 20, 30, 40, 50, 60, 70, 987_654, 90)
        ctypes.memmove(counters, told, size)
        return known

    kernel = SimpleNamespace(
        GetCurrentProcess=_function(lambda: 2**64 - 1),  # a pseudo handle: -1
        K32GetProcessMemoryInfo=_function(about),
    )
    monkeypatch.setattr(ctypes, "WinDLL", lambda name: {"kernel32": kernel}[name], raising=False)
    monkeypatch.setattr(memory, "_SYSTEM", "win32")
    assert memory.held() == 987_654 * known


def _function(does: Any) -> Any:
    """That may be told its `restype`, as a foreign one."""
    return type("Function", (), {"__call__": staticmethod(does)})()


def test_where_nobody_tells_a_file_is_read_without_that_limit(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.c").write_text("#define M 1\nint x = M;\n")
    for system, missing in (("wasi", "resource"), ("win32", "ctypes")):
        monkeypatch.setitem(sys.modules, missing, None)
        monkeypatch.setattr(memory, "_SYSTEM", system)
        assert memory.held() == 0
        assert len(preprocess(tmp_path / "a.c", Options(cc="none")).expansions) == 1


def test_what_stands_beside_a_long_reading_is_freed_when_it_is_dropped(tmp_path: Any) -> None:
    """Circles too, such as a program's: a process that reads many files would hold each one's."""
    long = "#define F(...) __VA_ARGS__\n" + f"int x[] = {{ F({'1,' * 60_000}1) }};\n"
    (tmp_path / "a.c").write_text(long)
    before: Any = ModuleType("before")
    before.itself = before
    preprocess(tmp_path / "a.c", Options(cc="none"))
    seen = weakref.ref(before)
    del before
    gc.collect()
    assert seen() is None
