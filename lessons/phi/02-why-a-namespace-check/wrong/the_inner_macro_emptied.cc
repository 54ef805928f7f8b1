#include "kernel_registry.h"

#undef _PD_STATIC_ASSERT_GLOBAL_NAMESPACE
#define _PD_STATIC_ASSERT_GLOBAL_NAMESPACE(a, b)

namespace phi {

template <typename T, typename Context>
void SignKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = (from[i] > 0) - (from[i] < 0);
}

PD_REGISTER_KERNEL(sign, CPU, ALL_LAYOUT, SignKernel, float, double) {}

}  // namespace phi
