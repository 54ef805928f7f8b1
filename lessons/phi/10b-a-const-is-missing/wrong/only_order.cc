
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ScaleKernel(const Context& dev_ctx,
                 DenseTensor& x,
                 Scalar scale,
                 Scalar bias,
                 bool bias_after_scale,
                 DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(scale, CPU, ALL_LAYOUT, phi::ScaleKernel, float, double) {}
