"""`unfold verify` before installed frameworks: a file of one's own is loaded, a package imported."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.real.test_paddle_kernels import EVERY_PARAMETER
from visualizer.cli import main
from visualizer.workbench.samples import samples_folder

pytestmark = pytest.mark.compiler

OPERATORS = """\
#include <ATen/core/Tensor.h>
#include <torch/library.h>
namespace {
at::Tensor twice(const at::Tensor& x) { return x; }
at::Tensor scaled(const at::Tensor& x, double by, std::optional<int64_t> axis) { return x; }
void into(const at::Tensor& x, at::Tensor& out) {}
}
TORCH_LIBRARY(unfold_own, m) {
  m.def("twice(Tensor x) -> Tensor");
  m.def("scaled(Tensor x, float by=1.5, int? axis=None) -> Tensor", &scaled);
  m.def("into(Tensor x, Tensor(a!) out) -> ()", {at::Tag::pt2_compliant_tag});
}
TORCH_LIBRARY_IMPL(unfold_own, CPU, m) { m.impl("twice", &twice); m.impl("into", &into); }
TORCH_LIBRARY_IMPL(unfold_own, AutogradCPU, m) {
  m.impl("twice", torch::CppFunction::makeFallthrough());
}
TORCH_LIBRARY_IMPL(unfold_own, Meta, m) { m.impl("into", TORCH_FN(into)); }
TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY_IMPL(aten, PrivateUse2, m) { m.impl("relu", &twice); }
"""


def needs(package: str) -> None:
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed for this Python: make test-real")


def verified(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict]:
    code = main(["verify", *words, "--format", "json"])
    captured = capsys.readouterr()
    assert captured.err == ""
    (told,) = json.loads(captured.out)
    return code, told


@pytest.mark.paddle
def test_a_file_registers_in_paddle_what_we_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs("paddle")
    file = tmp_path / "every.cc"
    file.write_text(EVERY_PARAMETER)
    code, told = verified(capsys, str(file), f"--paddle={sys.executable}")
    assert (code, told["differences"], told["not_compared"]) == (0, [], [])
    assert told["judge"].startswith("PaddlePaddle 3.")
    assert told["facts"] > 150


C_API = """\
#include "paddle/phi/capi/all.h"
namespace own {
template <typename T>
void Halve(const phi::Context& dev_ctx, const phi::DenseTensor& x,
           const paddle::optional<phi::DenseTensor>& mask,
           const std::vector<const phi::DenseTensor*>& others, bool flag, int n, int64_t m, float by,
           double more, phi::DataType as, phi::DataLayout in, const std::string& name,
           const std::vector<bool>& flags, const std::vector<int>& axes,
           const std::vector<int64_t>& dims, const std::vector<float>& scales,
           const std::vector<double>& factors, const std::vector<std::string>& names,
           const phi::Scalar& value, const phi::IntArray& shape,
           const std::vector<phi::Scalar>& values, phi::Place place, phi::DenseTensor* out,
           std::vector<phi::DenseTensor*> rest) {}
}
PD_BUILD_PHI_KERNEL(halve, my_npu, ALL_LAYOUT, own::Halve, bool, int8_t, uint8_t, int16_t, int,
                    int64_t, float, double, phi::dtype::float16, phi::dtype::complex<float>) {
  if (kernel_key.dtype() == phi::DataType::FLOAT32) {
    kernel->OutputAt(0).SetDataType(phi::DataType::INT64);
  }
}
PD_BUILD_PHI_KERNEL(halve, CPU, NHWC, own::Halve, phi::dtype::bfloat16) {
  kernel->InputAt(1).SetDataType(phi::DataType::UNDEFINED).SetDataLayout(phi::DataLayout::NCHW);
}
"""


@pytest.mark.paddle
def test_a_file_registers_in_paddle_through_its_c_api_what_we_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs("paddle")
    file = tmp_path / "plug_in.cc"
    file.write_text(C_API)
    code, told = verified(capsys, str(file), f"--paddle={sys.executable}")
    assert (code, told["differences"], told["not_compared"]) == (0, [], [])
    assert told["entries"] == 11


@pytest.mark.torch
def test_a_file_registers_in_torch_what_we_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs("torch")
    file = tmp_path / "own.cc"
    file.write_text(OPERATORS)
    code, told = verified(capsys, str(file), f"--torch={sys.executable}")
    assert (code, told["differences"]) == (0, [])
    assert told["not_compared"] == ["the table of aten::relu: PyTorch has kernels of its own there"]
    assert told["facts"] > 100


@pytest.mark.torch
def test_torchs_own_operators_are_listed_without_their_source(
    capsys: pytest.CaptureFixture[str],
) -> None:
    needs("torch")
    words = ("--installed", "torch", "--only", "quantized::*", f"--torch={sys.executable}")
    assert main(["verify", *words, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found) > 50
    (relu,) = [e for e in found["quantized::add_relu"] if e["key"] == "QuantizedCPU"]
    assert relu["kernel"].startswith("registered at BinaryOps.cpp:")


@pytest.mark.torch
def test_a_package_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    needs("torch")
    assert main(["verify", "--installed", "nobody_has_this", f"--torch={sys.executable}"]) == 1
    assert "No module named 'nobody_has_this'" in capsys.readouterr().err


@pytest.mark.paddle
def test_an_installed_paddle_lists_its_own_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    needs("paddle")
    words = ("--installed", "paddle", "--only", "bitwise_*", f"--paddle={sys.executable}")
    assert main(["verify", *words, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (of_int32,) = [
        e for e in found["bitwise_and"] if e["key"].startswith("(CPU,") and "int32" in e["key"]
    ]
    assert of_int32["input 1"] == "CPU, NCHW, int32, DenseTensor"
    words = ("--installed", "numpy", f"--paddle={sys.executable}")
    assert main(["verify", *words]) == 1
    assert "importing numpy registers nothing in PaddlePaddle 3." in capsys.readouterr().err


@pytest.mark.torch
def test_what_torch_cannot_load_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An operator of torch's own that a text defines again, and a function that nobody defines."""
    needs("torch")
    own = samples_folder() / "aten" / "scalar_ops.cc"
    assert main(["verify", str(own), f"--torch={sys.executable}"]) == 1
    assert "defines aten::add.Scalar, which PyTorch has itself" in capsys.readouterr().err
    file = tmp_path / "calls.cc"
    file.write_text(
        "#include <ATen/core/Tensor.h>\n#include <torch/library.h>\n"
        "namespace mine { at::Tensor elsewhere(const at::Tensor& x); }\n"
        'TORCH_LIBRARY(unfold_lacks, m) { m.def("op(Tensor x) -> Tensor", &mine::elsewhere); }\n'
    )
    assert main(["verify", str(file), f"--torch={sys.executable}"]) == 1
    said = "it calls mine::elsewhere(at::Tensor const&), which neither it nor PyTorch's libraries"
    assert said in capsys.readouterr().err


@pytest.mark.torch
def test_what_no_text_here_defines_an_installed_torch_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`twice` is interpreted; `mixed` calls what no text here defines, and writes."""
    needs("torch")
    file = tmp_path / "own.cc"
    file.write_text(
        "#include <ATen/ATen.h>\n#include <torch/library.h>\n"
        "void mixed(const at::Tensor& x, at::Tensor& out) { out.copy_(x.mul(3).cumsum(0)); }\n"
        'TORCH_LIBRARY(unfold_run, m) { m.def("mixed(Tensor x, Tensor(a!) out) -> ()", &mixed); }\n'
    )
    words = ["run", "unfold_run::mixed", "--file", str(file), "--input", "x=[1, 2, 4]"]
    words += ["--input", "out=[0, 0, 0]", f"--torch={sys.executable}"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(
        "ran in      PyTorch 2." in line and "it was not interpreted" in line for line in lines
    )
    assert "wrote       out: float32[3]" in lines
    assert lines[-1].endswith("3, 9, 21")


@pytest.mark.torch
def test_torchs_own_operator_is_called_without_any_file(capsys: pytest.CaptureFixture[str]) -> None:
    needs("torch")
    words = ["run", "aten::cumsum", "--input", "self=[1, 2, 4]", "--attr", "dim=0"]
    assert main([*words, f"--torch={sys.executable}"]) == 0
    assert "1, 3, 7" in capsys.readouterr().out
    assert main(["run", "aten::nobody_has_this", f"--torch={sys.executable}"]) == 1
    assert "has no operator aten::nobody_has_this" in capsys.readouterr().err
