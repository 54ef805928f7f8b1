#include "kernel_registry.h"

namespace custom_cpu {

template <typename T, typename Context>
void SoftmaxKernel(const Context& dev_ctx,
                   const phi::DenseTensor& x,
                   int axis,
                   phi::DenseTensor* out) {}

}  // namespace custom_cpu

_PD_REGISTER_KERNEL(::phi::RegType::OUTER, softmax, CustomCPU, ::phi::CustomContext, ALL_LAYOUT,
                    custom_cpu::SoftmaxKernel, FUNCTION_KERNEL_INSTANTIATION, ARG_PARSE_FUNCTOR,
                    PHI_KERNEL, PHI_VARIADIC_KERNEL, double, float) {}
