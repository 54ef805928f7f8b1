// trace, whose kernels are in PHI now. What of this is not needed any more?
#include "infershape_utils.h"
#include "op_registry.h"

namespace phi {

void TraceInferMeta(const MetaTensor& x, int offset, int axis1, int axis2, MetaTensor* out);

}  // namespace phi

namespace paddle {
namespace operators {

class TraceOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;
};

class TraceOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddInput("Input", "(Tensor) The tensor whose diagonals are summed.");
    AddOutput("Out", "(Tensor) Their sums.");
    AddAttr<int>("offset", "(int) How far above the main diagonal.").SetDefault(0);
    AddAttr<int>("axis1", "(int) The first axis of the planes.").SetDefault(0);
    AddAttr<int>("axis2", "(int) The second axis of the planes.").SetDefault(1);
    AddComment("Sums diagonals.");
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

DECLARE_INFER_SHAPE_FUNCTOR(trace,
                            TraceInferShapeFunctor,
                            PD_INFER_META(phi::TraceInferMeta));

REGISTER_OPERATOR(trace, ops::TraceOp, ops::TraceOpMaker, TraceInferShapeFunctor);

// REGISTER_OP_CPU_KERNEL(trace,
//                        ops::TraceKernel<paddle::platform::CPUDeviceContext, float>,
//                        ops::TraceKernel<paddle::platform::CPUDeviceContext, double>);
