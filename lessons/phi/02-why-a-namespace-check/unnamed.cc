// Kernel and registration stand in a namespace without a name.
#include "kernel_registry.h"

namespace {

template <typename T, typename Context>
void AbsKernel(const Context& dev_ctx, const phi::DenseTensor& x, phi::DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] < 0 ? -from[i] : from[i];
}

PD_REGISTER_KERNEL(abs, CPU, ALL_LAYOUT, AbsKernel, float) {}

}  // namespace
