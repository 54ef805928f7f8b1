"""Directives, conditionals and includes, clause by clause, against the compilers where they can be
asked. A case is a folder of files; `main.cc` is expanded."""

from __future__ import annotations

from pathlib import Path

import pytest
from compilers import INSTALLED, preprocessed_by, spellings

from visualizer.expansion import Options, Trace, preprocess

CASES: dict[str, tuple[dict[str, str], str]] = {
    "#if, #elif, #else (C23 6.10.2)": (
        {"main.cc": "#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif"},
        "b",
    ),
    "groups that are skipped are not read (p11)": (
        {
            "main.cc": "#if 0\n' \" `\n#if nonsense (\n#else x\n#endif\n#error no\n#else\nyes\n#endif"
        },
        "yes",
    ),
    "#ifdef and #ifndef": (
        {"main.cc": "#define X\n#ifdef X\n1\n#endif\n#ifndef X\n2\n#else\n3\n#endif"},
        "1 3",
    ),
    "defined, with and without parentheses": (
        {"main.cc": "#define X\n#if defined X && defined(X) && !defined Y\nok\n#endif"},
        "ok",
    ),
    "defined inside a macro's replacement, as both compilers have it": (
        {"main.cc": "#define X\n#define HAS defined(X)\n#if HAS\nok\n#endif"},
        "ok",
    ),
    "unknown names are 0": ({"main.cc": "#if nope == 0 && !nope\nok\n#endif"}, "ok"),
    "macros in conditions": (
        {"main.cc": "#define VERSION(a, b) (a * 100 + b)\n#if VERSION(3, 4) >= 304\nok\n#endif"},
        "ok",
    ),
    "arithmetic is done in intmax_t": (
        {
            "main.cc": "#if 0x7fffffffffffffff > 0 && -1 < 0 && (-7 / 2) == -3 && (-7 % 2) == -1\nok\n#endif"
        },
        "ok",
    ),
    "unsigned operands make it unsigned": (
        {"main.cc": "#if -1 > 0u && (0u - 1) == 18446744073709551615u\nok\n#endif"},
        "ok",
    ),
    "shifts": (
        {"main.cc": "#if (1 << 3) == 8 && (-8 >> 1) == -4 && (1u << 63) > 0\nok\n#endif"},
        "ok",
    ),
    "the conditional operator, and what is not evaluated": (
        {"main.cc": "#if (1 ? 2 : 1 / 0) == 2 && (0 && 1 / 0) == 0 && (1 || 1 / 0)\nok\n#endif"},
        "ok",
    ),
    "bases and suffixes": (
        {
            "main.cc": "#if 010 == 8 && 0x1F == 31 && 0b101 == 5 && 10UL == 10 && 1'000 == 1000\nok\n#endif"
        },
        "ok",
    ),
    "character constants": (
        {
            "main.cc": r"#if 'A' == 65 && '\n' == 10 && '\x41' == 'A' && '\0' == 0 && L'a' == 97"
            "\nok\n#endif"
        },
        "ok",
    ),
    "true and false in C++, and operators by name": (
        {
            "main.cc": "#if true and not false and (1 xor 0) and (1 not_eq 2) and compl 0 == -1\nok\n#endif"
        },
        "ok",
    ),
    "#include searches beside the file first": (
        {
            "main.cc": '#include "a.h"\nmain',
            "a.h": '#include "sub/b.h"',
            "sub/b.h": '#include "c.h"',
            "sub/c.h": "c",
        },
        "c main",
    ),
    "#include of a macro": (
        {"main.cc": '#define WHICH "a.h"\n#define LT <\n#include WHICH\n', "a.h": "a"},
        "a",
    ),
    "#pragma once": (
        {"main.cc": '#include "a.h"\n#include "./a.h"\nx', "a.h": "#pragma once\na"},
        "a x",
    ),
    "_Pragma once": (
        {"main.cc": '#include "a.h"\n#include "a.h"\nx', "a.h": '_Pragma("once")\na'},
        "a x",
    ),
    "include guards": (
        {"main.cc": '#include "a.h"\n#include "a.h"\nx', "a.h": "#ifndef A\n#define A\na\n#endif"},
        "a x",
    ),
    "__has_include": (
        {
            "main.cc": '#if __has_include("a.h") && !__has_include("b.h") && !__has_include(<nope>)\nok\n#endif\n'
            "#ifdef __has_include\nknown\n#endif",
            "a.h": "",
        },
        "ok known",
    ),
    "#undef and redefinition in mid-file": (
        {"main.cc": "#define X 1\nX\n#undef X\n#undef X\nX\n#define X 2\nX"},
        "1 X 2",
    ),
    "an equal redefinition is allowed (6.10.5.1)": (
        {"main.cc": "#define F(a) ( a )\n#define F( a ) (  a )\nF(1)"},
        "( 1 )",
    ),
    "push_macro and pop_macro": (
        {
            "main.cc": '#define X 1\n#pragma push_macro("X")\n#undef X\n#define X 2\nX\n#pragma pop_macro("X")\nX'
        },
        "2 1",
    ),
    "the null directive, and # alone with a comment": ({"main.cc": "#\n# /* nothing */\nx"}, "x"),
    "null directives with comments, one of several lines, one in front of a name": (
        {
            "main.cc": '#include "a.h"\nF(1) G __LINE__',
            "a.h": "# /* one\n *   two */ // three\n#define F(x) x __LINE__\n# /**/ define G g\n",
        },
        "1 2 g 2",
    ),
    "#line changes __LINE__ and __FILE__": (
        {"main.cc": '#line 100 "other.c"\n__LINE__ __FILE__\n__LINE__'},
        '100 "other.c" 101',
    ),
    "#line changes nothing before it": (
        {"main.cc": '__LINE__ __LINE__\n#line 100 "other.c"\n'},
        "1 1",
    ),
    "__has_include from a macro": (
        {"main.cc": '#define H __has_include("a.h")\n#if H\nyes\n#endif', "a.h": ""},
        "yes",
    ),
    "__INCLUDE_LEVEL__": (
        {
            "main.cc": '__INCLUDE_LEVEL__\n#include "a.h"\n__INCLUDE_LEVEL__',
            "a.h": "__INCLUDE_LEVEL__",
        },
        "0 1 0",
    ),
    "__COUNTER__ counts in conditions too": (
        {"main.cc": "__COUNTER__\n#if __COUNTER__ == 1\n__COUNTER__\n#endif"},
        "0 2",
    ),
    "#elifdef and #elifndef (C23)": (
        {
            "main.cc": "#define Y\n#ifdef X\n1\n#elifdef Y\n2\n#endif\n#ifdef X\n3\n#elifndef X\n4\n#endif"
        },
        "2 4",
    ),
    "a directive inside the arguments of a macro": (
        {"main.cc": "#define F(x) [x]\nF(a\n#ifdef F\nb\n#else\nc\n#endif\n)"},
        "[a b]",
    ),
    "directives may be indented, spliced and commented": (
        {"main.cc": "  #  def\\\nine X /* one\n line */ 1\n/**/ # if X // yes\nX\n#endif"},
        "1",
    ),
    "no new line at the end": ({"main.cc": "#define X 1\nX"}, "1"),
    "lines that end in CR LF": ({"main.cc": "#define X \\\r\n  1\r\nX\r\n"}, "1"),
    "names in UTF-8, with universal character names and $": (
        {"main.cc": "#define größe 1\n#define $x 2\n#define \\u00e9 3\ngröße $x \\u00e9"},
        "1 2 3",
    ),
    "#pragma leaves no token": ({"main.cc": "#pragma whatever\nx"}, "x"),
}


def write(files: dict[str, str], folder: Path) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes((text + "\n" * (name != "main.cc")).encode())
    return folder / "main.cc"


def expanded(files: dict[str, str], folder: Path) -> Trace:
    return preprocess(write(files, folder), Options(std="gnu++23"))


@pytest.mark.parametrize("name", CASES)
def test_directive(name: str, tmp_path: Path) -> None:
    files, expected = CASES[name]
    trace = expanded(files, tmp_path)
    assert [str(d) for d in trace.diagnostics] == []
    assert [t.text for t in trace.output if not t.text.startswith("#pragma")] == spellings(expected)


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("name", CASES)
def test_directive_as_the_compiler_has_it(name: str, compiler: str, tmp_path: Path) -> None:
    if compiler not in INSTALLED:
        pytest.skip(f"{compiler} is not installed")
    files, expected = CASES[name]
    flags = ["-std=gnu++2b"]
    theirs = preprocessed_by(compiler, write(files, tmp_path), flags)
    assert theirs == spellings(expected)
