// soft_sign as a function. Its registrations are missing.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SoftSignKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(soft_sign, CPU, ALL_LAYOUT, phi::SoftSignKernel, float, double, int64_t) {}

PD_REGISTER_KERNEL(
    soft_sign, GPUDNN, ALL_LAYOUT, phi::SoftSignKernel, float, phi::dtype::float16) {}
