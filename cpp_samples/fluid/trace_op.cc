// trace before the migration: everything of it is Fluid's.
//
// Six classes for two operators. TraceOp and TraceOpGrad infer shapes; TraceOpMaker lists trace's
// names; TraceGradOpMaker says how a call of trace_grad is made from a call of trace; and two
// kernels in trace_op.h compute. Four registrations at the end put them into two maps: the
// operators into OpInfoMap, the kernels into AllOpKernels().
//
// trace_grad has no maker. Nobody calls it but through TraceGradOpMaker, so nobody needs its
// names; until PHI wants them in an order.
#include "enforce.h"
#include "trace_op.h"

namespace paddle {
namespace operators {

class TraceOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;

  void InferShape(framework::InferShapeContext* ctx) const override {
    PADDLE_ENFORCE_EQ(ctx->HasInput("Input"), true,
                      platform::errors::NotFound("Input of TraceOp is not found."));
    PADDLE_ENFORCE_EQ(ctx->HasOutput("Out"), true,
                      platform::errors::NotFound("Output of TraceOp is not found."));

    int dim1 = ctx->Attrs().Get<int>("axis1");
    int dim2 = ctx->Attrs().Get<int>("axis2");

    auto x_dims = ctx->GetInputDim("Input");

    int dim1_ = dim1 < 0 ? x_dims.size() + dim1 : dim1;
    int dim2_ = dim2 < 0 ? x_dims.size() + dim2 : dim2;

    PADDLE_ENFORCE_GE(x_dims.size(), 2,
                      platform::errors::OutOfRange(
                          "Input's dim is out of range (expected at least 2, but got %ld).",
                          x_dims.size()));
    PADDLE_ENFORCE_LT(dim1_, x_dims.size(),
                      platform::errors::OutOfRange("Attr(dim1) is out of range (expected to be in "
                                                   "range of [%ld, %ld], but got %ld).",
                                                   -(x_dims.size()), (x_dims.size() - 1), dim1));
    PADDLE_ENFORCE_LT(dim2_, x_dims.size(),
                      platform::errors::OutOfRange("Attr(dim2) is out of range (expected to be in "
                                                   "range of [%ld, %ld], but got %ld).",
                                                   -(x_dims.size()), (x_dims.size() - 1), dim2));
    PADDLE_ENFORCE_NE(dim1_, dim2_,
                      platform::errors::InvalidArgument(
                          "The dimensions should not be identical %ld vs %ld.", dim1, dim2));

    std::vector<int64_t> sizes;
    for (int i = 0; i < x_dims.size(); ++i) {
      if (i != dim1_ && i != dim2_) sizes.push_back(x_dims[i]);
    }
    if (sizes.empty()) sizes.push_back(1);  // a tensor had one axis at least
    ctx->SetOutputDim("Out", framework::make_ddim(sizes));
  }
};

class TraceOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddInput("Input", "(Tensor) The tensor whose diagonals are summed.");
    AddOutput("Out", "(Tensor) Their sums: Input's shape without the two axes.");
    AddAttr<int>("offset", "(int) How far above the main diagonal; below it, if negative.")
        .SetDefault(0);
    AddAttr<int>("axis1", "(int) The first axis of the planes. May count from the end.")
        .SetDefault(0);
    AddAttr<int>("axis2", "(int) The second axis of the planes. May count from the end.")
        .SetDefault(1);
    AddComment("Sums diagonals, as numpy.trace does.");
  }
};

class TraceOpGrad : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;

  void InferShape(framework::InferShapeContext* ctx) const override {
    ctx->SetOutputDim(framework::GradVarName("Input"), ctx->GetInputDim("Input"));
  }

 protected:
  // Not by all the inputs: the memory of "Input" may be gone.
  framework::OpKernelType GetExpectedKernelType(
      const framework::ExecutionContext& ctx) const override {
    return framework::OpKernelType(IndicateVarDataType(ctx, framework::GradVarName("Out")),
                                   ctx.GetPlace());
  }
};

template <typename T>
class TraceGradOpMaker : public framework::SingleGradOpMaker<T> {
 public:
  using framework::SingleGradOpMaker<T>::SingleGradOpMaker;

 protected:
  void Apply(GradOpPtr<T> grad_op) const override {
    grad_op->SetType("trace_grad");
    grad_op->SetInput("Input", this->Input("Input"));
    grad_op->SetInput(framework::GradVarName("Out"), this->OutputGrad("Out"));
    grad_op->SetOutput(framework::GradVarName("Input"), this->InputGrad("Input"));
    grad_op->SetAttrMap(this->Attrs());
  }
};

DECLARE_NO_NEED_BUFFER_VARS_INFERER(TraceGradNoNeedBufferVarsInferer, "Input");

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

REGISTER_OPERATOR(trace,
                  ops::TraceOp,
                  ops::TraceOpMaker,
                  ops::TraceGradOpMaker<paddle::framework::OpDesc>,
                  ops::TraceGradOpMaker<paddle::imperative::OpBase>);

REGISTER_OPERATOR(trace_grad, ops::TraceOpGrad, ops::TraceGradNoNeedBufferVarsInferer);

REGISTER_OP_CPU_KERNEL(
    trace,
    ops::TraceKernel<paddle::platform::CPUDeviceContext, float>,
    ops::TraceKernel<paddle::platform::CPUDeviceContext, double>,
    ops::TraceKernel<paddle::platform::CPUDeviceContext, int>,
    ops::TraceKernel<paddle::platform::CPUDeviceContext, int64_t>,
    ops::TraceKernel<paddle::platform::CPUDeviceContext, paddle::platform::float16>,
    ops::TraceKernel<paddle::platform::CPUDeviceContext, paddle::platform::complex<float>>,
    ops::TraceKernel<paddle::platform::CPUDeviceContext, paddle::platform::complex<double>>);

REGISTER_OP_CPU_KERNEL(
    trace_grad,
    ops::TraceGradKernel<paddle::platform::CPUDeviceContext, float>,
    ops::TraceGradKernel<paddle::platform::CPUDeviceContext, double>,
    ops::TraceGradKernel<paddle::platform::CPUDeviceContext, int>,
    ops::TraceGradKernel<paddle::platform::CPUDeviceContext, int64_t>,
    ops::TraceGradKernel<paddle::platform::CPUDeviceContext, paddle::platform::float16>,
    ops::TraceGradKernel<paddle::platform::CPUDeviceContext, paddle::platform::complex<float>>,
    ops::TraceGradKernel<paddle::platform::CPUDeviceContext, paddle::platform::complex<double>>);
