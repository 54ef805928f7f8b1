"""Wrong arguments of a registration: g++ refuses them, and Unfold says so at the argument, once, with
what cures it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.samples.precompiled import precompiled
from visualizer.expansion import Options
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import samples_folder

FOLDER = samples_folder() / "phi"
TEXT = (FOLDER / "bitwise_kernel.cc").read_text()
KERNELS = TEXT[: TEXT.index("PD_REGISTER_KERNEL(bitwise_and")].rpartition("}  // namespace phi")

RIGHT = "bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, bool, int"
# What is written, with ^ before the place that is told; what is said of it, and how its hint begins.
WRONG = {
    "bitwise_and, CPU, ^phi::BitwiseAndKernel, bool, int": (
        "a layout is missing before `phi::BitwiseAndKernel`",
        "there are ALL_LAYOUT, NHWC, NCHW,",
    ),
    "bitwise_and, CPU, ^phi::BitwiseAndKernel, int": (
        "a layout is missing before `phi::BitwiseAndKernel`",
        "there are ALL_LAYOUT,",
    ),
    "bitwise_and, ^ALL_LAYOUT, phi::BitwiseAndKernel, bool, int": (
        "a backend is missing before `ALL_LAYOUT`",
        "there are CPU, ",
    ),
    "bitwise_and, ^CPUU, ALL_LAYOUT, phi::BitwiseAndKernel, bool, int": (
        "PHI has no `phi::CPUUContext`, so no backend of that name to compute on",
        "did you mean CPU?",
    ),
    "bitwise_and, ^gpu, ALL_LAYOUT, phi::BitwiseAndKernel, bool, int": (
        "PHI has no `phi::gpuContext`, so no backend of that name to compute on",
        "did you mean GPU?",
    ),
    "CPU, ^bitwise_and, ALL_LAYOUT, phi::BitwiseAndKernel, bool": (
        "PHI has no `phi::bitwise_andContext`, so no backend of that name to compute on",
        "there are CPU, ",
    ),
    "^OneDNN, ONEDNN, phi::BitwiseAndKernel, bool": (
        "the kernel's name is missing before `OneDNN`",
        "the order is: name, backend,",
    ),
    "^CPU, ALL_LAYOUT, phi::BitwiseAndKernel, bool, int": (
        "the kernel's name is missing before `CPU`",
        "the order is: name, backend,",
    ),
    "bitwise_and, CPU, ALL_LAYOUT, ^bool, int": (
        "the kernel's function template is missing before `bool`",
        "the order is: name, backend,",
    ),
    "bitwise_and, ^ALL_LAYOUT, CPU, phi::BitwiseAndKernel, int": (
        "`ALL_LAYOUT` is not a backend",
        "there are CPU, ",
    ),
    "bitwise_and, ^phi::CPU, ALL_LAYOUT, phi::BitwiseAndKernel, int": (
        "`phi::CPU` stands where one word belongs",
        "write `CPU`",
    ),
    "bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, bool, int^,": (
        "a data type is missing behind this comma",
        "write one there, or take the comma out",
    ),
    "bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, bool^, , int": (
        "a data type is missing behind this comma",
        "write one there, or take the comma out",
    ),
    "bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, ^, int": (
        "a data type is missing before this comma",
        "write one there, or take the comma out",
    ),
    "bitwise ^land, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, bool, int": (
        "`land` stands behind the kernel's name, which is one word",
        "did you mean `bitwise_land`?",
    ),
    "bitwise ^and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, bool, int": (
        "`and` stands behind the kernel's name, which is one word",
        "did you mean `bitwise_and`?",
    ),
    "bitwise_and ^CPU, ALL_LAYOUT, phi::BitwiseAndKernel, bool, int": (
        "a comma is missing before `CPU`",
        "",
    ),
    "bitwise_and, CPU, ALL_LAYOUT ^phi::BitwiseAndKernel, bool, int": (
        "a comma is missing before `phi`",
        "",
    ),
    "bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel ^bool, int": (
        "a comma is missing before `bool`",
        "",
    ),
    "bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, bool ^int": (
        "a comma is missing before `int`",
        "",
    ),
    "bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel^<bool>, bool, int": (
        "`phi::BitwiseAndKernel` stands here without template arguments",
        "take `<bool>` out",
    ),
    "bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel^<bool, int>, bool": (
        "`phi::BitwiseAndKernel` stands here without template arguments",
        "take `<bool, …>` out",
    ),
    "bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, bool, phi::dtype::complex^<float, int": (
        "this `<` is never closed",
        "write the missing `>`",
    ),
    'bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, ^"bool", int': (
        '"bool" is a string, and no name',
        "write it without the quotes",
    ),
}
# Their forms look like these mistakes, and they are none.
FINE = (
    RIGHT,
    "and_, CPU, NCHW, phi::BitwiseAndKernel, uint8_t, int64_t",
    "bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, INTEGERS",
    "bitwise_and, CPU, ALL_LAYOUT, THE_KERNEL, bool",
)
# A compiler takes these; Unfold's reader of C++ may not, and then says so in its own words.
FINE_FOR_GXX = (
    "bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, decltype(1 < 2)",
    "bitwise_and, CPU, ALL_LAYOUT, phi::Held<int>::template Kernel, bool",
)
HELD = """
namespace phi {
template <typename U>
struct Held {
  template <typename T, typename Context>
  static void Kernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
};
}
"""
MACROS = "#define INTEGERS int, int64_t\n#define THE_KERNEL phi::BitwiseAndKernel\n"


def written(arguments: str, folder: Path, macro: str = "PD_REGISTER_KERNEL") -> Path:
    path = folder / "bitwise_kernel.cc"
    text = f"{KERNELS[0]}{KERNELS[1]}\n{HELD}{MACROS}{macro}({arguments}) {{}}\n"
    for header in FOLDER.glob("*.h"):
        text = text.replace(f'#include "{header.name}"', f'#include "{header}"')
    path.write_text(text)
    return path


def opened(path: Path) -> Workbench:
    return open_file(path, Options(std="c++17"))


@pytest.mark.parametrize(("arguments", "said"), WRONG.items(), ids=WRONG)
def test_a_wrong_argument_is_told_at_its_place_and_once(
    arguments: str, said: tuple[str, str], tmp_path: Path
) -> None:
    bench = opened(written(arguments.replace("^", ""), tmp_path))
    (found,) = bench.diagnostics
    assert found.message == said[0]
    assert found.hint.startswith(said[1])
    line = f"PD_REGISTER_KERNEL({arguments.replace('^', '')}) {{}}"
    assert bench.source_lines[found.where.line - 1] == line
    assert found.where.column == len("PD_REGISTER_KERNEL(") + arguments.index("^") + 1


@pytest.mark.parametrize("arguments", FINE)
def test_arguments_of_like_forms_are_right(arguments: str, tmp_path: Path) -> None:
    bench = opened(written(arguments, tmp_path))
    assert bench.diagnostics == ()
    assert bench.entries


@pytest.mark.parametrize("arguments", FINE)
def test_an_error_of_another_kind_is_not_taken_for_one_of_theirs(
    arguments: str, tmp_path: Path
) -> None:
    bench = opened(written(f"{arguments}, nobodys_type", tmp_path))
    (found,) = bench.diagnostics
    assert "`nobodys_type`" in found.message


@pytest.mark.parametrize("arguments", FINE_FOR_GXX)
def test_no_argument_is_blamed_that_a_compiler_takes(arguments: str, tmp_path: Path) -> None:
    for text in (arguments, f"{arguments}, nobodys_type"):
        told = [d.message for d in opened(written(text, tmp_path)).diagnostics]
        blamed = ("never closed", "a comma is missing", "without template arguments")
        assert not [message for message in told for said in blamed if said in message]


def test_a_registration_inside_a_macro_of_ones_own_is_told_at_its_argument(tmp_path: Path) -> None:
    path = written("bitwise_and, CPU, phi::BitwiseAndKernel", tmp_path, "REGISTER_MINE")
    mine = "#define REGISTER_MINE(...) PD_REGISTER_KERNEL(__VA_ARGS__, bool, int)\n"
    path.write_text(path.read_text().replace("REGISTER_MINE(", f"{mine}REGISTER_MINE(", 1))
    (found,) = opened(path).diagnostics
    assert found.message == "a layout is missing before `phi::BitwiseAndKernel`"
    assert found.where.column == len("REGISTER_MINE(bitwise_and, CPU, ") + 1


@pytest.mark.parametrize("misspelt", ["kernal", "kernell"])
def test_a_misspelt_name_in_the_braces_is_told_with_what_is_meant(
    misspelt: str, tmp_path: Path
) -> None:
    path = written(RIGHT, tmp_path)
    path.write_text(path.read_text().replace(") {}", f") {{ {misspelt}->OutputAt(0); }}"))
    (found,) = opened(path).diagnostics
    assert (found.message, found.hint) == (
        f"`{misspelt}` is not known here",
        "did you mean `kernel`?",
    )


@pytest.mark.compiler
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
def test_gxx_refuses_what_is_told_and_takes_what_is_not(tmp_path: Path) -> None:
    def is_refused(arguments: str) -> bool:
        path = written(arguments, tmp_path)
        words = precompiled("g++", "-std=c++17", "-include", "vector", "-include", "string")
        command = ["g++", *words, "-w", "-fsyntax-only", str(path)]
        return subprocess.run(command, capture_output=True).returncode != 0

    assert [a for a in (*FINE, *FINE_FOR_GXX) if is_refused(a)] == []
    assert [a for a in WRONG if not is_refused(a.replace("^", ""))] == []


@pytest.mark.parametrize(
    "wrong",
    ["phi::dtype::complex<float, int", "phi::dtype::complx<float>, int", "int, int", "int int"],
)
@pytest.mark.parametrize("body", ["", " kernel->OutputAt(0).SetDataType(phi::DataType::BOOL); "])
def test_of_a_registration_with_one_broken_type_nothing_is_there(
    wrong: str, body: str, tmp_path: Path
) -> None:
    path = written(f"{RIGHT.replace(' int', ' ' + wrong)}", tmp_path)
    beside = "PD_REGISTER_KERNEL(beside, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, int64_t) {}\n"
    path.write_text(path.read_text().replace(") {}", f") {{{body}}}") + beside)
    bench = opened(path)
    assert [d.severity for d in bench.diagnostics] == ["error"]
    assert [entry.registration.kernel_name for entry in bench.entries] == ["beside"]
    assert bench.program.phi.factory.kernels.keys() == {"beside"}
