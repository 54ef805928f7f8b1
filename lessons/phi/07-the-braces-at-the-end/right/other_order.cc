#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void MomentsKernel(
    const Context& dev_ctx, const DenseTensor& x, DenseTensor* mean, DenseTensor* variance) {}

}  // namespace phi

PD_REGISTER_KERNEL(
    moments, CPU, ALL_LAYOUT, phi::MomentsKernel, phi::dtype::float16, double, float) {
  if (kernel_key.dtype() == phi::DataType::FLOAT16) {
    kernel->OutputAt(1).SetDataType(phi::DataType::FLOAT32);
  }
}
