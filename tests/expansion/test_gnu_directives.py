"""What gcc and clang have beside the standard's directives, held to both."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from compilers import spellings

from visualizer.cli import main
from visualizer.expansion.lexer import tokenize

DRIVERS = [name for name in ("gcc", "clang") if shutil.which(name)]
HEADERS = {
    "h.h": "int h;\n",
    "s.h": "#pragma GCC system_header\nint of_the_system;\n",
    "p.h": "#pragma GCC poison inner\n",
    "f.h": "__FILE__\n",
    "m.h": "#import <h.h>\n#import <h.h>\n",
}
TEXTS = {
    "#import reads a file once": '#import "h.h"\n#include "h.h"\n#import "h.h"\nx\n',
    "#import reads no file that was included": '#include "h.h"\n#import "h.h"\nx\n',
    "#import in a header": '#include "m.h"\n#include "h.h"\nx\n',
    "#assert": "#assert machine(toy)\n#assert word(y z)\n#if #machine(toy) && #machine && !#w(z)\n"
    "yes\n#endif\n#unassert machine(toy)\n#if #machine(toy)\nno\n#endif\n#if #word( y  z )\nyes\n"
    "#endif\n#unassert word\n#if #word\nno\n#endif\n#if #system(linux) && #cpu\nyes\n#endif\n",
    "system_header": '#include "s.h"\nx\n',
    "a name and its replacement are another matter": "#define foo 1\n#pragma GCC poison bar\nfoo\n",
    "__FILE_NAME__": '__FILE_NAME__ __TIMESTAMP__\n#line 5 "a/b.c"\n__FILE_NAME__\n',
    "defined as a macro's last word": "#define R defined\n#define Q R\n#define X 1\n#if R X && Q X\n"
    "yes\n#endif\n#define Z defined (\n#if Z X) && !(Z Y))\nyes\n#endif\n",
    "defined before what stands in parentheses": "#define D defined\n#define X 1\n"
    "#if D(X) && !D(Y)\nyes\n#endif\n",
    "#ident and #sccs": '#ident "x"\n#sccs "y"\nz\n',
    "dots of several macros": "#define E(x) x\nE(.)E(.)E(.)x E(.)E(.)E(.) ... .5 E(.)5\n",
    "escapes in #line": '#line 5 "a\\tb\\"c\\\\d\\101\\x42\\n"\n__FILE__ __FILE_NAME__\n',
    "u8 before a character": "#define u8 7 *\nu8'x' u'x' u8\"x\"\n",
    "a poisoned name in what was read before": "#define foo 1\n#define use foo\n"
    "#pragma GCC poison foo\nuse\n",
    "push_macro leaves no line": '#define A 1\n#pragma push_macro("A")\n#undef A\nA\n'
    '#pragma pop_macro("A")\nA _Pragma("push_macro(\\"A\\")") A\n',
    "the compiler's operators in text": "#define H(x) __has_attribute(x)\n#define N noreturn\n"
    "#define S(x) #x\n#define S2(x) S(x)\nH(N) H(no_such) __has_builtin(__builtin_expect)\n"
    "S(__has_attribute(noreturn)) S2(__has_attribute(noreturn)) __has_attribute\n(unused)\n",
    "an operator that is a macro": "#undef __has_builtin\n#ifdef __has_builtin\nno\n#endif\n"
    "#define __has_builtin(x) x + 1\n#if __has_builtin(__builtin_expect) == 1\nyes\n#endif\n"
    "__has_builtin(2)\n",
    "pragmas among arguments": "#define F(x, y) [x|y]\n#define S(x) #x\n#define I(x) x\nF(a,\n"
    "#pragma GCC diagnostic push\nb) S(p\n#pragma here y\nq) I(I)\n#pragma there\n(F(1,2\n"
    "#pragma twice\n))\nI\n#pragma not_among\n(1)\n",
    "push_macro among arguments": '#define F(x) [x]\n#define Q 1\nF(Q\n#pragma push_macro("Q")\n'
    '#undef Q\n#define Q 2\nQ\n#pragma pop_macro("Q")\nQ) Q\n',
    "quotes that nobody closes": "#define M 3\n#define Q it's M\nM it's M\nM \"abc M\nQ\n",
    "a file beside the main file": '#include "f.h"\n',
}
REFUSED = {
    "a poisoned name": "#pragma GCC poison foo\nfoo\n",
    "a poisoned name in a condition": "#pragma GCC poison foo\n#ifdef foo\n#endif\n",
    "a poisoned name in a replacement": "#pragma GCC poison foo\n#define bar foo\n",
    "a name that a header poisons": '#include "p.h"\ninner\n',
    "an operator for #if alone": "int a = __has_include(<stdio.h>);\n",
    "an operator of nothing": "int a = __has_attribute(); int b = __has_attribute;\n",
    "an operator without its end": "int a = __has_attribute(noreturn\n",
    "#line of a wide name": '#line 7 L"x"\n',
}

pytestmark = pytest.mark.compiler


@pytest.fixture(autouse=True)
def _headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in HEADERS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def by_the_compiler(driver: str, text: str) -> list[str] | None:
    Path("main.c").write_text(text)
    command = [driver, "-E", "-P", "-w", "-I.", "main.c"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return spellings(done.stdout) if done.returncode == 0 else None


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("name", TEXTS)
def test_it_means_what_it_means_to_the_compiler(name: str, driver: str, capsys) -> None:
    expected = by_the_compiler(driver, TEXTS[name])
    code = main(["expand", "-P", "-I.", "--cc", driver, "main.c"])
    output = capsys.readouterr().out
    assert (code == 0) == (expected is not None)  # clang has no assertions
    if expected is not None:
        assert spellings(output) == expected


@pytest.mark.skipif("gcc" not in DRIVERS, reason="gcc is not installed")
def test_a_pragma_among_arguments_comes_before_what_they_become(capsys) -> None:
    Path("main.c").write_text(TEXTS["pragmas among arguments"])
    command = ["gcc", "-E", "-P", "main.c"]
    expected = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert main(["expand", "-P", "--cc", "gcc", "main.c"]) == 0
    ours, theirs = (
        [t.text for line in tokenize(text, "") for t in line]
        for text in (capsys.readouterr().out, expected)
    )
    assert ours == theirs


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("name", REFUSED)
def test_what_the_compiler_refuses_is_refused(name: str, driver: str, capsys) -> None:
    assert by_the_compiler(driver, REFUSED[name]) is None
    assert main(["expand", "-P", "-I.", "--cc", driver, "main.c"]) == 1
    assert "main.c:" in capsys.readouterr().err


def test_the_standard_input_is_a_file_of_its_own_name(monkeypatch, capsys) -> None:
    typed = io.TextIOWrapper(io.BytesIO(b'#include "h.h"\n__FILE__ __LINE__\n'))
    monkeypatch.setattr(sys, "stdin", typed)
    assert main(["expand", "-P", "-x", "c", "-"]) == 0
    assert capsys.readouterr().out.split() == ["int", "h;", '"<stdin>"', "2"]
