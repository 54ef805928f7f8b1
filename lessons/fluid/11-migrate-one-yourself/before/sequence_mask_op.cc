// sequence_mask, before its move: all of it is Fluid's.
#include "op_registry.h"

namespace paddle {
namespace operators {

template <typename DeviceContext, typename T>
int LargestOf(const DeviceContext& dev_ctx, const framework::Tensor& x);

// Gives y memory, of the type that out_dtype stands for, and writes the rows.
template <typename DeviceContext, typename T>
void WriteMask(const DeviceContext& dev_ctx,
               const framework::Tensor& x,
               int maxlen,
               int out_dtype,
               framework::Tensor* y);

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

template <typename DeviceContext, typename T>
class SequenceMaskKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& ctx) const override {
    auto* x = ctx.Input<framework::LoDTensor>("X");
    auto* y = ctx.Output<framework::LoDTensor>("Y");
    int maxlen = ctx.Attr<int>("maxlen");
    auto& dev_ctx = ctx.template device_context<DeviceContext>();

    if (ctx.HasInput("MaxLenTensor")) {
      maxlen = *ctx.Input<framework::LoDTensor>("MaxLenTensor")->data<int32_t>();
    }
    if (maxlen < 0) maxlen = LargestOf<DeviceContext, T>(dev_ctx, *x);

    auto dim = framework::vectorize(x->dims());
    dim.push_back(maxlen);
    y->Resize(framework::make_ddim(dim));
    WriteMask<DeviceContext, T>(dev_ctx, *x, maxlen, ctx.Attr<int>("out_dtype"), y);
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

REGISTER_OP_CPU_KERNEL(
    sequence_mask,
    ops::SequenceMaskKernel<paddle::platform::CPUDeviceContext, int>,
    ops::SequenceMaskKernel<paddle::platform::CPUDeviceContext, int64_t>,
    ops::SequenceMaskKernel<paddle::platform::CPUDeviceContext, float>,
    ops::SequenceMaskKernel<paddle::platform::CPUDeviceContext, double>);
