// sequence_mask, moved halfway: the operator is Fluid's, its kernel PHI's, and no mapping.
#include "op_registry.h"

namespace paddle {
namespace operators {

class SequenceMaskOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;

  void InferShape(framework::InferShapeContext* ctx) const override {
    auto dim = framework::vectorize(ctx->GetInputDim("X"));
    int maxlen = ctx->Attrs().Get<int>("maxlen");
    if (ctx->HasInput("MaxLenTensor")) maxlen = -1;  // the tensor says it, once there are elements
    dim.push_back(maxlen > 0 ? maxlen : -1);
    ctx->SetOutputDim("Y", framework::make_ddim(dim));
  }

 protected:
  framework::OpKernelType GetExpectedKernelType(
      const framework::ExecutionContext& ctx) const override {
    return framework::OpKernelType(IndicateVarDataType(ctx, "X"), ctx.GetPlace());
  }
};

class SequenceMaskOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddInput("X", "(Tensor) How long each sequence is.");
    AddOutput("Y", "(Tensor) 1 where there is a sequence, 0 behind its end.");
    AddInput("MaxLenTensor", "(Tensor) How long a row is; wins over maxlen.").AsDispensable();
    AddAttr<int>("maxlen", "(int) How long a row is; if negative, the largest of X.")
        .SetDefault(-1);
    AddAttr<int>("out_dtype", "(int) Of which type Y is.");
    AddComment("Makes rows of ones, as long as X says.");
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

REGISTER_OPERATOR(sequence_mask,
                  ops::SequenceMaskOp,
                  ops::SequenceMaskOpMaker,
                  paddle::framework::EmptyGradOpMaker<paddle::framework::OpDesc>,
                  paddle::framework::EmptyGradOpMaker<paddle::imperative::OpBase>);
