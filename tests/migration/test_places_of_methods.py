"""Where a class's functions are defined, and what they are given; what a gradient is called."""

from pathlib import Path

from tests.migration.operator_text import SHAPES, migrated, operator_text, piece
from visualizer.migration import migrate

HEADER = """\
#include "op_registry.h"
namespace paddle {
namespace operators {
class TestOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;
  void InferShape(framework::InferShapeContext* ctx) const override;
};
}  // namespace operators
}  // namespace paddle
"""


def test_an_infer_shape_outside_of_its_class_and_its_file(tmp_path: Path) -> None:
    text = operator_text('ctx.Output<Tensor>("Out")->mutable_data<T>(ctx.GetPlace());')
    begin, end = text.index("class TestOp :"), text.index("class TestOpMaker")
    twice = SHAPES.replace("}", "").replace(
        'ctx->GetInputDim("X"));', 'ctx->GetInputDim("X"));\n    ctx->GetInputDim("X");'
    )
    outside = f"void TestOp::InferShape(framework::InferShapeContext* ctx) const {{\n{twice}}}\n\n"
    (tmp_path / "test_op.h").write_text(HEADER)
    (tmp_path / "test_op.cc").write_text(text[:begin] + outside + text[end:])
    found = migrate(tmp_path / "test_op.cc")
    meta = piece(found, "infermeta/unary.cc")
    assert "void ScaleInferMeta(const MetaTensor& x,\n" in meta
    assert "out->set_dims(x.dims());" in meta
    assert "OperatorWithKernel" not in meta
    assert "InferShape(" not in piece(found, "operators/test_op.h")
    assert "TestOp::InferShape(" not in piece(found, "operators/test_op.cc")


def test_a_function_of_the_class_has_only_the_context_that_it_is_given(tmp_path: Path) -> None:
    member = """
  void Fill(const platform::CPUDeviceContext& given, framework::Tensor* to) const {
    to->mutable_data<T>(platform::CPUPlace());
  }
  void Alone(framework::Tensor* to) const { to->mutable_data<T>(platform::CPUPlace()); }
"""
    text = operator_text("Fill(); Alone();").replace(
        "  }\n};\n\nclass TestOp :", f"  }}\n{member}}};\n\nclass TestOp :"
    )
    kernel = piece(migrated(tmp_path, text), "cpu/scale_kernel.cc")
    assert "given.template HostAlloc<T>(to);" in kernel
    assert "TODO(migrate): whose memory is this?" in kernel
    assert "dev_ctx.template HostAlloc" not in kernel


GRADIENT = """\
template <typename T>
class TestGradMaker : public framework::SingleGradOpMaker<T> {
 protected:
  void Apply(GradOpPtr<T> op) const override {
    op->SetType(this->ForwardOpType() + "_grad");
    op->SetInput("X", this->Input("X"));
    op->SetInput(framework::GradVarName("Out"), this->OutputGrad("Out"));
    op->SetOutput(framework::GradVarName("X"), this->InputGrad("X"));
    op->SetAttrMap(this->Attrs());
  }
};

"""


def test_a_gradient_that_is_called_after_its_operator(tmp_path: Path) -> None:
    kernel = 'ctx.Output<Tensor>(framework::GradVarName("X"))->mutable_data<T>(ctx.GetPlace());'
    text = operator_text(kernel, before="")
    text = text.replace("class TestOpMaker", f"{GRADIENT}class TestOpMaker")
    text = text.replace("ops::TestOpMaker);", "ops::TestOpMaker, ops::TestGradMaker<Desc>);")
    text = text.replace("REGISTER_OP_CPU_KERNEL(scale", "REGISTER_OP_CPU_KERNEL(scale_grad")
    found = migrated(tmp_path, text)
    mapping = "".join(piece(found, "compat/scale_sig.cc").split())
    assert '{"X","Out@GRAD"},{"axis"},{"X@GRAD"});' in mapping
    assert not any("order of their use" in mark.reason for mark in found.left)


def test_two_names_of_one_type_are_registered_once(tmp_path: Path) -> None:
    text = operator_text().replace("plat::float16>", "int32_t>")
    more = text.replace("float>,", "int>,")
    kernel = piece(migrated(tmp_path, more), "cpu/scale_kernel.cc")
    assert kernel.partition("phi::TestKernel,")[2].split() == ["int)", "{}"]
    more = text.replace("float>,", "int>, ops::TestKernel<plat::CPUDeviceContext, double>,")
    kernel = piece(migrated(tmp_path, more), "cpu/scale_kernel.cc")
    assert kernel.partition("phi::TestKernel,")[2].split() == ["int,", "double)", "{}"]


def test_eigens_functions_are_found_where_phi_has_them(tmp_path: Path) -> None:
    text = operator_text("EigenSub<Device, T>::Eval(place, out, x, y);").replace(
        '#include "op_registry.h"',
        '#include "paddle/fluid/framework/op_registry.h"\n'
        '#include "paddle/fluid/operators/eigen/eigen_function.h"',
    )
    kernel = piece(migrated(tmp_path, text), "cpu/scale_kernel.cc")
    assert "phi::funcs::EigenSub<Device, T>::Eval(place, out, x, y);" in kernel
    assert '#include "paddle/phi/kernels/funcs/eigen/eigen_function.h"' in kernel
