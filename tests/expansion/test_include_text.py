"""The text of an include, kept on disk: what comes from there is what the headers say, to the blank."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from both_ways import CXX, by_itself, by_trace
from compilers import INSTALLED, needs_compiler, preprocessed_by, spellings
from macro_programs import macro_program
from untidy_texts import untidy_text

from visualizer.expansion import Options, builtin_macros, cache_folder, include_cache
from visualizer.expansion.includes import Includes

Text = tuple[str, list[str]]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that keeps everything, however small and new."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(cache_folder, "cache_folder", lambda: str(folder))
    monkeypatch.setattr(include_cache, "_TEXT_WORTH_KEEPING", 0.0)
    monkeypatch.setattr(include_cache, "_TOO_NEW", 0)
    return folder


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The headers whose text was really expanded, by name, and not for a trace."""
    each: list[str] = []
    text = Includes.text

    def counted(self: Includes, found: object, at: object) -> Iterator[object]:
        if not self.preprocessor.traces:
            each.append(os.path.basename(found.path))
        return text(self, found, at)

    monkeypatch.setattr(Includes, "text", counted)
    return each


A = """\
#ifndef A_H
#define A_H
#include "b.h"
#define A(x) x + B
  int a = A(__LINE__) ; // and A(1) here
A(
   2) -A(3)
const char *file = __FILE__;
_Pragma("GCC other")
#pragma GCC diagnostic push
int n = __COUNTER__;
#endif
int twice;
"""
MAIN = """\
int before;
#include "a.h"
A(B) __COUNTER__ __FILE__
#include "b.h"
#include "a.h"
end
"""


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., Text]:
    """A main file, `a.h` beside it and `b.h` on the include path; each call expands it, and holds it to
    the trace, which no cache has a part in."""
    (tmp_path / "second").mkdir()
    (tmp_path / "first").mkdir()
    (tmp_path / "a.h").write_text(A)
    (tmp_path / "second" / "b.h").write_text("#pragma once\n#define B 1\nint b = B;\n")
    (tmp_path / "m.cc").write_text(MAIN)

    def run(text: str = MAIN, **options: object) -> Text:
        main = tmp_path / "m.cc"
        main.write_text(text)
        folders = (str(tmp_path / "first"), str(tmp_path / "second"))
        asked = Options(**{"include_folders": folders, "std": "gnu++20", **options})
        for markers in (True, False):
            expanded = by_itself(main, asked, markers)
            assert expanded == by_trace(main, asked, markers)
        return expanded

    return run


def test_a_second_run_expands_no_header_and_gives_the_same(project, read) -> None:
    first = project()
    read.clear()
    assert project() == first
    assert read == []


def test_a_header_that_is_edited_is_read_again(project, read, tmp_path: Path) -> None:
    project()
    (tmp_path / "second" / "b.h").write_text("#pragma once\n#define B 7\nint b;\n")
    assert "7 int a" not in project()[0]
    assert "+ 7" in project()[0]


def test_a_header_that_newly_stands_before_another_is_found(project, tmp_path: Path) -> None:
    project()
    (tmp_path / "first" / "b.h").write_text("#define B first\n")
    assert "+ first" in project()[0]


@pytest.mark.parametrize(
    "before",
    [
        "#define B 5\n",
        "#define A_H\n",
        "int x = __COUNTER__;\n",
        "#undef __COUNTER__\n#define __COUNTER__ seven\n",
        '#pragma push_macro("B")\n',
        "#pragma GCC poison twice\n",
        "#line 100\n",
        "#define F(x) [x]\nF(\n",
    ],
)
def test_what_stands_before_an_include_counts(before: str, project) -> None:
    project()
    changed = project(before + MAIN + ")")
    assert project(before + MAIN + ")") == changed
    project()


@pytest.mark.parametrize("options", [{"macros": (("D", "B=3"),)}, {"std": "c17"}])
def test_options_count(options: dict[str, object], project) -> None:
    project()
    project(**options)
    project(**options)


def test_a_folder_has_the_name_that_it_was_given(project, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "second" / "b.h").write_text("const char *b = __FILE__;\n")
    assert f'"{tmp_path}/second/b.h"' in project()[0]
    assert '"second/b.h"' in project(include_folders=("second",))[0]
    assert '"./second/b.h"' in project(include_folders=("./second",))[0]


def test_the_time_is_told_each_time(project, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "second" / "b.h").write_text("#define B __TIME__\nB\n")
    monkeypatch.setattr(builtin_macros.time, "strftime", lambda *_: '"soon"')
    assert '"soon"' in project()[0]
    monkeypatch.setattr(builtin_macros.time, "strftime", lambda *_: '"late"')
    assert '"late"' in project()[0]


def test_files_share_what_they_include_but_for_their_names(tmp_path: Path, read) -> None:
    (tmp_path / "a.h").write_text("#define SEEN\nint a = __LINE__;\n")
    (tmp_path / "b.h").write_text("const char *main_file = __BASE_FILE__;\n")
    for name in ("m.cc", "n.cc"):
        (main := tmp_path / name).write_text('#include "a.h"\n#include "b.h"\n')
        assert f'"{main}"' in by_itself(main, CXX, markers=False)[0]
    assert read == ["a.h", "b.h", "b.h"]


def test_an_embedded_file_is_read_each_time(tmp_path: Path) -> None:
    (main := tmp_path / "m.cc").write_text('#include "a.h"\n')
    (tmp_path / "a.h").write_text('#embed "a.bin"\n')
    for data in (b"\1\2", b"\3\4"):
        (tmp_path / "a.bin").write_bytes(data)
        numbers = by_itself(main, Options(std="c++26"), markers=False)[0]
        assert bytes(map(int, numbers.split(","))) == data


def test_messages_are_given_each_time(project, tmp_path: Path) -> None:
    (tmp_path / "second" / "b.h").write_text("#define B 1\n#warning so it is\n")
    assert "so it is" in str(project()[1])
    assert "so it is" in str(project()[1])


@pytest.mark.parametrize(
    "text",
    [
        "#define OPEN A(\nA_BEGINS OPEN\n",
        "#define OBJ A\nOBJ\n",
        'int x = R"(two\nlines)" ; y\n',
        "int caf\\u00e9 = 1; int \u00e9t\u00e9;\n",
        'x _Pragma("push_macro(\\"B\\")") y _Pragma("once") z\n',
        '#pragma push_macro("B")\n#undef B\n',
        '_Pragma("GCC other") after\n',
        '#line 70 "else.h"\nx __LINE__ __FILE__\n',
        '#include "m.cc"\n',
        "#if __has_include(<new.h>)\nnew\n#endif\n",
        "",
    ],
)
def test_odd_headers(text: str, project, tmp_path: Path) -> None:
    (tmp_path / "second" / "b.h").write_text(f"#pragma once\n#define B 1\n{text}")
    assert project() == project()
    (tmp_path / "second" / "new.h").write_text("#define NEW\n")
    project()


@pytest.mark.parametrize("part", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("instead", [None, 5, "x", [["x"]], ["x"]])
def test_an_entry_of_another_shape_is_made_anew(
    cache: Path, project, read, part: int, instead: object
) -> None:
    first = project()
    for entry in cache.glob("text-*"):
        data = cache_folder.read_entry(entry.name)
        assert data is not None
        size = int.from_bytes(data[:8], "little")
        head = json.loads(data[8 : 8 + size])
        head[part] = instead
        text = json.dumps(head).encode()
        rest = data[8 + size :]
        cache_folder.write_entry(entry.name, len(text).to_bytes(8, "little") + text + rest)
    read.clear()
    assert project() == first
    assert read


def test_random_headers(tmp_path: Path) -> None:
    main = tmp_path / "m.cc"
    for seed in range(120):
        random = Random(seed)
        for name in ("a.h", "b.h"):
            write = random.choice((macro_program, untidy_text))
            (tmp_path / name).write_text(write(random))
        rest = untidy_text(random)
        main.write_text(f'#include "a.h"\n{rest}\n#include "b.h"\n#include "a.h"\n{rest}')
        for markers in (True, False, True):
            assert by_itself(main, CXX, markers) == by_trace(main, CXX, markers), seed


@needs_compiler
@pytest.mark.compiler
def test_real_headers_from_the_cache_are_what_compilers_print(tmp_path: Path, read) -> None:
    (main := tmp_path / "m.cc").write_text("#include <vector>\n#include <cassert>\nassert(EOF);\n")
    options = Options(std="gnu++20", cc=INSTALLED[0])
    first, again = (by_itself(main, options, markers=False) for _ in range(2))
    assert read.count("vector") == read.count("cassert") == 1
    assert first == again
    assert spellings(again[0]) == preprocessed_by(INSTALLED[0], main)
