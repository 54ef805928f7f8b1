#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void AsIsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(
    as_is, CPU, ALL_LAYOUT, phi::AsIsKernel, int8_t, int64_t, phi::dtype::complex<float>) {}
