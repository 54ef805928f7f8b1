"""What the PHI lessons say about compilers and linkers, which Unfold's engine can't work out.

Each test names the lesson whose sentence it shows. The files are the ones that the reader sees.
"""

import shutil
import subprocess
import sys

import pytest

from tests.samples.native import (
    LANGUAGE,
    RECORDING,
    SAMPLES,
    STANDARD_LIBRARY,
    NativeError,
    compilers,
    registry_of,
)
from tests.samples.precompiled import precompiled
from visualizer.learning import lesson
from visualizer.learning.checks import Verdict, check, options_for
from visualizer.workbench.bench import open_file

LESSONS = {
    int(folder.name[:2]): folder
    for folder in lesson.folders()
    if folder.parent.name == "phi" and int(folder.name[:2]) <= 8
}
MACROS_ONLY = (3, 4, 5)  # their exercises; what these leave need not be C++

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(not compilers(), reason="no C++ compiler is on PATH"),
]
needs_gcc = pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not on PATH")


def run(*command, expect_failure=False, input=None):
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, input=input
    )
    assert (done.returncode != 0) is expect_failure, done.stderr
    return done.stderr if expect_failure else done.stdout


def gcc(*arguments, **keywords):
    library = precompiled("g++", *LANGUAGE, *STANDARD_LIBRARY)
    return run("env", "LC_ALL=C", "g++", *library, "-I", SAMPLES, *arguments, **keywords)


def compiled(tmp_path, file, *flags):
    out = tmp_path / f"{file.stem}.o"
    gcc("-c", *flags, file, "-o", out)
    return out


def symbols(path):
    """Each symbol of an object file, with nm's letter for it."""
    lines = [line.split() for line in run("nm", path).splitlines()]
    return {line[-1]: line[-2] for line in lines if len(line) >= 2}


# --- All of them --------------------------------------------------------------------------------


@pytest.mark.parametrize("number", LESSONS)
def test_a_compiler_makes_the_same_registry_of_each_solution(number):
    read = lesson.load(LESSONS[number])
    for _, exercise in read.exercises():
        path = read.file(exercise.solution)
        options = options_for(read, exercise, path.read_text())
        ours = open_file(read.folder / exercise.file, options).entries
        keys = [
            (
                e.registration.kernel_name,
                str(e.registration.key.backend),
                str(e.registration.key.dtype),
            )
            for e in ours
        ]
        if number in MACROS_ONLY:
            assert not keys
            continue
        theirs = registry_of(path)
        assert keys == [(e["name"], e["backend"], e["dtype"]) for e in theirs]


def right_answers():
    for number, folder in LESSONS.items():
        for path in sorted(folder.glob("right/*")):
            yield pytest.param(number, path, id=f"{number}-{path.stem}")


@pytest.mark.parametrize(("number", "path"), right_answers())
def test_another_right_answer_passes_and_a_compiler_takes_it(number, path):
    read = lesson.load(LESSONS[number])
    (_, exercise), *_ = read.exercises()
    assert check(read, exercise, path.read_text()) == Verdict()
    if number not in MACROS_ONLY and shutil.which("g++"):
        gcc("-fsyntax-only", path)


# --- 1 One line, many kernels -------------------------------------------------------------------


def test_01_colons_before_the_kernels_name_are_refused():
    with pytest.raises(NativeError):
        registry_of(LESSONS[1] / "wrong" / "leading_colons.cc")


# --- 2 Why a namespace check --------------------------------------------------------------------


@needs_gcc
def test_02_gcc_never_gets_to_the_message():
    said = gcc("-fsyntax-only", LESSONS[2] / "inside.cc", expect_failure=True)
    errors = [line for line in said.splitlines() if " error: " in line]
    assert "has not been declared" in errors[0]
    assert not any("must be called in global namespace" in line for line in errors)


TOUCH = "TouchKernelSymbolFor_abs_CPU_ALL_LAYOUT"


@needs_gcc
def test_02_without_the_check_the_file_compiles_and_another_one_fails_to_link(tmp_path):
    other = tmp_path / "other.cc"
    other.write_text(f"extern int {TOUCH}();\nint touched = {TOUCH}();\n")
    oracle = ("-Wall", "-Werror", "-ffunction-sections", "-include", RECORDING)

    inside = compiled(tmp_path, LESSONS[2] / "unchecked.cc", *oracle)
    said = gcc(inside, other, "-Wl,--gc-sections", "-o", tmp_path / "a", expect_failure=True)
    assert "other.cc" in said
    assert f"undefined reference to `{TOUCH}()'" in said

    outside = tmp_path / "outside.cc"
    text = (LESSONS[2] / "inside.cc").read_text()
    registration = next(line for line in text.splitlines() if line.startswith("PD_REGISTER"))
    outside.write_text(text.replace(registration, "") + registration)
    gcc(compiled(tmp_path, outside, *oracle), other, "-Wl,--gc-sections", "-o", tmp_path / "a")


@needs_gcc
def test_02_from_an_unnamed_namespace_the_function_is_not_seen(tmp_path):
    found = symbols(compiled(tmp_path, LESSONS[2] / "unnamed.cc"))
    touch = {name: letter for name, letter in found.items() if TOUCH in name}
    assert touch
    assert not any(letter == "T" for letter in touch.values())


# --- 3 Counting arguments -----------------------------------------------------------------------


def test_03_nothing_counts_as_one():
    text = '#include "kernel_registry.h"\nstatic_assert(PD_NARGS() == 1, "");\n'
    for compiler in compilers():
        run(
            *(compiler, *LANGUAGE, *STANDARD_LIBRARY, "-I", SAMPLES, "-fsyntax-only"),
            *("-x", "c++", "-"),
            input=text,
        )


@needs_gcc
def test_03_gcc_misses_a_type_before_the_comma(tmp_path):
    empty = tmp_path / "empty.cc"
    text = (LESSONS[3] / "sixteen.cc").read_text()
    empty.write_text(text[: text.index(",\n                   bool")] + ") {}\n")
    said = gcc("-fsyntax-only", empty, expect_failure=True)
    assert "parse error in template argument list" in said


@needs_gcc
def test_03_sixteen_types_make_a_name_that_is_no_macro():
    said = gcc("-fsyntax-only", LESSONS[3] / "sixteen.cc", expect_failure=True)
    assert "'_PD_KERNEL_INSTANTIATION_phi' does not name a type" in said


# --- 4 Why PD_CONCATENATE has three levels ------------------------------------------------------


@needs_gcc
@pytest.mark.parametrize("levels", ["PD_CONCATENATE1", "PD_CONCATENATE"])
def test_04_no_sample_needs_more_than_one_level(tmp_path, levels):
    fewer = tmp_path / "fewer.h"
    fewer.write_text(
        f'#include "struct_kernel.h"\n#undef {levels}\n#define {levels}(arg1, arg2) arg1##arg2\n'
    )
    as_it_is = tmp_path / "as_it_is.h"
    as_it_is.write_text('#include "struct_kernel.h"\n')
    for sample in sorted(SAMPLES.glob("*.cc")):
        expanded = [
            run("g++", *LANGUAGE, "-E", "-P", "-I", SAMPLES, "-include", header, sample)
            for header in (as_it_is, fewer)
        ]
        assert expanded[0] == expanded[1], sample.name


@needs_gcc
def test_04_pasting_the_count_at_once_is_refused_and_with_a_second_level_it_is_not(tmp_path):
    early = LESSONS[4] / "early.cc"
    gcc("-fsyntax-only", early, expect_failure=True)
    two = tmp_path / "two.cc"
    one_level = "#define PD_CONCATENATE(arg1, arg2) arg1##arg2"
    text = early.read_text()
    assert one_level in text
    two.write_text(
        text.replace(one_level, "#define PD_CONCATENATE(arg1, arg2) PD_CONCATENATE2(arg1, arg2)")
    )
    gcc("-fsyntax-only", two)


# --- 5 Peeling dtypes ---------------------------------------------------------------------------


@needs_gcc
def test_05_the_last_round_refuses_two_types():
    said = gcc("-fsyntax-only", LESSONS[5] / "misfit.cc", expect_failure=True)
    assert 'macro "_PD_KERNEL_INSTANTIATION_1" passed 6 arguments, but takes just 5' in said


# --- 6 The registrar object ---------------------------------------------------------------------


def test_06_a_macro_of_the_operators_name_changes_it():
    assert [entry["name"] for entry in registry_of(LESSONS[6] / "named.cc")] == ["abs"]


BODIES = """
#pragma once
#include "phi.h"
namespace phi {
template <typename R, typename... A>
void KernelArgsParseFunctor<R (*)(A...)>::Parse(const KernelKey&, KernelArgsDef*) {}
template <typename R, typename D, typename... A, R (*f)(D, A...)>
void KernelImpl<R (*)(D, A...), f>::Compute(KernelContext*) {}
template <typename R, typename D, typename... A, R (*f)(D, A...)>
void KernelImpl<R (*)(D, A...), f>::VariadicCompute(const DeviceContext&, A...) {}
}  // namespace phi
"""
MAIN = """
#include <cstdio>
#include "phi.h"
namespace phi {
KernelRegistrar::KernelRegistrar(RegType, const char* kernel_name, const char*, DataLayout, DataType,
                                 KernelArgsParseFn, KernelArgsDefFn, KernelFn, void*) {
  std::puts(kernel_name);
}
}  // namespace phi
#ifdef DECLARE
extern int TouchKernelSymbolFor_as_is_CPU_ALL_LAYOUT();
static int touched = TouchKernelSymbolFor_as_is_CPU_ALL_LAYOUT();
#endif
int main() { std::puts("main"); }
"""


@needs_gcc
def test_06_objects_are_made_before_main_if_the_linker_takes_their_file(tmp_path):
    bodies, main = tmp_path / "bodies.h", tmp_path / "main.cc"
    bodies.write_text(BODIES)
    main.write_text(MAIN)
    kernels = compiled(tmp_path, LESSONS[8] / "own_names.cc", "-include", bodies)
    library, program = tmp_path / "libkernels.a", tmp_path / "program"
    run("ar", "rcs", library, kernels)

    gcc(main, kernels, "-o", program)
    assert run(program).split() == ["as_is", "as_is", "as_is", "main"]
    gcc(main, library, "-o", program)
    assert run(program).split() == ["main"]
    gcc("-DDECLARE", main, library, "-o", program)
    assert run(program).split() == ["as_is", "as_is", "as_is", "main"]


# --- 7 The braces at the end --------------------------------------------------------------------


@needs_gcc
def test_07_a_semicolon_compiles_with_a_warning_and_leaves_the_function_to_nobody(tmp_path):
    file = LESSONS[7] / "semicolon.cc"
    out = tmp_path / "semicolon.o"
    done = subprocess.run(
        ["g++", *LANGUAGE, *STANDARD_LIBRARY, "-I", str(SAMPLES), "-c", str(file), "-o", str(out)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "warning" in done.stderr
    assert "used but never defined" in done.stderr
    undefined = [name for name, letter in symbols(out).items() if letter == "U"]
    assert any("__PD_KERNEL_args_def_FN_abs_CPU_ALL_LAYOUT" in name for name in undefined)


def test_07_braces_are_those_of_an_ordinary_function():
    with pytest.raises(NativeError, match="T"):
        registry_of(LESSONS[7] / "element_type.cc")


# --- 8 From C++ type to DataType ----------------------------------------------------------------


@needs_gcc
@pytest.mark.parametrize(("name", "type"), [("char", "char"), ("long_long", "long long int")])
def test_08_a_type_without_a_specialisation_is_incomplete(name, type):
    said = gcc("-fsyntax-only", LESSONS[8] / f"{name}.cc", expect_failure=True)
    assert f"incomplete type 'phi::CppTypeToDataType<{type}>'" in said


@needs_gcc
def test_08_two_names_of_a_type_are_instantiated_twice():
    said = gcc("-fsyntax-only", LESSONS[8] / "two_names.cc", expect_failure=True)
    assert "duplicate explicit instantiation" in said


@pytest.mark.skipif(sys.platform != "linux", reason="of Linux")
def test_08_own_names_are_the_same_types():
    dtypes = [entry["dtype"] for entry in registry_of(LESSONS[8] / "own_names.cc")]
    assert dtypes == ["uint8", "int8", "int64"]


@pytest.mark.skipif(not shutil.which("clang++"), reason="clang++ is not on PATH")
@pytest.mark.parametrize(
    ("target", "type"), [("x86_64-linux-gnu", "long int"), ("arm64-apple-macos", "long long int")]
)
def test_08_which_type_int64_t_is(target, type):
    macros = run("clang++", f"--target={target}", "-dM", "-E", "-x", "c++", "/dev/null")
    assert f"#define __INT64_TYPE__ {type}\n" in macros
