// The operator's name is a macro.
#include "kernel_registry.h"

#define OPERATOR abs

namespace phi {

template <typename T, typename Context>
void AbsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] < 0 ? -from[i] : from[i];
}

}  // namespace phi

PD_REGISTER_KERNEL(OPERATOR, CPU, ALL_LAYOUT, phi::AbsKernel, float) {}
