#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SignKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = (from[i] > 0) - (from[i] < 0);
}

}  // namespace phi

inline namespace v1 {

PD_REGISTER_KERNEL(sign, CPU, ALL_LAYOUT, phi::SignKernel, float, double) {}

}  // namespace v1
