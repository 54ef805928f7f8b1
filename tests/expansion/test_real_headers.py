"""Included files run for their directives only: the macro table is the compiler's, to the token."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from compilers import INSTALLED, preprocessed_by
from headers import files_of, macros_of, scanned, shape

from visualizer.expansion import Options, preprocess
from visualizer.expansion.tokens import Source

pytestmark = pytest.mark.compiler
HEADERS = {
    "gnu++17": ("vector", "unordered_map", "functional", "regex", "filesystem", "immintrin.h"),
    "c++20": ("vector", "ranges", "thread", "bits/stdc++.h"),
    "gnu11": ("stdio.h", "stdatomic.h", "math.h", "inttypes.h", "pthread.h"),
}
CASES = [(std, header) for std, headers in HEADERS.items() for header in headers]


@pytest.mark.parametrize(("std", "header"), CASES)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_macros_and_files_are_the_compilers(
    compiler: str, std: str, header: str, tmp_path: Path
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    file = tmp_path / "main.cc"
    file.write_text(f"#include <{header}>\n")
    trace = scanned(compiler, file, std)
    assert trace.diagnostics == []
    assert {n: shape(d) for n, d in trace.definitions.items()} == macros_of(compiler, file, std)
    included = {os.path.realpath(f) for f in trace.included if "stdc-predef" not in f}
    assert included == files_of(compiler, file, std)


def test_a_macro_knows_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "m.h").write_text(
        "/* one\n   two */ int x;\n#  define   F(a, ...) a + \\\n     #a /* c\n  */ __VA_ARGS__\n"
    )
    (tmp_path / "main.cc").write_text('#include "m.h"\nF(1, 2)\n')
    trace = preprocess(tmp_path / "main.cc", skip_included_text=True)
    definition = trace.definitions["F"]
    file = definition.where.file
    assert definition.where == Source(file, 3, 13)
    assert [(t.text, t.origin[1:]) for t in definition.replacement] == [
        ("a", (3, 23)),
        ("+", (3, 25)),
        ("#", (4, 6)),
        ("a", (4, 7)),
        ("__VA_ARGS__", (5, 6)),
    ]
    assert [t.text for t in trace.output] == ["1", "+", '"1"', "2"]
    whole = preprocess(tmp_path / "main.cc")
    assert whole.definitions["F"].where == definition.where
    assert whole.definitions["F"].same_as(definition)


def test_only_the_main_files_text_comes_out(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("int a;\n#define A 1\nint b = A;\n")
    (tmp_path / "main.cc").write_text('int before;\n#include "a.h"\nint c = A;\n')
    trace = preprocess(tmp_path / "main.cc", skip_included_text=True)
    assert [t.text for t in trace.output] == ["int", "before", ";", "int", "c", "=", "1", ";"]
    assert [Path(f).name for f in trace.included] == ["a.h"]


# Each is a header; `seen` is what the main file sees of it. All agree with a whole reading.
ODD_HEADERS = {
    "a hash in a comment": ("/*\n#define X 0\n*/\n#define X 1\n", "1"),
    "a hash in a raw string": ('auto s = R"(\n#define X 0\n)";\n#define X 1\n', "1"),
    "a comment mark in a string": ('auto s = "/*";\n#define X 1\nauto t = "*/";\n', "1"),
    "a comment mark behind //": ("// see foo/*\n#define X 1\n/* */\n", "1"),
    "a line that goes on": ("int a; \\\n#define X 0\n#define X 1\n", "1"),
    "a // comment that goes on": ("// a \\\n#define X 0\n#define X 1\n", "1"),
    "a comment behind a directive": ("#define X 1 /* a\n#define X 0\n*/ + 2\n", "1 + 2"),
    "a directive behind a comment": ("/* a */ #define X 1\n", "1"),
    "a name in two pieces": ("#def\\\nine X 1\n", "1"),
    "a digraph": ("%:define X 1\n", "1"),
    "a line of blanks and a backslash": ("  \\\n#define X 1\n", "1"),
    "blanks behind a backslash": ("#define X 1 \\ \n + 2\n", "1 + 2"),
    "an apostrophe in a skipped group": (
        "#if 0\ndon't /* x\n#else\n*/\n#endif\n#define X 1\n",
        "1",
    ),
    "carriage returns": ("#define X 1 \\\r\n + 2\r\n", "1 + 2"),
    "elif": ("#if 0\n#elif 1\n#define X 1\n#elif 1\n#define X 2\n#else\n#endif\n", "1"),
    "groups in groups": (
        "#if 1\n#if 0\n#else\n#define X 1\n#endif\n#else\n#define X 2\n#endif\n",
        "1",
    ),
    "push_macro": (
        '#define X 1\n#pragma push_macro("X")\n#undef X\n#define X 2\n#pragma pop_macro("X")\n',
        "1",
    ),
    "_Pragma in skipped text": (
        '#define X 1\n_Pragma("push_macro(\\"X\\")")\n#undef X\n#define X 2\n'
        '#define POP _Pragma("pop_macro(\\"X\\")")\nPOP\n',
        "1",
    ),
    "__COUNTER__ in skipped text": (
        "#define ID(x) PASTE(x, __COUNTER__)\n#define PASTE(a, b) PASTE_(a, b)\n"
        "#define PASTE_(a, b) a##b\nint ID(a), ID(b);\n"
        "#if __COUNTER__ == 2\n#define X __COUNTER__\n#endif\n",
        "3",
    ),
    "__COUNTER__ in a comment": (
        "// __COUNTER__\nint a; /* __COUNTER__ */\n#define X __COUNTER__\n",
        "0",
    ),
    "__INCLUDE_LEVEL__": ("#if __INCLUDE_LEVEL__ == 1\n#define X 1\n#endif\n", "1"),
    "__LINE__ after #line": ("#line 50\n#if __LINE__ == 50\n#define X 1\n#endif\n", "1"),
    "a header named by a macro": ('#define H "more.h"\n#include H\n', "7"),
    "__has_include": (
        '#if __has_include("more.h") && !__has_include(<no.h>)\n#define X 1\n#endif\n',
        "1",
    ),
    "defined from a macro": (
        "#define HAS (defined(X_) && X_ > 1)\n#define X_ 2\n#if HAS\n#define X 1\n#endif\n",
        "1",
    ),
}


@pytest.mark.parametrize("what", ODD_HEADERS)
def test_a_header_means_the_same_with_its_text_skipped(what: str, tmp_path: Path) -> None:
    text, seen = ODD_HEADERS[what]
    (tmp_path / "odd.h").write_bytes(text.encode())
    (tmp_path / "more.h").write_text("#define X 7\n")
    main = tmp_path / "main.cc"
    main.write_text('#include "odd.h"\nSTART X\n')
    skipped = preprocess(main, skip_included_text=True)
    whole = preprocess(main)
    assert skipped.diagnostics == []
    assert [t.text for t in skipped.output] == ["START", *seen.split()]
    assert [t.text for t in whole.output][-len(skipped.output) :] == [
        t.text for t in skipped.output
    ]
    assert {n: shape(d) for n, d in skipped.definitions.items()} == {
        n: shape(d) for n, d in whole.definitions.items()
    }


WRONG_HEADERS = {
    "an #error": "#error stop\n",
    "an include that is not there": '#include "nope.h"\n',
    "a bad expression": "\n  #if 1 +\n#endif\n",
    "an #endif too few": "#if 1\n",
    "an #else too many": "#if 1\n#else\n#else\n#endif\n",
    "a bad parameter list": "#define F(a a) 1\n",
    "## at an end": "#define F ## 1\n",
    "# without a parameter": "#define F(a) #b\n",
    "no macro's name": "#define 1\n",
    "an unknown directive": "#nonsense\n",
}


@pytest.mark.parametrize("what", WRONG_HEADERS)
def test_what_is_wrong_in_a_header_is_said_at_the_same_place(what: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.h").write_text(WRONG_HEADERS[what])
    main = tmp_path / "main.cc"
    main.write_text('#include "wrong.h"\nint x;\n')
    skipped = preprocess(main, skip_included_text=True).diagnostics
    assert skipped != []
    assert list(map(str, skipped)) == list(map(str, preprocess(main).diagnostics))


def test_without_a_compiler_the_built_in_tables_serve(tmp_path: Path) -> None:
    main = tmp_path / "main.cc"
    main.write_text(
        "#if defined __x86_64__ && __has_attribute(unused) && __cplusplus\nyes\n#endif\n"
    )
    trace = preprocess(main, Options(cc="none"))
    assert [t.text for t in trace.output] == ["yes"]
    assert "__GNUC__" not in trace.definitions


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_any_answer_of_a_compiler_is_understood(compiler: str, tmp_path: Path) -> None:
    """gcc 12 says 201904 for an attribute of C that it has since then."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    asked = [
        f"__has_{operator}({name})"
        for operator in ("attribute", "cpp_attribute", "c_attribute")
        for name in ("fallthrough", "__fallthrough__", "nodiscard", "deprecated", "likely", "none")
    ]
    main = tmp_path / "main.c"
    every = [200311, 200809, 201309, 201603, 201803, 201904, 201907, 202003, 202106, 0, 1]
    lines = [
        f"#ifdef {a.partition('(')[0]}\n#if {a} == {v}\nasked({n}, {v})\n#endif\n#endif\n"
        for n, a in enumerate(asked)
        for v in every
    ]
    main.write_text("".join(lines))
    theirs = preprocessed_by(compiler, main, ["-xc", "-std=gnu11"])
    assert theirs
    options = Options(cc=compiler, std="gnu11")
    assert [t.text for t in preprocess(main, options).output] == theirs


def test_a_header_that_counts_may_include_others(tmp_path: Path) -> None:
    """It is read whole; what it includes is not, unless it counts too."""
    (tmp_path / "inner.h").write_text("#define NEXT __COUNTER__\nint text;\n")
    (tmp_path / "outer.h").write_text(
        '#include "inner.h"\nint a = NEXT, b = NEXT;\n#define X NEXT\n'
    )
    (tmp_path / "main.cc").write_text('#include "outer.h"\n#include "inner.h"\nX NEXT\n')
    trace = preprocess(tmp_path / "main.cc", skip_included_text=True)
    assert [t.text for t in trace.output] == ["2", "3"]
    assert [Path(f).name for f in trace.included] == ["outer.h", "inner.h"]


def test_gcc_takes_a_copy_of_a_pragma_once_file_for_the_same(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        header = tmp_path / folder / "same.h"
        header.write_text("#pragma once\n#ifdef SEEN\n#define TWICE\n#endif\n#define SEEN\n")
        os.utime(header, (1_000_000_000, 1_000_000_000))
    main = tmp_path / "main.cc"
    main.write_text('#include "one/same.h"\n#include "two/same.h"\n')
    for compiler in filter(shutil.which, ("gcc", "clang")):
        trace = preprocess(main, Options(cc=compiler), skip_included_text=True)
        assert ("TWICE" in trace.definitions) == ("TWICE" in macros_of(compiler, main, "gnu++17"))


def test_without_a_compiler_standard_headers_are_taken_to_be_empty(tmp_path: Path) -> None:
    main = tmp_path / "main.cc"
    main.write_text(
        "#include <vector>\n#include <stdint.h>\n#if __has_include(<map>)\nyes\n#endif\n"
    )
    for skip in (True, False):
        trace = preprocess(main, Options(cc="none"), skip_included_text=skip)
        assert trace.diagnostics == []
        assert [t.text for t in trace.output] == ["yes"]
    main.write_text("#include <no_such_header>\nint x;\n")
    assert "no such file" in str(preprocess(main, Options(cc="none")).diagnostics[0])


def test_file_is_spelled_as_the_command_line_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("inc/deep", "src", "abs"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "inc" / "deep" / "a.h").write_text('__FILE__\n#include "b.h"\n')
    (tmp_path / "inc" / "deep" / "b.h").write_text("__FILE__\n")
    (tmp_path / "src" / "beside.h").write_text("__FILE__\n")
    (tmp_path / "abs" / "c.h").write_text("__FILE__\n")
    main = Path("src/main.cc")
    main.write_text('__FILE__\n#include <deep/a.h>\n#include "beside.h"\n#include <c.h>\n')
    folders = ("inc/", str(tmp_path / "abs"))
    ours = [t.text for t in preprocess(main, Options(folders)).output]
    assert ours == [
        '"src/main.cc"',
        '"inc/deep/a.h"',
        '"inc/deep/b.h"',
        '"src/beside.h"',
        f'"{tmp_path}/abs/c.h"',
    ]
    for compiler in INSTALLED:
        flags = [f"-I{folder}" for folder in folders]
        assert preprocessed_by(compiler, main, flags) == ours
