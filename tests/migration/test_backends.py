"""Each backend's file has what its own old file had, and nothing that only another compiler reads."""

from pathlib import Path

from tests.migration.operator_text import operator_text, piece
from visualizer.migration import Migration, migrate

HEADER = """\
#pragma once
#include <vector>
#include "op_registry.h"

namespace paddle {
namespace operators {

template <typename DeviceContext, typename T>
struct Fill;

template <typename DeviceContext, typename T>
class TestKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& ctx) const override {
    auto& dev_ctx = ctx.template device_context<DeviceContext>();
    Fill<DeviceContext, T>()(dev_ctx);
  }
};

}  // namespace operators
}  // namespace paddle
"""
OF_THE_CPU = """\
template <typename T>
struct Fill<platform::CPUDeviceContext, T> {
  void operator()(const platform::CPUDeviceContext& context) { std::fill(0, 1, 2); }
};

"""
CUDA = """\
#include <thrust/fill.h>
#include "test_op.h"

namespace paddle {
namespace operators {

template <typename T>
__global__ void FillKernel(T* out) { *out = 0; }

template <typename T>
struct Fill<platform::CUDADeviceContext, T> {
  void operator()(const platform::CUDADeviceContext& context) { FillKernel<T><<<1, 1>>>(0); }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;
REGISTER_OP_CUDA_KERNEL(scale, ops::TestKernel<paddle::platform::CUDADeviceContext, float>);
"""


def of_three_files(folder: Path, header: str, text: str, cuda: str) -> Migration:
    """What becomes of test_op.h, test_op.cc and test_op.cu."""
    (folder / "test_op.h").write_text(header)
    (folder / "test_op.cu").write_text(cuda)
    (folder / "test_op.cc").write_text(text)
    return migrate(folder / "test_op.cc")


def held(text: str) -> set[str]:
    """Which of these it has."""
    words = (
        *("struct Fill;", "Fill<Context, T>()(dev_ctx);", "std::fill", "<algorithm>"),
        *("__global__", "FillKernel<T><<<1, 1>>>", "<thrust/fill.h>", "OnTheCPU();"),
    )
    return {word for word in words if word in text}


def without_kernel(before: str) -> str:
    """The operator's own file, whose kernel stands in the header."""
    text = operator_text(before="BEGIN").replace('"op_registry.h"', '"test_op.h"')
    start, end = text.index("BEGIN"), text.index("class TestOp :")
    return f"#include <algorithm>\n{text[:start]}{before}{text[end:]}"


def test_each_backends_functor_goes_into_its_own_file(tmp_path: Path) -> None:
    found = of_three_files(tmp_path, HEADER, without_kernel(OF_THE_CPU), CUDA)
    shared, cpu, gpu = (
        piece(found, f"kernels/{path}")
        for path in ("impl/scale_kernel_impl.h", "cpu/scale_kernel.cc", "gpu/scale_kernel.cu")
    )
    assert held(shared) == {"struct Fill;", "Fill<Context, T>()(dev_ctx);"}
    assert held(cpu) == {"std::fill", "<algorithm>"}
    assert held(gpu) == {"__global__", "FillKernel<T><<<1, 1>>>", "<thrust/fill.h>"}


def test_a_class_for_each_backend_has_its_own_body(tmp_path: Path) -> None:
    head = "template <typename DeviceContext, typename T>"
    special = HEADER.replace(head + "\nclass TestKernel :", "{}")
    special = special.replace("Fill<DeviceContext, T>()(dev_ctx);", "OnTheCPU();")
    special = special.replace(
        "{} public",
        f"{head}\nclass TestKernel;\n\n"
        "template <typename T>\nclass TestKernel<platform::CPUDeviceContext, T> : public",
    ).replace("device_context<DeviceContext>", "device_context<platform::CPUDeviceContext>")
    cuda = CUDA.replace(
        CUDA[CUDA.index("template <typename T>\nstruct") : CUDA.index("}  // namespace operators")],
        """\
template <typename T>
class TestKernel<platform::CUDADeviceContext, T> : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& ctx) const override {
    FillKernel<T><<<1, 1>>>(0);
  }
};

""",
    )
    found = of_three_files(tmp_path, special, without_kernel(""), cuda)
    cpu, gpu = (piece(found, path) for path in ("cpu/scale_kernel.cc", "gpu/scale_kernel.cu"))
    assert held(cpu) == {"OnTheCPU();", "<algorithm>"}
    assert held(gpu) == {"__global__", "FillKernel<T><<<1, 1>>>", "<thrust/fill.h>"}
    for text, last in ((cpu, "phi::dtype::float16)"), (gpu, "float)")):
        assert text.rpartition("phi::TestKernel,")[2].split()[-2:] == [last, "{}"]
    assert not [mark.reason for mark in found.left if "Compute" in mark.reason]


def test_what_is_cudas_keeps_its_words(tmp_path: Path) -> None:
    head = "__global__ void Plain(int n) {}\n\n__launch_bounds__(32)\n__global__ void Bound(int n) {}\n"
    text = CUDA.replace(
        "template <typename T>\n__global__", f"{head}\ntemplate <typename T>\n__global__"
    )
    text = text.replace("FillKernel<T><<<1, 1>>>(0);", "Plain<<<1, 1>>>(0); Bound<<<1, 1>>>(0);")
    for name, content in (("test_op.h", HEADER), ("test_op.cu", text)):
        (tmp_path / name).write_text(content)
    (tmp_path / "test_op.cc").write_text(operator_text().replace("TestKernel :", "Unused :"))
    kernel = piece(migrate(tmp_path / "test_op.cu"), "gpu/scale_kernel.cu")
    assert "__global__ void Plain(int n) {}" in kernel
    assert "__launch_bounds__(32)\n__global__ void Bound(int n) {}" in kernel
