"""`unfold run NAME --body --paddle`: a text with an installed Paddle's headers, compiled and run."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from tests.real.test_verify import needs
from visualizer.cli import main

pytestmark = [pytest.mark.compiler, pytest.mark.paddle]

# Each argument adds to what comes out, so that one which is read wrongly shows.
TEXT = """\
#include "paddle/phi/core/kernel_registry.h"
#include "paddle/phi/core/tensor_utils.h"
extern "C" float cblas_sdot(int n, const float* x, int step_x, const float* y, int step_y);
namespace google {
struct SiteFlag;
bool InitVLOG3__(SiteFlag*, int*, const char*, int);  // as glog 0.6 declares it
}
namespace phi {
template <typename T, typename Context>
void AllKernel(const Context& dev_ctx, const DenseTensor& x, const paddle::optional<DenseTensor>& y,
               const std::vector<const DenseTensor*>& zs, bool flag, int i, int64_t l, float f,
               double d, const std::string& s, const Scalar& scalar, const IntArray& shape,
               const std::vector<int>& ints, const std::vector<float>& floats, DataType dtype,
               DenseTensor* out, DenseTensor* count) {
  out->Resize(x.dims());
  T* to = dev_ctx.template Alloc<T>(out);
  double sum = flag + 10 * i + 100 * l + f + d + 1000 * s.size() + scalar.to<double>();
  for (int64_t one : shape.GetData()) sum += 10000 * one;
  for (int one : ints) sum += one;
  for (float one : floats) sum += one;
  sum += dtype == DataType::INT64 ? 0.5 : 0;
  for (const DenseTensor* z : zs) sum += z->data<T>()[0];
  for (int64_t n = 0; n < x.numel(); ++n) {
    to[n] = x.data<T>()[n] + static_cast<T>(sum) + (y ? y->data<T>()[n] : T(0));
  }
  count->Resize({1});
  dev_ctx.template Alloc<int64_t>(count)[0] = static_cast<int64_t>(zs.size());
}
template <typename T, typename Context>
void BehindKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  out->Resize(x.dims());
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t n = 0; n <= x.numel(); ++n)
    to[n] = x.data<T>()[n];
}
template <typename T, typename Context>
void CopyingKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  Copy(dev_ctx, x, dev_ctx.GetPlace(), false, out);
  out->data<T>()[0] = cblas_sdot(2, x.data<T>(), 1, x.data<T>(), 1);
  int level = 9;
  if (google::InitVLOG3__(nullptr, &level, "", 1)) out->data<T>()[0] = -1;
}
template <typename T, typename Context>
void RefusingKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  PADDLE_ENFORCE_EQ(x.numel(), 3, common::errors::InvalidArgument("three are wanted"));
}
template <typename T, typename Context>
void WithoutDimsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out)[0] = x.data<T>()[0];
}
}
PD_REGISTER_KERNEL(all, CPU, ALL_LAYOUT, phi::AllKernel, float, double) {}
PD_REGISTER_KERNEL(behind, CPU, ALL_LAYOUT, phi::BehindKernel, float) {}
PD_REGISTER_KERNEL(copying, CPU, ALL_LAYOUT, phi::CopyingKernel, float) {}
PD_REGISTER_KERNEL(refusing, CPU, ALL_LAYOUT, phi::RefusingKernel, float) {}
PD_REGISTER_KERNEL(without_dims, CPU, ALL_LAYOUT, phi::WithoutDimsKernel, float) {}
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("paddle")
    path = tmp_path_factory.mktemp("paddle") / "kernels.cc"
    path.write_text(TEXT)
    return path


def run(file: Path, kernel: str, *words: str) -> int:
    paddle = f"--paddle={sys.executable}"
    return main(["run", kernel, "--file", str(file), paddle, "--body", *words])


def test_every_argument_comes_to_the_body(file: Path) -> None:
    saved = file.with_name("out.npz")
    attributes = {
        "flag": "true", "i": "2", "l": "3", "f": "0.25", "d": "0.125", "s": "abc", "scalar": "7",
        "shape": "[1, 2]", "ints": "[4, 5]", "floats": "[0.5, 1.5]", "dtype": "int64",
    }  # fmt: skip
    words = [word for name, value in attributes.items() for word in ("--attr", f"{name}={value}")]
    words += ["--input", "x=[1, 2, 3]", "--input", "y=[10, 20, 30]"]
    words += ["--input", "zs=[100]", "--input", "zs=[200]"]
    assert run(file, "all", "--dtype", "float64", *words, "--save", str(saved)) == 0
    made = np.load(saved)
    rest = 1 + 20 + 300 + 0.25 + 0.125 + 3000 + 7 + 30000 + 9 + 2 + 0.5 + 300
    assert made["out"].dtype == np.float64
    assert made["out"].tolist() == [11 + rest, 22 + rest, 33 + rest]
    assert made["count"].tolist() == [2]


def test_without_dims_an_output_gets_no_memory(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(file, "without_dims", "--input", "x=[4]") == 1
    assert "nobody says the dims of 'out'" in capsys.readouterr().err
    assert run(file, "without_dims", "--input", "x=[4]", "--dims", "out=1") == 0


def test_what_paddle_s_kernels_have_from_elsewhere_is_there(file: Path) -> None:
    """Paddle's framework says how memory is copied, MKL has BLAS, and glog's VLOG says nothing."""
    saved = file.with_name("copied.npy")
    words = ("--input", "x=[3, 4, 5]", "--dims", "out=3", "--save", str(saved))
    assert run(file, "copying", *words) == 0
    assert np.load(saved).tolist() == [25, 4, 5]


def test_what_paddle_refuses_is_told_in_its_words(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(file, "refusing", "--input", "x=[4]") == 1
    assert "three are wanted" in capsys.readouterr().err


def test_an_index_behind_the_end_is_told_at_its_line(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(file, "behind", "--input", "x=[4, 5]", "--sanitize") == 1
    said = capsys.readouterr().err
    line = TEXT[: TEXT.index("to[n] = x.data<T>()[n];")].count("\n") + 1
    assert f"kernels.cc:{line}:" in said
    assert "4 bytes, 0 bytes behind the end of 8" in said
