"""What a compiler refuses is told at the line that its writer can mend."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from registry_runtime.native.compiler import PLAIN, CompilerFailed, compile_with
from visualizer.workbench.machine_compiler import NoCompiler, cxx_compiler

pytestmark = pytest.mark.compiler

FILE = "/somewhere/kernel.cc"

each_compiler = pytest.mark.parametrize(
    "compiler",
    [
        pytest.param(name, marks=pytest.mark.skipif(not shutil.which(name), reason=f"no {name}"))
        for name in ("gcc", "clang")
    ],
)


def refused(compiler: str, text: str, folder: Path, *words: str) -> CompilerFailed:
    numbered = f'# 1 "{FILE}"\n{text}'.encode()
    command = [cxx_compiler(compiler), *PLAIN, "-x", "c++", *words, "-", "-o", "made"]
    with pytest.raises(CompilerFailed) as failed:
        compile_with(command, numbered, folder, FILE)
    return failed.value


@each_compiler
def test_an_error_in_a_macro_is_told_where_it_is_used(compiler: str, tmp_path: Path) -> None:
    (tmp_path / "m.h").write_text("#define INNER(x) x + nobody\n#define OUTER(x) INNER(x)\n")
    text = '#include "m.h"\nint f(int a) {\n  return OUTER(a);\n}\n'
    first = refused(compiler, text, tmp_path, "-c", f"-iquote{tmp_path}").errors[0]
    assert (first.where.file, first.where.line, first.where.column) == (FILE, 3, 10)
    assert "nobody" in first.message


@each_compiler
def test_what_nobody_defines_is_named(compiler: str, tmp_path: Path) -> None:
    text = "namespace n { template <typename T> T twice(T); }\nint main() { n::twice<int>(2); }\n"
    assert refused(compiler, text, tmp_path).undefined == ("n::twice",)


def test_without_a_compiler_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCompiler, match=r"install g\+\+ or clang\+\+"):
        cxx_compiler()


def test_for_a_visitor_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNFOLD_ROOTS", "/")
    with pytest.raises(NoCompiler):
        cxx_compiler()
