// soft_shrink in Fluid, with a body that computes: numbers near 0 become 0, others come nearer to it.
#include "op_registry.h"

namespace paddle {
namespace operators {

class SoftShrinkOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;

  void InferShape(framework::InferShapeContext* ctx) const override {
    ctx->SetOutputDim("Out", ctx->GetInputDim("X"));
  }
};

class SoftShrinkOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddInput("X", "(Tensor) The numbers.");
    AddOutput("Out", "(Tensor) The same, nearer to 0.");
    AddAttr<float>("lambda", "(float) By how much.").SetDefault(0.5f);
    AddComment("Shrinks numbers towards 0.");
  }
};

template <typename DeviceContext, typename T>
class SoftShrinkKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& ctx) const override {
    auto* x = ctx.Input<framework::Tensor>("X");
    auto* out = ctx.Output<framework::Tensor>("Out");
    const T lambda = static_cast<T>(ctx.Attr<float>("lambda"));
    const T* from = x->data<T>();
    T* to = out->mutable_data<T>(ctx.GetPlace());
    for (int64_t i = 0; i < x->numel(); ++i) {
      if (from[i] > lambda) {
        to[i] = from[i] - lambda;
      } else if (from[i] < -lambda) {
        to[i] = from[i] + lambda;
      } else {
        to[i] = static_cast<T>(0);
      }
    }
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

REGISTER_OPERATOR(soft_shrink, ops::SoftShrinkOp, ops::SoftShrinkOpMaker);

REGISTER_OP_CPU_KERNEL(soft_shrink,
                       ops::SoftShrinkKernel<paddle::platform::CPUDeviceContext, float>,
                       ops::SoftShrinkKernel<paddle::platform::CPUDeviceContext, double>);
