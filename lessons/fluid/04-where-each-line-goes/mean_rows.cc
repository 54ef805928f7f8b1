// Compute's body, pasted into the function that it is to become.
#include "kernel_registry.h"

namespace phi {

template <typename Context, typename T>
DenseTensor RowSums(const Context& dev_ctx, const DenseTensor* x, int64_t axis);

template <typename Context, typename T>
void Divide(const Context& dev_ctx, const DenseTensor& x, T by, DenseTensor* out);

template <typename T, typename Context>
void MeanRowsKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    int axis,
                    float by,
                    DenseTensor* out) {
  auto* input = context.Input<framework::Tensor>("X");
  auto* out = context.Output<framework::Tensor>("Out");
  const int64_t axis = context.Attr<int>("axis");
  const float by = context.Attr<float>("by");

  out->mutable_data<T>(context.GetPlace());

  auto& device = context.template device_context<DeviceContext>();
  const framework::Tensor sums = RowSums<DeviceContext, T>(device, input, axis);
  Divide<DeviceContext, T>(device, sums, static_cast<T>(by), out);
}

}  // namespace phi

PD_REGISTER_KERNEL(mean_rows, CPU, ALL_LAYOUT, phi::MeanRowsKernel, float, double) {}
