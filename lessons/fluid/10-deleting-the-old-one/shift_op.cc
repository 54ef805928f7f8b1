// An operator whose kernel is Fluid's still.
#include "op_registry.h"

namespace paddle {
namespace operators {

class ShiftOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;
};

template <typename DeviceContext, typename T>
class ShiftKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {
    context.Output<framework::Tensor>("Out")->mutable_data<T>(context.GetPlace());
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

REGISTER_OPERATOR(shift, ops::ShiftOp);

REGISTER_OP_CPU_KERNEL(shift, ops::ShiftKernel<paddle::platform::CPUDeviceContext, float>);
