// A kernel that looks around in the program that is running.
#include "op_registry.h"

namespace paddle {
namespace framework {
class Scope;
}  // namespace framework

namespace operators {

template <typename DeviceContext, typename T>
void WriteShape(const framework::Tensor& x, const framework::Scope& scope);

class SaveShapeOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;
};

class SaveShapeOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddInput("X", "(Tensor) Whose shape is kept.");
    AddComment("Keeps a shape in the scope.");
  }
};

template <typename DeviceContext, typename T>
class SaveShapeKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {
    const framework::Scope& scope = context.scope();
    WriteShape<DeviceContext, T>(*context.Input<framework::Tensor>("X"), scope);
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

REGISTER_OP_CPU_KERNEL(save_shape, ops::SaveShapeKernel<paddle::platform::CPUDeviceContext, float>);
REGISTER_OPERATOR(save_shape, ops::SaveShapeOp, ops::SaveShapeOpMaker);
