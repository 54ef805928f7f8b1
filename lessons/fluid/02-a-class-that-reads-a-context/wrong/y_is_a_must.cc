// An operator without its names: what Compute asks for, the maker has to list.
#include "op_registry.h"

namespace paddle {
namespace operators {

template <typename DeviceContext, typename T>
void Axpy(const framework::Tensor& x, const framework::Tensor* y, float alpha, framework::Tensor* out);

template <typename DeviceContext, typename T>
class AxpyKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {
    auto* x = context.Input<framework::Tensor>("X");
    auto* out = context.Output<framework::Tensor>("Out");
    const float alpha = context.Attr<float>("alpha");
    // Without a Y, alpha * x is all.
    auto* y = context.HasInput("Y") ? context.Input<framework::Tensor>("Y") : nullptr;
    out->mutable_data<T>(context.GetPlace());
    Axpy<DeviceContext, T>(*x, y, alpha, out);
  }
};

class AxpyOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;

  void InferShape(framework::InferShapeContext* ctx) const override {
    ctx->SetOutputDim("Out", ctx->GetInputDim("X"));
  }
};

class AxpyOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddInput("X", "(Tensor) What is multiplied.");
    AddInput("Y", "(Tensor) What is added; may be absent.");
    AddOutput("Out", "(Tensor) The sum.");
    AddAttr<float>("alpha", "(float) The factor.").SetDefault(1.0f);
    AddComment("Adds alpha times X to Y.");
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

REGISTER_OPERATOR(axpy, ops::AxpyOp, ops::AxpyOpMaker);

REGISTER_OP_CPU_KERNEL(axpy, ops::AxpyKernel<paddle::platform::CPUDeviceContext, float>);
