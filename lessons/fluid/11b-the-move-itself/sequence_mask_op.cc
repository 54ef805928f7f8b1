// What of sequence_mask stays in Fluid. Its shapes and types come from PHI's InferMeta.
#include "infershape_utils.h"
#include "op_registry.h"

namespace phi {

void SequenceMaskInferMeta(const MetaTensor& x,
                           const MetaTensor& max_len_tensor,
                           int maxlen,
                           DataType out_dtype,
                           MetaTensor* y);

}  // namespace phi

namespace paddle {
namespace operators {

class SequenceMaskOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;

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

DECLARE_INFER_SHAPE_FUNCTOR(sequence_mask,
                            SequenceMaskInferShapeFunctor,
                            PD_INFER_META(phi::SequenceMaskInferMeta));

REGISTER_OPERATOR(sequence_mask,
                  ops::SequenceMaskOp,
                  ops::SequenceMaskOpMaker,
                  paddle::framework::EmptyGradOpMaker<paddle::framework::OpDesc>,
                  paddle::framework::EmptyGradOpMaker<paddle::imperative::OpBase>,
                  SequenceMaskInferShapeFunctor);
