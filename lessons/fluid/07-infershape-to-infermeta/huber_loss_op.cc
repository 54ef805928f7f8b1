// huber_loss: turn its InferShape into an InferMeta. huber_loss_sig.cc is its mapping.
#include "enforce.h"
#include "infershape_utils.h"
#include "meta_tensor.h"
#include "op_registry.h"

namespace paddle {
namespace operators {

class HuberLossOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;

  void InferShape(framework::InferShapeContext* ctx) const override {
    auto x_dims = ctx->GetInputDim("X");
    auto y_dims = ctx->GetInputDim("Y");
    if (ctx->IsRuntime()) {
      PADDLE_ENFORCE_EQ(x_dims,
                        y_dims,
                        platform::errors::InvalidArgument("X and Y must have the same dims"));
    }
    ctx->SetOutputDim("Residual", y_dims);
    ctx->SetOutputDim("Out", y_dims);
    ctx->ShareLoD("X", "Out");
  }
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

REGISTER_OPERATOR(huber_loss,
                  ops::HuberLossOp,
                  ops::HuberLossOpMaker,
                  paddle::framework::EmptyGradOpMaker<paddle::framework::OpDesc>,
                  paddle::framework::EmptyGradOpMaker<paddle::imperative::OpBase>);
