// A semicolon where the braces should be.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void AbsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(abs, CPU, ALL_LAYOUT, phi::AbsKernel, float);
