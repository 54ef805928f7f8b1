// trace halfway: the operator is still Fluid's, its kernels and the function for its shapes are
// PHI's.
//
// What a program on disk names is the operator: its type, the names of its inputs, its
// attributes. So the maker stays, and so do the grad op makers. What is gone is the computing: no
// kernel classes, no REGISTER_OP_CPU_KERNEL, and of trace no InferShape. A call by names gets to
// the kernel through trace's argument mapping, ../trace_sig.cc.
//
// trace_grad keeps its InferShape. A gradient's shape is simple, and the kernel's registration
// leaves no dtype open that only an InferMeta could tell.
#include "../infershape_utils.h"
#include "../op_registry.h"

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

DECLARE_INFER_SHAPE_FUNCTOR(trace,
                            TraceInferShapeFunctor,
                            PD_INFER_META(phi::TraceInferMeta));

REGISTER_OPERATOR(trace,
                  ops::TraceOp,
                  ops::TraceOpMaker,
                  ops::TraceGradOpMaker<paddle::framework::OpDesc>,
                  ops::TraceGradOpMaker<paddle::imperative::OpBase>,
                  TraceInferShapeFunctor);

REGISTER_OPERATOR(trace_grad, ops::TraceOpGrad, ops::TraceGradNoNeedBufferVarsInferer);
