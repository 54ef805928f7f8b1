"""What a compiler is asked with: everything that changes what it defines, and nothing that makes it run
a program, however the flag is written and wherever it stands."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from compilers import spellings
from hypothesis import given, settings
from hypothesis import strategies as st

from visualizer.cli import main
from visualizer.expansion import readable
from visualizer.expansion.compile_commands import flags_for
from visualizer.expansion.compiler_flags import is_compiler, may_reach
from visualizer.expansion.lexer import tokenize
from visualizer.workbench.flag_words import FlagError, read_flags

# A text that is another one by each of the flags below.
ASKS = """\
#include "q.h"
#include <late.h>
MACRO_OF_FILE
language __cplusplus __STDC_VERSION__ __STRICT_ANSI__
optimized __OPTIMIZE__ __OPTIMIZE_SIZE__ __FAST_MATH__ __NO_INLINE__ _FORTIFY_SOURCE
processor __AVX2__ __FMA__ __SSE4_2__ __x86_64__ __i386__ __SIZEOF_POINTER__ __LP64__
features _OPENMP __EXCEPTIONS __GXX_RTTI __CHAR_UNSIGNED__ __PIC__ __SSP__ __SSP_STRONG__
more __SANITIZE_ADDRESS__ _REENTRANT __STDC_HOSTED__ __WCHAR_MAX__ __cpp_char8_t __cpp_rtti
GIVEN other(1)
"""
FILES = {
    "quoted/q.h": "from quoted\n",
    "first/q.h": "from first\n#define FORCED 1\n",
    "first/late.h": "from first\n",
    "late/late.h": "from late\n",
    "late/q.h": "from late\n",
    "macros.h": "not_in_the_output\n#define MACRO_OF_FILE GIVEN of_file\n",
    "forced.h": "forced GIVEN\n",
}
SETS = {
    "nothing": "-I late",
    "-O2": "-O2 -I late",
    "-Os": "-Os -I late",
    "-Ofast": "-Ofast -I late",
    "-m": "-mavx2 -mfma -mno-sse4.2 -I late",
    "-march": "-march=haswell -mtune=generic -I late",
    "-m32": "-m32 -I late",
    "-f": "-fopenmp -funsigned-char -fno-exceptions -fno-rtti -I late",
    "-f again": "-fPIC -fstack-protector-strong -fshort-wchar -ffast-math -ffreestanding -I late",
    "sanitizer": "-fsanitize=address,undefined -pthread -I late",
    "-iquote": "-iquote quoted -I first",
    "-idirafter": "-idirafter late -I first",
    "-imacros": "-imacros macros.h -include forced.h -DGIVEN=7 -I late",
    "-undef": "-undef -I late",
    "char8_t": "-fchar8_t -I late",
    "warnings": "-Wall -Wno-unused -g -c -pipe -I late",
}
STANDARDS = (
    *(
        "c90",
        "c89",
        "gnu89",
        "c99",
        "gnu11",
        "c17",
        "iso9899:1990",
        "iso9899:199409",
        "c2x",
        "gnu2x",
    ),
    *("c++98", "gnu++03", "c++11", "c++14", "gnu++17", "c++20", "c++2b", "gnu++23"),
)
DRAWN = (
    *("-O0", "-O1", "-O3", "-Os", "-mavx", "-mno-avx", "-mavx2", "-msse4.1", "-fopenmp", "-fPIC"),
    *("-fno-openmp", "-fno-PIC", "-funsigned-char", "-fsigned-char", "-pthread", "-undef"),
    *("-DGIVEN=1", "-UGIVEN", "-DGIVEN=x+y", "-Dother(x)=<x>", "-iquotequoted", "-Ifirst"),
    *("-isystemfirst", "-isystemlate", "-nostdinc", "-finput-charset=UTF-8"),
    *(
        "-idirafterlate",
        "-imacrosmacros.h",
        "-includeforced.h",
        "-ffreestanding",
        "-fno-math-errno",
    ),
)
SPOKEN = (
    *("", "-xc -std=c99", "-std=gnu11", "-std=c2x", "-xc++ -std=gnu++17", "-std=c++20 -xc++"),
    *("-xassembler-with-cpp", "-ansi", "-xc++ -ansi"),
)
DRIVERS = [name for name in ("gcc", "clang") if shutil.which(name)]

pytestmark = pytest.mark.compiler


@pytest.fixture(autouse=True)
def _headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def by_the_compiler(driver: str, words: list[str], file: Path) -> list[str] | None:
    command = [driver, "-E", "-P", "-w", *words, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return spellings(done.stdout) if done.returncode == 0 else None


def by_us(
    capsys: pytest.CaptureFixture[str], driver: str, words: list[str], file: Path
) -> list[str]:
    assert main(["expand", "-P", "--cc", driver, *words, str(file)]) == 0
    return [t.text for line in tokenize(capsys.readouterr().out, "") for t in line]


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("flags", SETS)
def test_a_set_of_flags_means_what_it_means_to_the_compiler(capsys, driver, flags) -> None:
    words = SETS[flags].split()
    for name in ("main.c", "main.cc"):
        file = Path(name)
        file.write_text(ASKS)
        words_here = [w for w in words if name == "main.cc" or w not in ("-fno-rtti", "-fchar8_t")]
        expected = by_the_compiler(driver, words_here, file)
        if expected is not None:  # clang has no -m32 headers here, gcc no such flag …
            assert by_us(capsys, driver, words_here, file) == expected


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("std", STANDARDS)
def test_a_standard_means_what_it_means_to_the_compiler(capsys, driver, std) -> None:
    file = Path("main.cc" if "++" in std else "main.c")
    file.write_text(ASKS)
    expected = by_the_compiler(driver, [f"-std={std}", "-I", "late"], file)
    if expected is not None:  # else an older name of it was taken
        assert by_us(capsys, driver, [f"-std={std}", "-I", "late"], file) == expected


@pytest.mark.skipif(not DRIVERS, reason="neither gcc nor clang is installed")
@pytest.mark.parametrize("driver", DRIVERS)
@settings(max_examples=20)
@given(st.sampled_from(SPOKEN), st.lists(st.sampled_from(DRAWN), max_size=6))
def test_flags_in_any_order_mean_what_they_mean_to_the_compiler(
    capsys, driver: str, spoken: str, drawn: list[str]
) -> None:
    file = Path("main.c")
    file.write_text(ASKS)
    words = [*spoken.split(), *drawn, "-Ilate"]
    expected = by_the_compiler(driver, words, file)
    assert expected is not None
    assert by_us(capsys, driver, words, file) == expected


@pytest.mark.parametrize("driver", [d for d in ("g++", "clang++") if shutil.which(d)])
@pytest.mark.parametrize("words", ["", "-x c", "-ansi", "-std=c++11", "-O2"])
@pytest.mark.parametrize("name", ["main.c", "main.h", "main.cc"])
def test_a_compiler_of_cxx_takes_c_for_cxx(capsys, driver: str, words: str, name: str) -> None:
    """On a command line and in a database; and without a word on it by the standard that is its own."""
    file = Path(name)
    file.write_text(ASKS)
    given = [*words.split(), "-I", "late"]
    expected = by_the_compiler(driver, given, file)
    assert expected is not None
    assert by_us(capsys, driver, given, file) == expected
    entry = {"directory": ".", "file": name, "arguments": [driver, *given, name]}
    Path("compile_commands.json").write_text(json.dumps([entry]))
    assert main(["expand", "-P", "-p", ".", name]) == 0
    assert spellings(capsys.readouterr().out) == expected


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_header_of_the_compilers_is_named_as_it_spells_its_folder(capsys, driver: str) -> None:
    """Debian's clang says `/usr/bin/../lib/gcc/…`, which is what `__FILE__` is in libstdc++."""
    file = Path("main.cc")
    file.write_text("#include <array>\n")
    expected = by_the_compiler(driver, ["-D_GLIBCXX_ASSERTIONS"], file)
    assert expected is not None
    assert main(["expand", "-P", "--cc", driver, "-D_GLIBCXX_ASSERTIONS", "main.cc"]) == 0
    assert spellings(capsys.readouterr().out) == expected


# ---------------------------------------------------------------------- what never reaches it

RUNS_A_PROGRAM = (
    *("-B.", "-B", "-fplugin=./evil.so", "-fplugin-arg-evil-x", "-fmodule-mapper=|./evil"),
    *("-wrapper", "-specs=evil.specs", "--specs=evil.specs", "-Xclang", "-mllvm", "-o", "-MF"),
    *("-MD", "-save-temps", "-save-temps=obj", "-fdump-tree-all", "--config", "--config=evil.cfg"),
    *("-O2evil", "-mavx2,-B.", "-fopenmp=./evil", "-fuse-ld=./evil", "-march=native\n-B."),
    *("--sysroot=relative", "-load", "-fpass-plugin=./evil.so", "-aux-info", "-dumpdir", "@evil"),
    *("-fprofile-use=./evil", "-imultilib", "-Wp,-specs=evil", "-no-canonical-prefixes"),
)


@pytest.mark.parametrize("word", RUNS_A_PROGRAM)
def test_what_may_run_a_program_reaches_no_compiler(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    """A database is a stranger's: the compiler is a plant that writes down what it is started with."""
    assert not may_reach(word)
    plant = tmp_path / "bin" / "gcc"
    plant.parent.mkdir()
    real = shutil.which("gcc") or shutil.which("clang")
    if real is None:
        pytest.skip("neither gcc nor clang is installed")
    plant.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" >> {tmp_path}/started\npwd >> {tmp_path}/folders\n'
        f'exec {real} "$@"\n'
    )
    plant.chmod(0o755)
    monkeypatch.setenv("PATH", f"{plant.parent}{os.pathsep}{os.environ['PATH']}")
    Path("main.c").write_text("#define X 1\nX __OPTIMIZE__\n")
    evil = tmp_path / "evil" / "gcc"  # its path is never run, only what PATH has by that name
    entry = {"directory": ".", "file": "main.c", "arguments": [str(evil), "-O2", word, "main.c"]}
    Path("compile_commands.json").write_text(json.dumps([entry]))
    main(["expand", "-P", "-p", ".", "main.c"])
    assert capsys.readouterr().out.split()[:1] == ["1"]
    started = (tmp_path / "started").read_text().split("\n")
    assert "-O2" in started or word in ("-wrapper", "-B", "-o", "-MF", "-Xclang", "-mllvm")
    assert word not in started
    assert not any("evil" in said for said in started)
    assert str(tmp_path) not in (tmp_path / "folders").read_text().split()  # an empty one instead


def test_a_flag_that_may_not_reach_it_is_refused_where_a_user_types_it() -> None:
    with pytest.raises(FlagError, match=r"-fplugin=x: no flag that a compiler is asked with"):
        read_flags(["-fplugin=x"])


def test_a_preprocessor_without_tokens_is_refused_with_the_reason() -> None:
    with pytest.raises(FlagError, match="-traditional-cpp: it replaces macros in characters"):
        read_flags(["-traditional-cpp"])


@pytest.mark.parametrize("name", ["gcc", "g++-13", "clang-14", "cc", "aarch64-linux-gnu-gcc"])
def test_a_compiler_is_known_by_its_name(name: str) -> None:
    assert is_compiler(name)


@pytest.mark.parametrize("name", ["./gcc", "/usr/bin/gcc", "nvcc", "gcc;sh", "", "evil gcc", "sh"])
def test_what_is_not_called_as_one_is_no_compiler(name: str) -> None:
    assert not is_compiler(name)


# ---------------------------------------------------------------------- what it doesn't take


@pytest.mark.skipif("gcc" not in DRIVERS, reason="gcc is not installed")
def test_a_flag_that_this_compiler_does_not_take_is_said(capsys, tmp_path: Path) -> None:
    Path("main.c").write_text("__OPTIMIZE__\n")
    assert main(["expand", "-P", "--cc", "gcc", "--target=sparc", "-O2", "main.c"]) == 0
    said = capsys.readouterr()
    assert said.out.split() == ["1"]
    assert "gcc here can't be asked about --target=sparc" in said.err


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_standard_that_this_compiler_does_not_know_is_read_as_an_older_one(
    driver: str, capsys, tmp_path: Path
) -> None:
    """gcc 12 and clang 14 know neither; a compiler that does needs no remark."""
    Path("main.c").write_text("__STDC_VERSION__\n")
    assert main(["expand", "-P", "--cc", driver, "--std", "c2y", "main.c"]) == 0
    said = capsys.readouterr()
    assert said.out.split()[0].rstrip("L").isdigit()
    known = by_the_compiler(driver, ["-std=c2y"], Path("main.c")) is not None
    assert known == ("doesn't know c2y" not in said.err)


def test_a_compiler_that_is_not_here_is_stood_in_for_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("main.c").write_text("x\n")
    entry = {"directory": ".", "file": "main.c", "arguments": ["/opt/nvcc", "-O2", "main.c"]}
    Path("compile_commands.json").write_text(json.dumps([entry]))
    flags = flags_for(".", "main.c")
    assert flags.options.cc == "auto"
    note = flags.note("main.c")
    assert note is not None
    assert note.message == "compiled by nvcc"
    assert "--cc" in note.hint
    monkeypatch.setenv(readable.VARIABLE, str(tmp_path))
    served = flags.note("main.c")
    assert served is not None
    assert "--cc" not in served.hint, "a visitor has no command line"


def test_a_response_file_is_read_as_the_compiler_reads_it(capsys, tmp_path: Path) -> None:
    Path("main.c").write_text("GIVEN __OPTIMIZE__\n")
    Path("flags").write_text('-DGIVEN="a b" -O2')
    Path("both").write_text("@flags")
    assert main(["expand", "-P", "main.c", "@both"]) == 0
    assert capsys.readouterr().out.split() == ["a", "b", "1"]


@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "long"])
def test_what_is_no_file_of_flags_is_not_read(name: str, tmp_path: Path) -> None:
    os.mkfifo("pipe")
    Path("long").write_text(" " * 2_000_000)
    Path("main.c").write_text("x\n")
    entry = {"directory": ".", "file": "main.c", "arguments": ["gcc", "-DX", f"@{name}", "main.c"]}
    Path("compile_commands.json").write_text(json.dumps([entry]))
    assert flags_for(".", "main.c").options.macros == (("D", "X"),)


def test_flags_of_a_command_line_and_of_a_database_are_the_same(tmp_path: Path) -> None:
    """Every word that both have."""
    text = "-Ia -isystem b -iquote c -idirafter d -imacros e -include f -DX=1 -UY -O2 -mavx2 -fPIC"
    text += " -pthread -undef -std=c11 --target=x -isysroot /sdk -stdlib=libc++"
    entry = {"directory": ".", "file": "main.c", "arguments": ["gcc", *text.split(), "main.c"]}
    Path("compile_commands.json").write_text(json.dumps([entry]))
    database, typed = flags_for(".", "main.c").options, read_flags(text.split()).options()
    here = f"{tmp_path}/"
    for name in ("include_folders", "system_folders", "quote_folders", "after_folders"):
        assert [f.removeprefix(here) for f in getattr(database, name)] == list(getattr(typed, name))
    for name in ("macros", "forced_includes", "macro_files", "compiler_flags", "std"):
        assert getattr(database, name) == getattr(typed, name)


@pytest.mark.parametrize("driver", DRIVERS)
def test_embed_is_stood_in_for_where_the_compiler_has_none_and_said(driver: str, capsys) -> None:
    """gcc 12 and clang 14 refuse it."""
    Path("data").write_bytes(b"ab")
    Path("main.c").write_text('#embed "data"\n')
    assert main(["expand", "-P", "--cc", driver, "main.c"]) == 0
    said = capsys.readouterr()
    assert said.out.split() == ["97,", "98"]
    refused = by_the_compiler(driver, [], Path("main.c")) is None
    assert refused == ("main.c:1:2: warning: this compiler has no #embed" in said.err)
