// huber_loss, whose shapes an InferMeta infers.
#include "enforce.h"
#include "infershape_utils.h"
#include "meta_tensor.h"
#include "op_registry.h"

namespace phi {

void HuberLossInferMeta(const MetaTensor& input,
                        const MetaTensor& label,
                        float delta,
                        MetaTensor* out,
                        MetaTensor* residual,
                        MetaConfig config = MetaConfig()) {
  if (config.is_runtime) {
    PADDLE_ENFORCE_EQ(input.dims(),
                      label.dims(),
                      errors::InvalidArgument("X and Y must have the same dims"));
  }
  out->set_dims(label.dims());
  out->set_dtype(input.dtype());
  out->share_lod(input);
  residual->set_dims(label.dims());
}

}  // namespace phi

namespace paddle {
namespace operators {

class HuberLossOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;
};

class HuberLossOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddInput("X", "(Tensor) What was predicted.");
    AddInput("Y", "(Tensor) What is so.");
    AddOutput("Residual", "(Tensor) Y - X, kept for the gradient.").AsIntermediate();
    AddOutput("Out", "(Tensor) The loss of each element.");
    AddAttr<float>("delta", "(float) From where on the loss grows slower.");
    AddComment("A loss that outliers don't dominate.");
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

DECLARE_INFER_SHAPE_FUNCTOR(huber_loss,
                            HuberLossInferShapeFunctor,
                            PD_INFER_META(phi::HuberLossInferMeta));

REGISTER_OPERATOR(huber_loss,
                  ops::HuberLossOp,
                  ops::HuberLossOpMaker,
                  paddle::framework::EmptyGradOpMaker<paddle::framework::OpDesc>,
                  paddle::framework::EmptyGradOpMaker<paddle::imperative::OpBase>,
                  HuberLossInferShapeFunctor);
