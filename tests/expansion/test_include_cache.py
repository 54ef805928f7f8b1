"""The effect of an include, kept on disk: quick where it holds, and made anew where it does not."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from visualizer.expansion import (
    Options,
    Trace,
    ask_compiler,
    cache_folder,
    include_cache,
    preprocess,
)
from visualizer.expansion.directive_scan import DirectiveScan


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that keeps everything, however small and new."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(cache_folder, "cache_folder", lambda: str(folder))
    monkeypatch.setattr(include_cache, "_WORTH_KEEPING", 0.0)
    monkeypatch.setattr(include_cache, "_TOO_NEW", 0)
    return folder


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The headers that were really run, by name."""
    ran: list[str] = []
    include = DirectiveScan.include

    def counted(self: DirectiveScan, found: object, at: object) -> object:
        ran.append(os.path.basename(found.path))
        return include(self, found, at)

    monkeypatch.setattr(DirectiveScan, "include", counted)
    return ran


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., Trace]:
    """A main file with `a.h` and `b.h` on the include path; each call preprocesses it."""
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
    (tmp_path / "second" / "a.h").write_text(
        '#ifndef A\n#define A\n#include "b.h"\n#define F(x, ...) x##_ #x __VA_ARGS__ B\n#endif\n'
    )
    (tmp_path / "second" / "b.h").write_text("#pragma once\n#define B 1\n#undef GONE\n")
    main = tmp_path / "main.cc"
    main.write_text("#define GONE\n#include <a.h>\nF(p, q) GONE\n#include <b.h>\n")

    def run(*macros: tuple[str, str]) -> Trace:
        folders = (str(tmp_path / "first"), str(tmp_path / "second"))
        return preprocess(main, Options(folders, macros=macros), skip_included_text=True)

    return run


def output(trace: Trace) -> str:
    return " ".join(t.text for t in trace.output)


def described(trace: Trace) -> list[object]:
    tokens = [
        (t.text, t.space, t.origin) for d in trace.definitions.values() for t in d.replacement
    ]
    heads = [(d.head(), d.where) for d in trace.definitions.values()]
    return [output(trace), heads, tokens, trace.included, list(map(str, trace.diagnostics))]


def test_a_second_run_reads_no_header_and_gives_the_same(cache, scans, project) -> None:
    first = project()
    assert output(first) == 'p_ "p" q 1 GONE'
    ran = len(scans)
    assert ran > 0
    assert described(project()) == described(first)
    assert len(scans) == ran


def test_an_edited_header_is_read_again(cache, scans, project, tmp_path: Path) -> None:
    project()
    (tmp_path / "second" / "b.h").write_text("#pragma once\n#define B 22\n#undef GONE\n")
    assert output(project()) == 'p_ "p" q 22 GONE'


def test_an_edit_that_keeps_time_and_size_is_seen(cache, scans, project, tmp_path: Path) -> None:
    project()
    header = tmp_path / "second" / "b.h"
    before = header.stat()
    time.sleep(0.02)
    header.write_text("#pragma once\n#define B 2\n#undef GONE\n")
    os.utime(header, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert output(project()) == 'p_ "p" q 2 GONE'


def test_a_touched_header_is_read_again(cache, scans, project, tmp_path: Path) -> None:
    project()
    ran = len(scans)
    os.utime(tmp_path / "second" / "b.h")
    project()
    assert len(scans) > ran


def test_a_header_that_newly_stands_before_another_is_found(cache, project, tmp_path: Path) -> None:
    project()
    (tmp_path / "first" / "b.h").write_text("#define B 3\n")
    assert output(project()) == 'p_ "p" q 1 GONE'  # a.h asks beside itself first
    (tmp_path / "first" / "a.h").write_text("#define F(...) other\n")
    assert output(project()) == "other"


def test_a_file_that_is_no_header_changes_nothing(cache, scans, project, tmp_path: Path) -> None:
    project()
    ran = len(scans)
    (tmp_path / "second" / "notes.txt").write_text("")
    project()
    assert len(scans) == ran


def test_a_header_that_is_gone_is_reported(cache, project, tmp_path: Path) -> None:
    project()
    (tmp_path / "second" / "b.h").unlink()
    assert "b.h: no such file" in "\n".join(map(str, project().diagnostics))


def test_other_macros_before_the_include_make_another_entry(cache, scans, project) -> None:
    project()
    ran = len(scans)
    assert output(project(("D", "A"))) == "F ( p , q )"
    assert len(scans) > ran


@pytest.mark.parametrize(
    "damage", ["truncated", "empty", "flipped", "foreign", "appended", "a FIFO"]
)
def test_a_damaged_entry_is_made_anew(damage: str, cache: Path, scans, project) -> None:
    first = project()
    entries = sorted(cache.glob("include-*"))
    assert entries
    for entry in entries:
        data = bytearray(entry.read_bytes())
        if damage == "truncated":
            data = data[: len(data) // 2]
        elif damage == "empty":
            data.clear()
        elif damage == "flipped":
            data[len(data) // 2] ^= 1
        elif damage == "foreign":
            data[:16] = b"unfold cache 99\n"
        elif damage == "appended":
            data += b"more"
        entry.unlink()
        if damage == "a FIFO":
            os.mkfifo(entry)
        else:
            entry.write_bytes(bytes(data))
    ran = len(scans)
    assert described(project()) == described(first)
    assert len(scans) > ran
    ran = len(scans)
    assert described(project()) == described(first)
    assert len(scans) == ran


def test_any_single_flipped_byte_is_noticed(cache: Path, project) -> None:
    first = described(project())
    entry = max(cache.glob("include-*"), key=lambda e: e.stat().st_size)
    data = entry.read_bytes()
    for at in range(0, len(data), 97):
        damaged = bytearray(data)
        damaged[at] ^= 0x20
        entry.write_bytes(damaged)
        assert described(project()) == first


def test_a_cache_that_cannot_be_written_does_not_matter(
    project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(cache_folder, "cache_folder", lambda: str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(include_cache, "_WORTH_KEEPING", 0.0)
    assert output(project()) == 'p_ "p" q 1 GONE'


def test_a_header_as_new_as_the_run_is_not_kept(
    cache: Path, project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(include_cache, "_TOO_NEW", 10**12)
    os.utime(tmp_path / "second" / "b.h")
    project()
    assert list(cache.glob("include-*")) == []


def test_messages_are_given_each_time(cache: Path, project, tmp_path: Path) -> None:
    (tmp_path / "second" / "b.h").write_text("#pragma once\n#warning careful\n")
    for _ in range(2):
        assert ["careful" in str(d) for d in project().diagnostics] == [True]


def test_the_cache_does_not_grow_for_ever(cache: Path, project, monkeypatch) -> None:
    monkeypatch.setattr(cache_folder, "_KEPT", 6)
    for n in range(20):
        project(("D", f"N={n}"))
    assert len(list(cache.glob("include-*"))) <= 7


def fields_of(data: bytes) -> dict[str, object]:
    size = int.from_bytes(data[:8], "little")
    head: dict[str, object] = json.loads(data[8 : 8 + size])
    return head


@pytest.mark.parametrize("instead", [None, 5, "x", [["x"]], {"x": []}])
@pytest.mark.parametrize(
    "field", ["depends", "files", "removed", "once", "counter", "read", "sizes"]
)
def test_a_whole_entry_without_a_field_is_made_anew(
    cache: Path, scans, project, field: str, instead: object
) -> None:
    """Or with another thing in its place: its checksum holds, and another version wrote it."""
    first = described(project())
    ran = len(scans)
    for entry in cache.glob("include-*"):
        data = cache_folder.read_entry(entry.name)
        assert data is not None
        head = fields_of(data)
        rest = data[8 + len(json.dumps(head).encode()) :]
        if instead is None:
            del head[field]
        elif isinstance(head[field], type(instead)) and not isinstance(instead, list):
            head[field] = {"x": []}
        else:
            head[field] = instead
        text = json.dumps(head).encode()
        cache_folder.write_entry(entry.name, len(text).to_bytes(8, "little") + text + rest)
    assert described(project()) == first
    assert len(scans) > ran, "it was not made anew"


@pytest.mark.compiler
@pytest.mark.parametrize("field", ["macros", "folders", "absent", "operators", "answers"])
@pytest.mark.parametrize("instead", [None, 5, [["x"]], {"x": "y"}])
def test_what_a_compiler_said_is_asked_again_where_a_field_is_missing(
    cache: Path, field: str, instead: object
) -> None:
    for _ in range(2):
        said = ask_compiler.compiler_for("auto", "c++17")
        (entry,) = cache.glob("compiler-*")
        data = cache_folder.read_entry(entry.name)
        assert data is not None
        known = json.loads(data)
        assert said.macros == known["macros"]
        assert said.folders == tuple(known["folders"])
        known[field] = instead
        if instead is None:
            del known[field]
        cache_folder.write_entry(entry.name, json.dumps(known).encode())
