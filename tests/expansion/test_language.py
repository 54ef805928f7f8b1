"""What each language standard changes about reading characters, as gcc and clang have it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from compilers import INSTALLED

from visualizer.cli import main
from visualizer.expansion import Options, preprocess
from visualizer.expansion.language import language
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.tokens import PRAGMA
from visualizer.workbench.flag_words import read_flags, split_flags

SOURCE = """\
??=define X 1
X ??( ??) "??/"" L??/
X a??/
b ??>
int i = 1'000;
u8"x" L'x' "a"_b
"""
HEADERS = """\
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#ifdef __cplusplus
cplusplus
#endif
int f(int *new) { assert(new != NULL); return true; }
"""
STANDARDS = ("c99", "c11", "c17", "gnu17", "c++98", "c++11", "c++14", "c++17", "gnu++14", "gnu++20")


def spelled(text: str, std: str) -> list[str]:
    return [t.text for line in tokenize(text, "", language(std)) for t in line]


def test_trigraphs_are_read_only_where_the_standard_has_them(tmp_path: Path) -> None:
    file = tmp_path / "main.c"
    file.write_text("??=define X 1\nX\n")
    assert [t.text for t in preprocess(file, Options(std="c17")).output] == ["1"]
    assert "X" in [t.text for t in preprocess(file, Options(std="gnu17")).output]
    assert "X" in [t.text for t in preprocess(file, Options(std="c23")).output]


@pytest.mark.parametrize(("std", "expected"), [("c17", "f ( 0 , )"), ("gnu17", "f ( 0 )")])
def test_gnus_comma_stays_before_an_empty_argument_in_strict_c(
    std: str, expected: str, tmp_path: Path
) -> None:
    file = tmp_path / "main.c"
    file.write_text("#define V(...) f(0, ## __VA_ARGS__)\nV()\n")
    assert [t.text for t in preprocess(file, Options(std=std)).output] == expected.split()


def test_a_token_behind_trigraphs_and_splices_knows_its_column(tmp_path: Path) -> None:
    file = tmp_path / "main.c"
    file.write_text("??( a ??/\n  b\n")
    tokens = preprocess(file, Options(std="c17")).output
    assert [(t.text, t.origin[1:]) for t in tokens] == [("[", (1, 1)), ("a", (1, 5)), ("b", (2, 3))]


@pytest.mark.parametrize(
    ("name", "words", "version"),
    [
        ("a.c", "", "__cplusplus 201710L"),
        ("a.c", "--std c11", "__cplusplus 201112L"),
        ("a.c", "--std gnu++20", "202002L __STDC_VERSION__"),
        ("a.c", "-x c++", "201703L __STDC_VERSION__"),
        ("a.h", "", "201703L __STDC_VERSION__"),
        ("a.h", "-x c", "__cplusplus 201710L"),
        ("a.h", "-x c --std c99", "__cplusplus 199901L"),
        ("a.C", "", "201703L __STDC_VERSION__"),
        ("a.cc", "", "201703L __STDC_VERSION__"),
    ],
)
def test_a_files_name_says_its_language_where_no_flag_does(
    name: str, words: str, version: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text("__cplusplus __STDC_VERSION__\n")
    options, _ = read_flags(["--cc", "none", *split_flags(words)]).options_for(file)
    assert [t.text for t in preprocess(file, options).output] == version.split()


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_c_file_gets_what_cc_gives_it(compiler: str, tmp_path: Path) -> None:
    """`assert`, NULL, `true` and `#ifdef __cplusplus` are others in C++."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    file = tmp_path / "main.c"
    file.write_text(HEADERS)
    command = [compiler, "-E", "-P", "-w", "-std=gnu17", str(file)]
    theirs = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ours = preprocess(file, Options(cc=compiler)).output
    assert [t.text for t in ours if t.kind != PRAGMA] == spelled(theirs, "gnu17")


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("std", STANDARDS)
def test_the_same_text_in_each_standard(std: str, compiler: str, tmp_path: Path) -> None:
    if compiler not in INSTALLED:
        pytest.skip(f"{compiler} is not installed")
    file = tmp_path / "main.c"
    file.write_text(SOURCE)
    kind = "c++" if "++" in std else "c"
    command = [compiler, "-x", kind, f"-std={std}", "-E", "-P", "-w", str(file)]
    theirs = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    ours = preprocess(file, Options(std=std)).output
    assert [t.text for t in ours] == spelled(theirs, std)


@pytest.mark.parametrize(
    ("beside", "language"),
    [
        (("a.c", "b.c"), "c"),
        (("a.c", "b.cpp"), "c++"),
        (("a.c", "b.hpp"), "c++"),
        (("b.cc",), "c++"),
        ((), "c++"),
    ],
)
def test_a_header_is_of_the_language_of_the_files_beside_it(
    beside: tuple[str, ...], language: str, tmp_path: Path
) -> None:
    for name in beside:
        (tmp_path / name).write_text("x\n")
    header = tmp_path / "h.h"
    header.write_text("#ifdef __cplusplus\nc++\n#else\nc\n#endif\n")
    assert "".join(t.text for t in preprocess(header).output) == language


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", [c for c in ("gcc", "clang") if shutil.which(c)])
@pytest.mark.parametrize("std", ["c17", "gnu17", "c2x", "c++17", "gnu++17", "c++2b"])
@pytest.mark.parametrize("where", ["text", "header"])
def test_elifdef_is_a_directive_where_the_compiler_has_it(
    where: str, std: str, compiler: str, tmp_path: Path
) -> None:
    """In a standard of before 2023, gcc takes it for none; clang has it in all."""
    program = "#define X\n#if 0\n#elifdef X\n#define W elifdef\n#else\n#define W else\n#endif\n"
    program += "#if 0\n#if 0\n#elifndef X\n#endif\n#elifndef X\n#else\n#define V\n#endif\n"
    main = tmp_path / ("m.cc" if "+" in std else "m.c")
    (tmp_path / "h.h").write_text(program)
    main.write_text(
        (program if where == "text" else '#include "h.h"\n') + "W\n#ifdef V\nV2\n#endif\n"
    )
    command = [compiler, "-E", "-P", "-w", f"-std={std}", str(main)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for skip in (True, False):
        trace = preprocess(main, Options(cc=compiler, std=std), skip_included_text=skip)
        assert [t.text for t in trace.output] == done.stdout.split()


RAW = """\
#define A 1
#define R 5
char *s = R"(A "A)" ;
char *t = u8R"x(A "A)x" A;
int r = R "a" uR;
"""
RAW_THAT_IS_NONE = ('int r = R"a";\n', '#define R 5\nint r = R"a";\n', 'f(LR"b c", A)\n')


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", [c for c in ("gcc", "clang") if shutil.which(c)])
@pytest.mark.parametrize("std", ["gnu17", "c17", "gnu89", "gnu++17", "c++98"])
def test_raw_strings_are_read_where_the_compiler_has_them(
    compiler: str, std: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """clang has them in C since its release 19; one that does not begin as one is refused."""
    file = tmp_path / "main.c"
    words = [f"-std={std}", "-x", "c++" if "++" in std else "c", str(file)]
    for text in (RAW, *RAW_THAT_IS_NONE):
        file.write_text(text)
        theirs = subprocess.run(
            [compiler, "-E", "-P", "-w", *words], capture_output=True, text=True, check=False
        )
        assert main(["expand", "-P", "--cc", compiler, *words]) == theirs.returncode
        ours = capsys.readouterr().out
        if theirs.returncode == 0:
            assert ours.split() == theirs.stdout.split()


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", [c for c in ("gcc", "clang") if shutil.which(c)])
@pytest.mark.parametrize("std", ["gnu89", "c90", "c99", "c++98"])
@pytest.mark.parametrize("text", ["int aéb = 1;\nx é\n", "#define é 2\né aéb\n"])
def test_a_name_has_the_letters_that_the_compiler_gives_it(
    compiler: str, std: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """gcc's C has none but ASCII's before C99."""
    file = tmp_path / "main.c"
    file.write_text(text)
    words = [f"-std={std}", "-x", "c++" if "++" in std else "c", str(file)]
    command = [compiler, "-E", "-P", "-w", *words]
    theirs = subprocess.run(command, capture_output=True, text=True, check=False)
    assert main(["expand", "-P", "--cc", compiler, *words]) == theirs.returncode
    assert capsys.readouterr().out.split() == theirs.stdout.split()
