// A kernel of Fluid's asks its context for these:
//
//   context.Input<Tensor>("X")                 the maker: AddInput("X", …)
//   context.MultiInput<Tensor>("Rows")         AddInput("Rows", …).AsDuplicable()
//   context.Input<Tensor>("Bias")              AddInput("Bias", …).AsDispensable()
//   context.Attr<float>("epsilon")             AddAttr<float>("epsilon", …)
//   context.Attr<bool>("ISTest")               AddAttr<bool>("ISTest", …)
//   context.Output<Tensor>("Out")              AddOutput("Out", …)
//   context.MultiOutput<Tensor>("Means")       AddOutput("Means", …).AsDuplicable()
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void RowNormKernel(const Context& dev_ctx,
                   DenseTensor const& x,
                   std::vector<DenseTensor const*> const& rows,
                   paddle::optional<DenseTensor> const& bias,
                   const float epsilon,
                   const bool is_test,
                   DenseTensor* out,
                   std::vector<DenseTensor*> means) {}

}  // namespace phi

PD_REGISTER_KERNEL(row_norm, CPU, ALL_LAYOUT, phi::RowNormKernel, float, double) {}
