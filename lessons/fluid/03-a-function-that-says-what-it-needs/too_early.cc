// The same parameters, but an attribute stands before an input.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void AddNScaledKernel(const Context& dev_ctx,
                      float scale,
                      const DenseTensor& x,
                      DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(add_n_scaled, CPU, ALL_LAYOUT, phi::AddNScaledKernel, float, double) {}
