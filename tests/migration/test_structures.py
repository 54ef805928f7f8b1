"""Kernels that are Fluid's classes in PHI's registry, and those that Fluid knew by a number besides."""

from pathlib import Path

from tests.migration.operator_text import migrated, operator_text, piece

HEAD = "template <typename T, typename DeviceContext>"
WRITES = '    ctx.Output<Tensor>("Out")->mutable_data<T>(ctx.GetPlace());\n'


def registered(text: str, registration: str) -> str:
    """The same operator, registered otherwise."""
    head, _, _ = text.partition("REGISTER_OP_CPU_KERNEL")
    return head + registration


def test_a_structure_becomes_a_function_with_its_types(tmp_path: Path) -> None:
    text = registered(
        operator_text(WRITES, head=HEAD),
        "PD_REGISTER_STRUCT_KERNEL(\n"
        "    scale, CPU, ALL_LAYOUT, ops::TestKernel, float, plat::float16) {}\n",
    )
    found = migrated(tmp_path, text)
    kernel = piece(found, "cpu/scale_kernel.cc")
    assert "template <typename T, typename Context>\nvoid TestKernel(" in kernel
    listed = kernel.partition("PD_REGISTER_KERNEL(")[2].split()
    types = ["phi::TestKernel,", "float,", "phi::dtype::float16)", "{}"]
    assert listed == ["scale,", "CPU,", "ALL_LAYOUT,", *types]
    remains = piece(found, "test_op.cc")
    assert "STRUCT" not in remains
    assert "TestKernel" not in remains
    assert not found.left


OF_TWO = """\
template <typename T, typename DeviceContext>
class TestKernel;

template <typename T>
class TestKernel<T, phi::CPUContext> : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& ctx) const override { OfTheCpu(); }
};

template <typename T>
class TestKernel<T, phi::GPUContext> : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& ctx) const override { OfTheGpu(); }
};
"""


def test_each_backend_has_the_specialisation_for_its_context(tmp_path: Path) -> None:
    text = operator_text()
    begin, end = text.index("template <typename DeviceContext"), text.index("class TestOp :")
    text = registered(
        text[:begin] + OF_TWO + text[end:],
        "PD_REGISTER_STRUCT_KERNEL(scale, CPU, ALL_LAYOUT, ops::TestKernel, float) {}\n"
        "PD_REGISTER_STRUCT_KERNEL(scale, GPU, ALL_LAYOUT, ops::TestKernel, float) {}\n",
    )
    found = migrated(tmp_path, text)
    assert "OfTheCpu();" in piece(found, "cpu/scale_kernel.cc")
    assert "OfTheGpu();" in piece(found, "gpu/scale_kernel.cu")
    assert "OfTheGpu();" not in piece(found, "cpu/scale_kernel.cc")


def test_what_stood_in_the_braces_is_asked_for(tmp_path: Path) -> None:
    text = registered(
        operator_text(WRITES, head=HEAD),
        "PD_REGISTER_STRUCT_KERNEL(scale, CPU, ALL_LAYOUT, ops::TestKernel, float) {\n"
        "  kernel->OutputAt(0).SetBackend(phi::Backend::CPU);\n}\n",
    )
    (mark,) = migrated(tmp_path, text).left
    assert mark.reason == "the old registration had more in its braces: put it in again"


def test_a_number_beside_the_key_is_left_to_a_person(tmp_path: Path) -> None:
    text = registered(
        operator_text(WRITES),
        "REGISTER_OP_KERNEL_WITH_CUSTOM_TYPE(scale, MKLDNN, plat::CPUPlace, FP32, ops::kFP32,\n"
        "                                    ops::TestKernel<plat::CPUDeviceContext, float>);\n",
    )
    found = migrated(tmp_path, text)
    (mark,) = found.left
    assert mark.reason.startswith("Fluid found this kernel by ops::kFP32, beside its key")
    assert "PD_REGISTER_KERNEL(scale,\n                   OneDNN,\n" in piece(
        found, "onednn/scale_kernel.cc"
    )
