"""Macros in pragmas: which are replaced, gcc and clang say."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from visualizer.cli import main

pytestmark = pytest.mark.compiler
DRIVERS = [name for name in ("gcc", "clang") if shutil.which(name)]
HEAD = "#define N 4\n#define F(x) (x+N)\n#define omp other\n#define OPERATOR(x) _Pragma(#x)\n"
PRAGMAS = """\
#pragma omp parallel num_threads(N) if(F(2))
#pragma omp simd safelen(N)
#pragma omp declare simd simdlen(N)
#pragma omp threadprivate(N)
#pragma omp no_such_directive N
#pragma omp
#pragma acc parallel num_gangs(N)
#pragma GCC unroll N
#pragma STDC FP_CONTRACT N
#pragma N F(1)
#pragma pack(N)
_Pragma("omp parallel for num_threads(N)") for
OPERATOR(omp parallel num_threads(N) if(F(1))) {}
#pragma omp parallel \\
    num_threads(N)
"""
FLAGS = [(), ("-fopenmp",), ("-fopenmp-simd",), ("-fopenacc",), ("-fopenmp", "-fopenacc")]


def lines(text: str) -> list[str]:
    """Each with its words, however they are spaced."""
    each = ("".join(line.split()) for line in text.splitlines() if not line.startswith("# "))
    return [line for line in each if line]


@pytest.mark.parametrize("compiler", DRIVERS)
@pytest.mark.parametrize("flags", FLAGS, ids=" ".join)
def test_macros_in_pragmas(
    flags: tuple[str, ...],
    compiler: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    said = '#pragma message("a")\n'
    if compiler == "gcc":
        said = "#pragma message(N)\n#pragma redefine_extname N F(1)\n"
    else:  # gcc finds no name of a directive there, and goes on with the next line's
        said += "#pragma omp N F(1)\n"
    Path("m.c").write_text(HEAD + PRAGMAS + said)
    command = [compiler, "-E", "-w", *flags, "m.c"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "-fopenacc" in flags and done.returncode:
        pytest.skip(f"{compiler} has no OpenACC")
    assert done.returncode == 0
    assert main(["expand", "m.c", "--cc", compiler, *flags]) == 0
    assert lines(capsys.readouterr().out) == lines(done.stdout)


DONE_WITH = """\
#define P(x) _Pragma(#x)
#define S "s"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wno-unused"
#pragma GCC diagnostic ignored "-W" "unused"
#pragma GCC diagnostic warning "-Wall" x
#pragma GCC diagnostic other "-Wunused"
#pragma clang diagnostic ignored "-Weverything"
#pragma clang diagnostic ignored "unused"
#pragma GCC diagnostic pop x
#pragma GCC diagnostic pop
#pragma diagnostic ignored "-Wnope"
_Pragma("GCC diagnostic ignored \\"-Wnope\\"") a
P(GCC diagnostic ignored "-Wall") b
#pragma message("said")
#pragma message ("a" S)
#pragma GCC warning "said"
_Pragma("GCC warning \\"said\\"") c
_Pragma("GCC poison ZZ") d
P(GCC system_header) e
#pragma region a
#pragma endregion
#pragma mark a
#pragma hdrstop
#pragma clang system_header
#pragma comment(lib, "m")
"""


@pytest.mark.parametrize("compiler", DRIVERS)
def test_what_a_compiler_is_done_with_is_not_printed(
    compiler: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """clang prints no `diagnostic` of a warning that it doesn't know, which libstdc++ has."""
    file = tmp_path / "m.c"
    file.write_text(DONE_WITH)
    done = subprocess.run(
        [compiler, "-E", "-P", "-w", file], capture_output=True, text=True, check=True
    )
    assert main(["expand", "-P", str(file), "--cc", compiler]) == 0
    said = capsys.readouterr()
    assert lines(said.out) == lines(done.stdout)
    assert "m.c:18:13: warning: said" in said.err


@pytest.mark.parametrize("compiler", DRIVERS)
@pytest.mark.parametrize(
    "said",
    [
        '#pragma GCC error "no"',
        '_Pragma("GCC error \\"no\\"")',
        "#pragma GCC error no",
        "#pragma GCC poison X\nX",
        '_Pragma("GCC poison X")\n#define X',
        'X _Pragma("GCC poison X")',
        '_Pragma("GCC poison X") X',
        'int a; _Pragma("GCC poison X") int b\n= X;',
        '#define F(x) _Pragma("GCC poison X") x\nF(X)',
        '#define F(x) _Pragma("GCC poison X") x\nF(X) X',
    ],
)
def test_what_a_pragma_refuses_is_an_error(said: str, compiler: str, tmp_path: Path) -> None:
    file = tmp_path / "m.c"
    file.write_text(f"{said}\n")
    done = subprocess.run([compiler, "-E", "-w", file], capture_output=True, check=False)
    assert main(["expand", str(file), "--cc", compiler]) == bool(done.returncode)


OF_MACROS = """\
#define S(x) #x
#define XS(x) S(x)
#define PR(x) _Pragma(S(x))
#define DIAGNOSTIC(x) PR(GCC diagnostic x)
#define ID(x) x
#define W L"wide"
DIAGNOSTIC(push) a
DIAGNOSTIC(ignored S(-Wunused)) b
ID(ID(PR(in an argument)) c)
XS(PR(z)) d
_Pragma(
S(over
lines)
) e
_Pragma(W) f
DIAGNOSTIC(pop)
"""


@pytest.mark.parametrize("compiler", DRIVERS)
def test_the_string_of_a_pragma_may_be_of_macros(
    compiler: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what is made a string itself is no pragma yet."""
    file = tmp_path / "a.c"
    file.write_text(OF_MACROS)
    assert main(["expand", "-P", "--cc", compiler, str(file)]) == 0
    theirs = subprocess.run(
        [compiler, "-E", "-P", "-w", file], capture_output=True, text=True, check=True
    )
    assert lines(capsys.readouterr().out) == lines(theirs.stdout)
