"""Where Python runs in the place of a text's body, and the text has another one: it is said so."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from visualizer.cli import main
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder
from visualizer.workbench.stand_ins import Body

PHI = samples_folder() / "phi"
KERNEL = """\
#include "kernel_registry.h"
#include "phi.h"
namespace phi {
%s
template <typename T, typename Context>
void %s(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out)
%s
}  // namespace phi
PD_REGISTER_KERNEL(it, CPU, ALL_LAYOUT, phi::%s, float, double) {}
"""
SUBTRACTS = """{
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = x.data<T>()[i] - y.data<T>()[i];
}"""
NOT_COMPARED = "not the body that Unfold's kernel was compared with (phi::AddKernel at"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file that registers one kernel as `it`, and gives its path."""

    def file(body: str, kernel: str = "AddKernel", before: str = "") -> Path:
        path = tmp_path / "mine.cc"
        path.write_text(KERNEL % (before, kernel, body, kernel))
        return path

    return file


def bodies(path: Path, *macros: str) -> dict[str, Body]:
    """By the name of what Python stands in for."""
    given = Options(include_folders=(str(PHI),), macros=tuple(("D", m) for m in macros))
    stand_ins = (entry.stand_in for entry in open_file(path, given).entries)
    return {one.name: one.body for one in stand_ins if one is not None}


def flags(path: Path) -> list[str]:
    return ["--file", str(path), "-I", str(PHI)]


def test_a_check_of_a_kernel_whose_body_subtracts_says_that_this_body_was_not_checked(
    write: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(SUBTRACTS)
    assert main(["run", "it", *flags(path), "--size", "8", "--check"]) == 0
    said = capsys.readouterr().out
    assert f"{NOT_COMPARED} {path}:7)" in said
    assert "what runs, and is checked, is Unfold's kernel by that name" in said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Type = dtype::complex<double>", "Type = dtype::complex<float>"),
        ("typename MeanSumOf<T>::Type", "T"),
    ],
)
def test_a_type_that_a_body_names_counts_with_it(old: str, new: str, tmp_path: Path) -> None:
    text = (PHI / "reduce_kernel.cc").read_text()
    assert text.count(old) == 1
    for changed, body in ((text, Body.SAMPLES), (text.replace(old, new), Body.ANOTHER)):
        (path := tmp_path / "reduce_kernel.cc").write_text(changed)
        assert bodies(path)["phi::MeanKernel"] is body


def test_a_body_that_was_compared_is_told_as_what_it_is_and_warns_of_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["run", "bitwise_and", "--size", "8"]) == 0
    said = capsys.readouterr().out
    assert (
        "body        Unfold's phi::BitwiseAndKernel in Python, compared with the body in C++"
        in said
    )


@pytest.mark.parametrize("shown", ["--explain", "--asm"])
def test_a_call_that_is_told_and_code_that_is_shown_say_whose_body_it_is(
    shown: str, write: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(SUBTRACTS)
    assert main(["run", "it", *flags(path), "--size", "8", shown]) == 0
    assert f"{NOT_COMPARED} {path}:7)" in capsys.readouterr().out


def test_a_listing_says_in_which_rows_another_body_stands_and_where(
    write: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(SUBTRACTS)
    assert main(["kernels", str(path), "-I", str(PHI)]) == 0
    said = capsys.readouterr().out
    assert said.count("in Python, another body") == 2
    assert said.count(f"note: {NOT_COMPARED} {path}:7)") == 1


def test_json_says_how_a_body_relates_to_the_one_that_runs(
    write: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(SUBTRACTS)
    main(["kernels", str(path), "-I", str(PHI), "--format", "json"])
    entries = json.loads(capsys.readouterr().out)["it"]
    assert {entry["stands_in_for"] for entry in entries} == {"another body"}


@pytest.mark.parametrize("body", ["{}", "{ /* nothing */\n}"])
def test_white_space_and_comments_make_no_other_body(write: Callable[..., Path], body: str) -> None:
    assert bodies(write(body)) == {"phi::AddKernel": Body.EMPTY}


def test_a_function_that_is_only_declared_has_no_body(write: Callable[..., Path]) -> None:
    assert bodies(write(";")) == {"phi::AddKernel": Body.NONE}


def test_a_kernel_that_nobody_wrote_in_python_stands_in_for_nothing(
    write: Callable[..., Path],
) -> None:
    assert bodies(write(SUBTRACTS, "MyOwnKernel")) == {}


@pytest.mark.parametrize(
    "sample",
    ["phi/bitwise_kernel.cc", "phi/full_kernel.cc", "aten/ufunc_add_cuda.cc"],
)
def test_a_copy_of_a_sample_with_its_headers_has_the_samples_bodies(
    sample: str, tmp_path: Path
) -> None:
    copied = tmp_path / "samples"
    shutil.copytree(samples_folder(), copied)
    found = set(bodies(copied / sample).values())
    assert found <= {Body.SAMPLES, Body.NONE}
    assert Body.SAMPLES in found


def test_the_line_that_a_check_in_a_body_stands_on_makes_no_other_body(tmp_path: Path) -> None:
    shutil.copytree(samples_folder() / "aten", tmp_path / "aten")
    copied = tmp_path / "aten" / "ufunc_add_cuda.cc"
    copied.write_text("\n\n" + copied.read_text())
    assert bodies(copied)["at::native::add_kernel"] is Body.SAMPLES


def test_a_functor_that_does_something_else_makes_another_body(tmp_path: Path) -> None:
    text = (PHI / "bitwise_kernel.cc").read_text()
    assert "a & b" in text
    path = tmp_path / "mine.cc"
    path.write_text(text.replace("a & b", "a | b"))
    found = bodies(path)
    assert found["phi::BitwiseAndKernel"] is Body.ANOTHER
    assert found["phi::BitwiseNotKernel"] is Body.SAMPLES


@pytest.mark.parametrize("body", ["", "return self;"])
def test_nothing_stands_in_for_a_wrapper_of_pytorchs_whatever_it_does(
    tmp_path: Path, body: str
) -> None:
    shutil.copytree(samples_folder() / "aten", tmp_path / "aten")
    copied = tmp_path / "aten" / "add.cc"
    text = copied.read_text()
    at = text.index("{", text.index("wrapper_CPU_add_Tensor("))
    copied.write_text(f"{text[: at + 1]} {body}{text[at + 1 :]}")
    assert bodies(copied) == {}


def test_a_specialisation_of_a_functor_counts_with_the_body_that_names_it(tmp_path: Path) -> None:
    shutil.copytree(PHI, tmp_path / "phi")
    sample = tmp_path / "phi" / "bitwise_kernel.cc"
    text = sample.read_text()
    assert "return !a;" in text
    sample.write_text(text.replace("return !a;", "return a;"))
    found = bodies(sample)
    assert found["phi::BitwiseNotKernel"] is Body.ANOTHER
    assert found["phi::BitwiseAndKernel"] is Body.SAMPLES


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("ufunc_add_cuda.cc", "add(self, other, alpha_)", "add(other, self, alpha_)"),
        ("ufunc.h", "self + alpha * other", "self - alpha * other"),
    ],
)
def test_a_wrapper_that_reaches_a_kernel_of_unfolds_says_whose_it_is(
    tmp_path: Path, file: str, old: str, new: str
) -> None:
    folder = shutil.copytree(samples_folder() / "aten", tmp_path / "aten")
    before = open_file(folder / "ufunc_add_cuda.cc").entries
    assert {one.stand_in and one.stand_in.body for one in before} == {Body.SAMPLES}
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    after = open_file(folder / "ufunc_add_cuda.cc").entries
    assert [one.registration.kernel_name for one in after if one.stand_in] == [
        *("add_stub", "aten::add.Tensor", "aten::add.out", "aten::add_.Tensor")
    ]
    assert {one.stand_in and one.stand_in.body for one in after} == {Body.ANOTHER}


@pytest.mark.parametrize(("sign", "body"), [("-", Body.ANOTHER), (";", Body.NONE)])
def test_a_body_that_stands_in_a_header_of_the_project_is_compared(
    tmp_path: Path, sign: str, body: Body
) -> None:
    kernel, registers = (KERNEL % ("", "AddKernel", SUBTRACTS, "AddKernel")).split("PD_", 1)
    if sign == ";":
        kernel = kernel.replace(SUBTRACTS, ";")
    (tmp_path / "impl.h").write_text(kernel)
    path = tmp_path / "mine.cc"
    path.write_text(f'#include "kernel_registry.h"\n#include "impl.h"\nPD_{registers}')
    assert bodies(path) == {"phi::AddKernel": body}
