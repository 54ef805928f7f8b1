
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
DenseTensor* ScaleKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 const Scalar& scale,
                 const Scalar& bias,
                 bool bias_after_scale,
                 DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(scale, CPU, ALL_LAYOUT, phi::ScaleKernel, float, double) {}
