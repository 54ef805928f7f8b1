"""What is expanded for its text alone is what the trace has, to the blank, and what compilers print."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from both_ways import CXX, by_itself, by_trace
from compilers import INSTALLED, needs_compiler, preprocessed_by, spellings
from untidy_texts import untidy_text

from visualizer.expansion import Options, embed


@pytest.mark.parametrize("std", ["gnu++20", "c++98", "c17", "gnu89", "c90", "c23"])
def test_the_text_and_the_messages_are_those_of_the_trace(std: str, tmp_path: Path) -> None:
    file = tmp_path / "a.cc"
    options = Options(std=std)
    for seed in range(150):
        file.write_text(untidy_text(Random(seed)))
        for markers in (False, True):
            assert by_itself(file, options, markers) == by_trace(file, options, markers), seed


TEXTS = {
    "a raw string hides macros, and what looks like a comment": 'A\nR"(A /* )" A\nB\n',
    "a comment goes on over lines": "x /* A\n A */ y A\n",
    "a line comment goes on behind a backslash": "x // y \\\nA\nA\n",
    "a name is cut in two": "x\nA\\\nB\nA\n",
    "arguments lie on lines by themselves": "x\nF(1,\n\n A) y\nz\n",
    "a directive among arguments": "F(1,\n#undef A\nA)\nA\n",
    "a parenthesis behind a directive": "F\n#undef A\n(1, 2)\n",
    "a name at the end finds its parenthesis lines below": "N\n\n(1, 2) x\n",
    "lines have numbers": "x\n/* \n\n */ __LINE__\n#line 50\ny\n__LINE__ F(\n__LINE__, 1)\n",
    "what would fuse": "x.y . . z\na+ +b\n. . .\n-A\n",
    "separators of digits": "int n = 1'000'000; char c = 'A'; A\n",
    "digraphs": "x <:A:> <% A %>\n<::A\n",
    "a suffix that is a macro": '"s"A "s"sv\n',
    "what _Pragma pops": (
        '_Pragma("push_macro(\\"A\\")")\n#undef A\nA\n_Pragma("pop_macro(\\"A\\")")\nA\n'
    ),
    "a condition that counts": "__COUNTER__\n#if __COUNTER__ == 1\nA\n#endif\n",
    "groups that are skipped": "#if 0\nit's 'open /*\n#define A 3\n*/\n#else\nA\n#endif\n",
}


@needs_compiler
@pytest.mark.compiler
@pytest.mark.parametrize("name", TEXTS)
def test_the_text_is_what_compilers_print(name: str, tmp_path: Path) -> None:
    file = tmp_path / "a.cc"
    file.write_text(f"#define A 1\n#define F(x, y) x - y\n#define N F\n{TEXTS[name]}")
    ours = spellings(by_itself(file, CXX, markers=False)[0])
    theirs = [preprocessed_by(compiler, file) for compiler in INSTALLED]
    assert any(theirs)  # clang wants a blank between a string and a macro's name
    assert all(tokens in (ours, None) for tokens in theirs)


def test_a_header_is_read_once_where_its_guard_says_so(tmp_path: Path) -> None:
    guarded = "/* by us */\n#ifndef H\n#define H\nint h;\n#endif\n"
    (tmp_path / "h.h").write_text(guarded)
    (tmp_path / "open.h").write_text(f"{guarded}int again;\n")
    file = tmp_path / "a.cc"
    file.write_text(
        '#include "h.h"\n#include "h.h"\n#undef H\n#include "open.h"\n#include "open.h"\n'
    )
    assert by_itself(file, CXX, True) == by_trace(file, CXX, True)
    wanted = ["int", "h", ";"] * 2 + ["int", "again", ";"] * 2
    assert spellings(by_itself(file, CXX, False)[0]) == wanted


PLAIN = "".join(f'static const struct entry e{n} = {{ {n}, "e{n}", &f }};\n' for n in range(300))
DEFINITIONS = "".join(f"#define D{n}(x) ((x) + {n} * sizeof(int))\n" for n in range(300))
HEAVY = "#define A0(x) x x\n" + "".join(
    f"#define A{n}(x) A{n - 1}(x) A{n - 1}(x)\n" for n in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "at_most"),
    [(PLAIN, 1 / 10), (DEFINITIONS, 1 / 4), (f"{HEAVY}A8(1 + 2)\n", 4 / 5)],
    ids=["plain lines", "definitions", "a heavy macro"],
)
def test_it_takes_a_part_of_the_calls_that_a_trace_takes(
    text: str, at_most: float, tmp_path: Path
) -> None:
    file = tmp_path / "a.cc"
    file.write_text(text)
    by_itself(file, CXX, False)  # what is imported and remembered is so now
    by_trace(file, CXX, False)
    ours = calls(lambda: by_itself(file, CXX, False))
    assert ours <= at_most * calls(lambda: by_trace(file, CXX, False))


def calls(function: Callable[[], object]) -> int:
    profile = cProfile.Profile()
    profile.runcall(function)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def test_it_goes_further_than_a_trace_can_and_stops_too(tmp_path: Path) -> None:
    file = tmp_path / "a.cc"
    limited = Options(std="gnu++20", step_limit=100)
    file.write_text(f"{HEAVY}A6(1)\n")  # of 127 steps
    stopped = "error: expansion stopped after 100 steps"
    assert stopped in by_trace(file, limited, False)[1][0]
    assert by_itself(file, limited, False) == by_trace(file, CXX, False)
    file.write_text(f"{HEAVY}A8(1)\n")  # of 511
    text, (said, *_) = by_itself(file, limited, False)
    assert "error: expansion stopped after 400 steps" in said
    assert text.strip() == "A8(1)"


@pytest.mark.parametrize("parameters", ["", "limit(1)", "prefix(0,) suffix(,1)", "suffix( , F(1))"])
@pytest.mark.parametrize("markers", [True, False])
def test_embedded_bytes_have_the_same_blanks_between_them(
    tmp_path: Path, parameters: str, markers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a header and in the main file, and where the bytes come some at a time."""
    monkeypatch.setattr(embed, "_AT_ONCE", 2)
    (tmp_path / "data").write_bytes(b"abcdefg")
    text = (
        f'#define F(...) __VA_ARGS__\nint a[] = {{\n  #embed "data" {parameters}\n}}, b[] = {{ F(\n'
    )
    text += f'#embed "data" {parameters}\n)}};\n'
    (tmp_path / "a.h").write_text(text)
    (file := tmp_path / "a.c").write_text(f'#include "a.h"\n{text}')
    options = Options(std="c23")
    told = by_itself(file, options, markers)
    assert told == by_trace(file, options, markers)
    assert "97" in told[0]
