"""What a migration writes, compiled with Paddle's own headers."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from visualizer.migration import migrate
from visualizer.migration.writing import write

OPERATOR = """\
#include "paddle/fluid/framework/op_registry.h"

namespace paddle {
namespace operators {

using Tensor = framework::Tensor;

template <typename DeviceContext, typename T>
class PowersKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& ctx) const override {
    auto* x = ctx.Input<Tensor>("X");
    auto* bias = ctx.Input<Tensor>("Bias");
    auto* out = ctx.Output<framework::LoDTensor>("Out");
    auto outs = ctx.MultiOutput<Tensor>("All");
    auto* count = ctx.Output<Tensor>("Count");
    auto place = ctx.GetPlace();
    int64_t axis = ctx.Attr<int>("axis");
    if (ctx.HasInput("AxisTensor")) {
      axis = ctx.Input<Tensor>("AxisTensor")->data<int>()[0];
    }
    PADDLE_ENFORCE_GE(axis, 0, platform::errors::OutOfRange("axis is %d", axis));
    auto shape = ctx.Attr<std::vector<int>>("shape");
    shape.push_back(2);
    auto& dev_ctx = ctx.template device_context<DeviceContext>();
    count->mutable_data<int>(framework::make_ddim(shape), place);
    T* data = out->mutable_data<T>(ctx.GetPlace());
    for (auto* one : outs) {
      one->mutable_data<T>(place);
      framework::TensorCopySync(*x, platform::CPUPlace(), one);
    }
    if (bias != nullptr && platform::is_cpu_place(bias->place())) data[0] = bias->data<T>()[0];
    dev_ctx.Wait();
    const framework::Variable* variable = ctx.InputVar("X");
    auto& dense = variable->Get<framework::LoDTensor>();
    auto offsets = framework::ToAbsOffset(dense.lod());
    ctx.OutputVar("Out")->GetMutable<framework::LoDTensor>()->set_lod(offsets);
    framework::Tensor tmp;
    tmp.mutable_data(place, x->type());
    framework::DefaultCPUGenerator()->GetCPUEngine();
    out->set_lod(framework::LoD());
    platform::bfloat16 small(1.0f);
    (void)small;
  }
};

class PowersOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;

  void InferShape(framework::InferShapeContext* ctx) const override {
    PADDLE_ENFORCE_EQ(ctx->HasInput("X"), true, platform::errors::NotFound("X"));
    auto dims = framework::vectorize(ctx->GetInputDim("X"));
    if (ctx->IsRuntime()) dims.push_back(1);
    ctx->SetOutputDim("Out", framework::make_ddim(dims));
    ctx->SetOutputDim("Count", {1});
    ctx->ShareLoD("X", /*->*/ "Out");
    auto all = ctx->GetInputsDim("Parts");
    ctx->SetOutputsDim("All", all);
    ctx->SetOutputsDim("All", ctx->GetInputsDim("Parts"));
    if (ctx->HasOutputs("All")) ctx->ShareAllLoD("Parts", "All");
    ctx->ShareDim("Parts", "All", 0, 0);
  }
};

class PowersOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddComment("");
    AddInput("X", "");
    AddInput("Parts", "").AsDuplicable();
    AddInput("Bias", "").AsDispensable();
    AddInput("AxisTensor", "").AsDispensable();
    AddOutput("Out", "");
    AddOutput("Count", "");
    AddOutput("All", "").AsDuplicable();
    AddAttr<int>("axis", "");
    AddAttr<std::vector<int>>("shape", "");
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;
REGISTER_OPERATOR(powers, ops::PowersOp, ops::PowersOpMaker);
REGISTER_OP_CPU_KERNEL(powers,
                       ops::PowersKernel<paddle::platform::CPUDeviceContext, float>,
                       ops::PowersKernel<paddle::platform::CPUDeviceContext, double>);
"""


@pytest.mark.paddle
@pytest.mark.compiler
@pytest.mark.slow
def test_the_kernel_compiles_with_paddles_headers(tmp_path: Path) -> None:
    include = Path(os.environ.get("PADDLE_INCLUDE", ""))
    if not (include / "paddle").is_dir():
        pytest.skip("PADDLE_INCLUDE names no folder with Paddle's headers")
    if not shutil.which("g++"):
        pytest.skip("g++ is not on PATH")
    source = tmp_path / "powers_op.cc"
    source.write_text(OPERATOR)
    migration = migrate(source)
    write(migration, tmp_path)
    flags = ["-std=c++17", "-fsyntax-only", "-I", str(tmp_path), "-I", str(include)]
    theirs = include / "paddle/phi/infermeta/multiary.h"  # to which ours is to be added
    flags += ["-include", str(theirs)]
    both = tmp_path / "both.cc"
    names = ("kernels/cpu/powers_kernel.cc", "infermeta/multiary.cc")
    both.write_text("".join(f'#include "paddle/phi/{name}"\n' for name in names))
    done = subprocess.run(["g++", *flags, str(both)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
