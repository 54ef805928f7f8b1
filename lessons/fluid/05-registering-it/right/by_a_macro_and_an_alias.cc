// soft_sign as a function. Its registrations are missing.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SoftSignKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

using half = phi::dtype::float16;

#define REGISTER(backend, ...) \
  PD_REGISTER_KERNEL(soft_sign, backend, ALL_LAYOUT, phi::SoftSignKernel, __VA_ARGS__) {}

REGISTER(CPU, float, double, int64_t)
REGISTER(GPUDNN, half, float)
