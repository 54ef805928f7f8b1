#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ReluKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(relu, GPU, ANY, phi::ReluKernel, float) {
  kernel->OutputAt(0).SetDataType(kernel_key.dtype());
}
PD_REGISTER_KERNEL(relu, CPU, kAnyLayout, phi::ReluKernel, double) {}
PD_REGISTER_KERNEL(relu, CPU, ALL_LAYOUT, phi::ReluKernel, float) {}
