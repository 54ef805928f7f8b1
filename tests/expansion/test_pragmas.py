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
