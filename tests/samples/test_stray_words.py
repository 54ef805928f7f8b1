"""A stray word before a registration: g++ refuses the sample, and Unfold at that word, once."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.samples.aten import STANDARD_LIBRARY as OF_ATEN
from tests.samples.fluid import STANDARD_LIBRARY as OF_FLUID
from tests.samples.precompiled import precompiled
from visualizer.expansion import Options
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import samples_folder

SAMPLES = samples_folder()
LIBRARY = (*OF_ATEN, *OF_FLUID)

# Where registrations begin, each with another declaration first when it is expanded.
REGISTRATIONS = {
    "TORCH_LIBRARY_IMPL(myops, CPU, m)": "aten/myops.cc",
    "REGISTER_DISPATCH(add_stub": "aten/ufunc_add_kernel.cc",
    "PD_REGISTER_KERNEL(softmax, CPU": "phi/softmax_kernel.cc",
    "REGISTER_OPERATOR(trace,": "fluid/trace_op.cc",
    "PD_REGISTER_INFER_META_FN(trace,": "fluid/trace_infermeta.cc",
}

# A line before it, the word in it that is wrong, and what is said of that.
STRAY = {
    "oops": ("oops", "`oops` does not name a type"),
    "MY_EXPORT": ("MY_EXPORT", "`MY_EXPORT` does not name a type"),
    "static": ("static", "`static` "),
    "extern": ("extern", "`extern` "),
    "int": ("int", "`int` stands alone"),
    "int x": ("x", "`;` is missing after `x`"),
    "void f()": (")", "`;` is missing after `)`"),
    "struct A {}": ("}", "`;` is missing after `}`"),
    ")": (")", "`)` is not expected here"),
    "}": ("}", "this `}` closes nothing"),
    "namespace left_open {": ("{", "this `{` is never closed"),
}
LATER = {  # of what the word makes, a compiler complains where that is used
    "TORCH_LIBRARY_IMPL(myops, CPU, m)": {
        "const": "`TORCH_LIBRARY_IMPL_init_myops_CPU_0` returns another type above",
        "constexpr": "`TORCH_LIBRARY_IMPL_init_myops_CPU_0` is constexpr at one place",
        "template <typename T>": "`TORCH_LIBRARY_IMPL_init_myops_CPU_0` is a template of <T>",
    },
    "PD_REGISTER_KERNEL(softmax, CPU": {
        "template <typename T>": "`template <typename T>` stands alone",
        "const": "`const` is for objects and functions",
        "constexpr": "`constexpr` is for objects and functions",
    },
}
TAKEN = (";", "int x;", "[[maybe_unused]] int x;", "#define MY_EXPORT\nMY_EXPORT")


def broken(registration: str, line: str, folder: Path) -> Path:
    """The sample with this line before the registration, beside what it includes."""
    sample = SAMPLES / REGISTRATIONS[registration]
    text = sample.read_text()
    assert text.count(registration) == 1
    for header in {*SAMPLES.glob("*/*.h")}:
        text = text.replace(
            f'#include "{header.name}"', f'#include "{sample.parent / header.name}"'
        )
    path = folder / sample.name
    path.write_text(text.replace(registration, f"{line}\n{registration}"))
    return path


def standard(path: Path) -> str:
    return "c++20" if "torch" in path.read_text() or "at::" in path.read_text() else "c++17"


def opened(path: Path) -> Workbench:
    return open_file(path, Options(std=standard(path)))


def refused_by_gxx(path: Path) -> bool:
    command = [
        "g++",
        *precompiled("g++", f"-std={standard(path)}", *LIBRARY),
        "-w",
        "-fsyntax-only",
    ]
    return subprocess.run([*command, str(path)], capture_output=True).returncode != 0


@pytest.mark.compiler
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
@pytest.mark.parametrize("registration", REGISTRATIONS)
def test_a_stray_word_before_a_registration_is_refused_where_gxx_refuses(
    registration: str, tmp_path: Path
) -> None:
    whole = broken(registration, "", tmp_path)
    entries = [entry.registration.kernel_name for entry in opened(whole).entries]
    assert not refused_by_gxx(whole)
    for line in TAKEN:
        path = broken(registration, line, tmp_path)
        assert not refused_by_gxx(path), line
        assert not opened(path).has_errors(), line
    for line, (word, message) in STRAY.items():
        path = broken(registration, line, tmp_path)
        assert refused_by_gxx(path), line
        bench = opened(path)
        told = [d for d in bench.diagnostics if d.severity == "error"]
        assert [d.message[: len(message)] for d in told] == [message], line
        assert bench.source_lines[told[0].where.line - 1][told[0].where.column - 1 :].startswith(
            word
        )
        is_around = line in ("}", "namespace left_open {")  # an outer brace is paired with another
        assert is_around or bench.source_lines[told[0].where.line - 1] == line
        assert (
            is_around or [entry.registration.kernel_name for entry in bench.entries] == entries
        ), line


@pytest.mark.compiler
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
@pytest.mark.parametrize("registration", LATER)
def test_what_a_word_makes_of_a_registration_is_told_once(
    registration: str, tmp_path: Path
) -> None:
    for line, message in LATER[registration].items():
        path = broken(registration, line, tmp_path)
        assert refused_by_gxx(path), line
        told = [d.message for d in opened(path).diagnostics if d.severity == "error"]
        assert [said[: len(message)] for said in told] == [message], line


@pytest.mark.parametrize("registration", REGISTRATIONS)
def test_where_a_header_is_missing_the_word_may_be_a_macro_of_that(
    registration: str, tmp_path: Path
) -> None:
    path = broken(registration, "MY_EXPORT", tmp_path)
    path.write_text(f'#include "nowhere/export.h"\n{path.read_text()}')
    bench = opened(path)
    (header,) = (d for d in bench.diagnostics if "MY_EXPORT" in f"{d.message} {d.hint}")
    assert header.where.line == 1
    assert header.hint.endswith("it may define what nothing here does: `MY_EXPORT` (1 use)")
    assert len(bench.entries) == len(opened(broken(registration, "", tmp_path)).entries)


@pytest.mark.parametrize("included", ["body.inc", "nowhere.inc"])
def test_what_is_included_may_end_what_stands_before_it(included: str, tmp_path: Path) -> None:
    (tmp_path / "body.inc").write_text("{ return 1; }\n")
    registration = "PD_REGISTER_KERNEL(softmax, CPU"
    path = broken(registration, f'int f()\n#include "{included}"', tmp_path)
    told = [d for d in opened(path).diagnostics if d.severity == "error"]
    assert [d.about for d in told] == ["nowhere.inc"] * (included == "nowhere.inc")
