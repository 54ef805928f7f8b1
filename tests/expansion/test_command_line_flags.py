"""cc's own flags, each held to the compilers': where headers are looked for, and what is defined."""

from __future__ import annotations

from pathlib import Path

import pytest
from compilers import INSTALLED, preprocessed_by, spellings

from visualizer.expansion import Options, preprocess

FILES = {
    "one/x.h": "one\n#if __has_include_next(<x.h>)\n#include_next <x.h>\n#endif\n",
    "two/x.h": "two\n",
    "system/x.h": "system\n",
    "system/y.h": "#include_next <y.h>\n",
    "late/y.h": "late_y\n",
    "forced.h": "#define FORCED 1\nforced\n",
}
CASES = {
    "-I in its order": (Options(include_folders=("one", "two")), "#include <x.h>\n", "one two"),
    "-I before -isystem": (
        Options(include_folders=("two",), system_folders=("system",)),
        "#include <x.h>\n",
        "two",
    ),
    "#include_next goes on behind the folder of the file": (
        Options(include_folders=("one",), system_folders=("system", "late")),
        "#include <x.h>\n#include <y.h>\n",
        "one system late_y",
    ),
    "-D and -U in their order": (
        Options(macros=(("D", "A=2"), ("D", "B"), ("U", "A"), ("D", "C(x)=x+1"))),
        "A B C(3)\n",
        "A 1 3+1",
    ),
    "-include is read before the file": (
        Options(forced_includes=("forced.h",)),
        "FORCED\n",
        "forced 1",
    ),
}


def flags(options: Options) -> list[str]:
    words = [f"-{letter}{text}" for letter, text in options.macros]
    words += [word for folder in options.include_folders for word in ("-I", folder)]
    words += [word for folder in options.system_folders for word in ("-isystem", folder)]
    return words + [word for name in options.forced_includes for word in ("-include", name)]


@pytest.fixture(autouse=True)
def _in_a_folder_of_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", CASES)
def test_flag(name: str) -> None:
    options, source, expected = CASES[name]
    Path("main.cc").write_text(source)
    trace = preprocess("main.cc", options)
    assert trace.diagnostics == []
    assert [t.text for t in trace.output] == spellings(expected)


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("name", CASES)
def test_flag_as_the_compiler_has_it(name: str, compiler: str) -> None:
    if compiler not in INSTALLED:
        pytest.skip(f"{compiler} is not installed")
    options, source, expected = CASES[name]
    Path("main.cc").write_text(source)
    assert preprocessed_by(compiler, Path("main.cc"), flags(options)) == spellings(expected)
