// trace, as Fluid had it, for one type: the kernel, the operator, and the maker.
#include "op_registry.h"

namespace paddle {
namespace operators {

template <typename DeviceContext, typename T>
framework::Tensor Diagonal(const framework::ExecutionContext& context, const framework::Tensor* input,
                           int64_t offset, int64_t dim1, int64_t dim2);

template <typename DeviceContext, typename T>
void SumLastAxis(const DeviceContext& dev_ctx, const framework::Tensor& x, framework::Tensor* out);

class TraceOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;

  void InferShape(framework::InferShapeContext* ctx) const override {
    ctx->SetOutputDim("Out", framework::make_ddim({1}));
  }
};

class TraceOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddInput("Input", "(Tensor) The matrix.");
    AddOutput("Out", "(Tensor) The sum of a diagonal.");
    AddAttr<int>("offset", "(int) How far above the main one.").SetDefault(0);
    AddAttr<int>("axis1", "(int) The first axis.").SetDefault(0);
    AddAttr<int>("axis2", "(int) The second axis.").SetDefault(1);
    AddComment("Sums a diagonal.");
  }
};

template <typename DeviceContext, typename T>
class TraceKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {
    auto* input = context.Input<framework::Tensor>("Inputs");
    auto* out = context.Output<framework::Tensor>("Out");
    const int64_t offset = context.Attr<int>("offset");
    const int64_t dim1 = context.Attr<int>("axis1");
    const int64_t dim2 = context.Attr<int>("axis2");
    out->mutable_data<T>(context.GetPlace());
    auto& dev_ctx = context.template device_context<DeviceContext>();
    const framework::Tensor diag = Diagonal<DeviceContext, T>(context, input, offset, dim1, dim2);
    SumLastAxis<DeviceContext, T>(dev_ctx, diag, out);
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

REGISTER_OP_CPU_KERNEL(trace, ops::TraceKernel<paddle::platform::CPUDeviceContext, float>);
REGISTER_OPERATOR(trace, ops::TraceOp, ops::TraceOpMaker);
