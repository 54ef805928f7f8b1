// The mean of x, and how many elements it has; like is only asked for its shape.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void CountedMeanKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor& like,
                       DenseTensor* mean,
                       DenseTensor* count) {}

}  // namespace phi

PD_REGISTER_KERNEL(counted_mean,
                   CPU,
                   ALL_LAYOUT,
                   phi::CountedMeanKernel,
                   float,
                   double,
                   phi::dtype::float16) {
  kernel->InputAt(1).SetBackend(phi::Backend::ALL_BACKEND);
  if (kernel_key.dtype() == phi::DataType::FLOAT16) {
    kernel->OutputAt(0).SetDataType(phi::DataType::FLOAT32);
  }
  auto count = kernel->OutputAt(1);
  count.SetDataType(phi::DataType::INT64);
}
