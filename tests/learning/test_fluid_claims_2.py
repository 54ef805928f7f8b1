"""What lessons 1 to 5 and 10 to 12 on Fluid claim and their own questions don't show.

Each test names the lesson whose sentence it shows. g++ takes every right answer and every file that a
reader sees, and refuses what the lessons say that it refuses.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.samples.fluid import STANDARD_LIBRARY
from tests.samples.native import LANGUAGE
from tests.samples.precompiled import precompiled
from visualizer.cli import main
from visualizer.learning import lesson

SAMPLES = Path(__file__).parents[2] / "cpp_samples"
FLUID = SAMPLES / "fluid"
NUMBERS = ("01", "02", "03", "04", "05", "10", "11", "11b", "12")
LESSONS = {
    folder.name.partition("-")[0]: lesson.load(folder)
    for folder in lesson.folders()
    if folder.parent.name == "fluid" and folder.name.partition("-")[0] in NUMBERS
}
INCLUDE = ("-I", FLUID, "-I", SAMPLES / "phi")
needs_gcc = pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not on PATH")


def gcc(*arguments: object) -> str:
    """What g++ says, in English; empty where it takes the file."""
    library = precompiled("g++", *LANGUAGE, *STANDARD_LIBRARY)
    command = ["env", "LC_ALL=C", "g++", "-w", *library, *INCLUDE, *arguments]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert (done.returncode != 0) is ("error" in done.stderr or "undefined" in done.stderr)
    return done.stderr


def symbols(tmp_path: Path, file: Path, *flags: str) -> dict[str, str]:
    """Each symbol of the object file, without its arguments, and nm's letter for it."""
    compiled = tmp_path / "one.o"
    assert gcc("-c", *flags, file, "-o", compiled) == ""
    lines = subprocess.check_output(["nm", "-C", compiled], text=True).splitlines()
    found = (re.match(r"[0-9a-f ]*([A-Za-z]) (.+?)(?:\(\))?$", line) for line in lines)
    return {match[2]: match[1] for match in found if match}


# --- All of them ----------------------------------------------------------------------------------


# What a compiler must not take: an exercise's beginning, and files that show an error. The Scope that
# save_shape_op.cc asks for is none of the samples' ExecutionContext.
_REFUSED = {"mean_rows.cc", "save_shape_op.cc"}


@pytest.mark.compiler
@needs_gcc
@pytest.mark.parametrize("number", LESSONS)
def test_a_compiler_takes_all_files(number: str) -> None:
    folder = LESSONS[number].folder
    files = [*folder.glob("*.cc"), *folder.glob("right/*.cc"), *folder.glob("before/*.cc")]
    taken = [path for path in files if path.name not in _REFUSED]
    said = gcc("-fsyntax-only", "-D", "PADDLE_WITH_CUDA", *taken)
    assert said == "", said[:500]


# --- Lesson 3 -------------------------------------------------------------------------------------


@pytest.mark.skipif("PADDLE_INCLUDE" not in os.environ, reason="PADDLE_INCLUDE names no headers")
def test_phis_headers_check_the_order_while_they_are_compiled() -> None:
    header = Path(os.environ["PADDLE_INCLUDE"]) / "paddle" / "phi" / "core" / "kernel_utils.h"
    asserted = re.findall(
        r'static_assert\([^;]*?"Kernel\'s (\w+) should appear before (\w+)', header.read_text()
    )
    assert {("Input", "Attributes"), ("Input", "Outputs"), ("Attributes", "Outputs")} <= {*asserted}


# --- Lesson 4 -------------------------------------------------------------------------------------


@pytest.mark.compiler
@needs_gcc
@pytest.mark.parametrize(
    "name",
    ["as_before", "fluids_tensor", "input_is_gone", "still_asked_for"],
)
def test_what_is_left_of_fluid_does_not_compile(name: str) -> None:
    assert "error" in gcc("-fsyntax-only", LESSONS["04"].folder / "wrong" / f"{name}.cc")


@pytest.mark.compiler
@needs_gcc
def test_without_the_word_template_the_bracket_is_a_comparison() -> None:
    said = gcc("-fsyntax-only", LESSONS["04"].folder / "wrong" / "without_template.cc")
    assert re.search(r"expected primary-expression before .>. token", said)


def test_the_guides_spelling_finds_nothing() -> None:
    text = (FLUID / "trace_op.h").read_text()
    assert not re.findall(r"farmework::Tensor|farmework::LoDTensor|mutbale_data", text)
    assert re.findall(r"framework::Tensor", text)
    assert re.findall(r"mutable_data", text)


# --- Lesson 5 -------------------------------------------------------------------------------------


@pytest.mark.compiler
@needs_gcc
def test_a_line_of_fluids_makes_one_object_and_one_of_phis_makes_seven(tmp_path: Path) -> None:
    fluid = symbols(tmp_path, FLUID / "trace_op.cc")
    mine = [name for name in fluid if "registrar_trace_CPU" in name and "guard" not in name]
    assert sorted(mine) == [
        "__op_kernel_registrar_trace_CPU_DEFAULT_TYPE__",
    ]
    phi = symbols(tmp_path, FLUID / "after" / "trace_kernel.cc")
    registrars = [
        name for name in phi if re.search(r"__reg_phi_kernel_trace_CPU_ALL_LAYOUT_\d", name)
    ]
    assert len(registrars) == 7, registrars or sorted(phi)


# --- Lesson 10 ------------------------------------------------------------------------------------

_OF_THE_OPERATOR = "TouchOpRegistrar_trace"
_OF_ITS_KERNELS = "TouchOpKernelRegistrar_trace_CPU_DEFAULT_TYPE"


@pytest.mark.compiler
@needs_gcc
def test_what_use_op_asks_for(tmp_path: Path) -> None:
    folder = LESSONS["10"].folder
    both = symbols(tmp_path, folder / "use_op.cc")
    assert (both[_OF_THE_OPERATOR], both[_OF_ITS_KERNELS]) == ("U", "U")
    itself = symbols(tmp_path, folder / "use_op_itself.cc")
    assert itself[_OF_THE_OPERATOR] == "U"
    assert _OF_ITS_KERNELS not in itself


@pytest.mark.compiler
@needs_gcc
def test_who_defines_it(tmp_path: Path) -> None:
    before = symbols(tmp_path, FLUID / "trace_op.cc")
    assert (before[_OF_THE_OPERATOR], before[_OF_ITS_KERNELS]) == ("T", "T")
    between = symbols(tmp_path, FLUID / "between" / "trace_op.cc")
    assert between[_OF_THE_OPERATOR] == "T"
    assert _OF_ITS_KERNELS not in between
    assert _OF_ITS_KERNELS not in symbols(tmp_path, FLUID / "after" / "trace_kernel.cc")


_REGISTERED = """
extern int registered;
struct Registrar { Registrar() { registered = 1; } void Touch() {} };
static Registrar registrar;
int TouchRegistrar() { registrar.Touch(); return 0; }
"""
_PROGRAM = """
int registered = 0;
#ifdef USE
extern int TouchRegistrar();
static int used = TouchRegistrar();
#endif
int main() { return registered; }
"""


@pytest.mark.compiler
@needs_gcc
@pytest.mark.parametrize(("flags", "registered"), [((), 0), (("-DUSE",), 1)])
def test_a_linker_takes_from_a_library_what_is_asked_for(
    flags: tuple[str, ...], registered: int, tmp_path: Path
) -> None:
    (tmp_path / "op.cc").write_text(_REGISTERED)
    (tmp_path / "main.cc").write_text(_PROGRAM)
    assert gcc("-c", tmp_path / "op.cc", "-o", tmp_path / "op.o") == ""
    subprocess.run(["ar", "rcs", tmp_path / "libop.a", tmp_path / "op.o"], check=True)
    program = tmp_path / "program"
    assert gcc(*flags, tmp_path / "main.cc", tmp_path / "libop.a", "-o", program) == ""
    assert subprocess.run([program], check=False).returncode == registered


# --- Lesson 12 ------------------------------------------------------------------------------------


@pytest.mark.compiler
@needs_gcc
def test_12_both_bodies_are_run_and_counted_as_the_page_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    read = LESSONS["12"]
    assert main(["migrate", str(read.file("shrink_op.cc")), "--check", "--run"]) == 0
    *told, ran, counts = capsys.readouterr().out.splitlines()
    page = " ".join((read.folder / "lesson.md").read_text().split())
    assert ran in page
    assert counts in page
    assert all(": written:" in row for row in told if "PD_REGISTER_KERNEL" in row)
