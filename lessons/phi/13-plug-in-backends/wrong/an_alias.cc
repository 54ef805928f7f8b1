#include "kernel_registry.h"

namespace custom_cpu {

template <typename T, typename Context>
void SoftmaxKernel(const Context& dev_ctx,
                   const phi::DenseTensor& x,
                   int axis,
                   phi::DenseTensor* out) {}

}  // namespace custom_cpu

namespace phi {
using CustomCPUContext = CustomContext;
}

PD_REGISTER_KERNEL(softmax, CustomCPU, ALL_LAYOUT, custom_cpu::SoftmaxKernel, float, double) {}
