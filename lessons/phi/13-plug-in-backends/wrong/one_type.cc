#include "kernel_registry.h"

namespace custom_cpu {

template <typename T, typename Context>
void SoftmaxKernel(const Context& dev_ctx,
                   const phi::DenseTensor& x,
                   int axis,
                   phi::DenseTensor* out) {}

}  // namespace custom_cpu

PD_REGISTER_PLUGIN_KERNEL(softmax, CustomCPU, ALL_LAYOUT, custom_cpu::SoftmaxKernel, float) {}
