// The kernels of trace and of its gradient as Fluid had them: two classes that ask for
// everything.
//
// Read Compute for what a kernel takes, for nothing else says it: an input "Input", three
// attributes, an output "Out". The names have to be those of TraceOpMaker in trace_op.cc. With a
// wrong one this compiles, and fails when it is run.
#pragma once

#include "op_registry.h"

namespace paddle {
namespace operators {

// The diagonals of the planes that two axes span, as the last axis of a new tensor.
template <typename DeviceContext, typename T>
framework::Tensor Diagonal(const framework::ExecutionContext& context,
                           const framework::Tensor* input,
                           int64_t offset,
                           int64_t dim1,
                           int64_t dim2);

template <typename DeviceContext, typename T>
void SumLastAxis(const DeviceContext& dev_ctx, const framework::Tensor& x, framework::Tensor* out);

// Puts each element of `values` all along a diagonal of `out`, and 0 everywhere else.
template <typename DeviceContext, typename T>
void FillDiagonals(const DeviceContext& dev_ctx,
                   const framework::Tensor& values,
                   int64_t offset,
                   int64_t dim1,
                   int64_t dim2,
                   framework::Tensor* out);

// The template's arguments: the device, then the type. In PHI they are the other way round.
template <typename DeviceContext, typename T>
class TraceKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {
    auto* input = context.Input<framework::Tensor>("Input");
    auto* out = context.Output<framework::Tensor>("Out");

    const int64_t offset = context.Attr<int>("offset");
    const int64_t dim1 = context.Attr<int>("axis1");
    const int64_t dim2 = context.Attr<int>("axis2");

    // InferShape has run: out has its shape, and only the memory is missing.
    out->mutable_data<T>(context.GetPlace());

    auto& dev_ctx = context.template device_context<DeviceContext>();
    const framework::Tensor diag = Diagonal<DeviceContext, T>(context, input, offset, dim1, dim2);
    SumLastAxis<DeviceContext, T>(dev_ctx, diag, out);
  }
};

// Takes no "Input": of that only the shape is wanted, and the gradient's output has it already.
template <typename DeviceContext, typename T>
class TraceGradKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {
    auto* d_out = context.Input<framework::Tensor>(framework::GradVarName("Out"));
    auto* d_x = context.Output<framework::Tensor>(framework::GradVarName("Input"));

    const int64_t offset = context.Attr<int>("offset");
    const int64_t dim1 = context.Attr<int>("axis1");
    const int64_t dim2 = context.Attr<int>("axis2");

    d_x->mutable_data<T>(context.GetPlace());

    auto& dev_ctx = context.template device_context<DeviceContext>();
    FillDiagonals<DeviceContext, T>(dev_ctx, *d_out, offset, dim1, dim2, d_x);
  }
};

}  // namespace operators
}  // namespace paddle
