// Somebody has moved it, and thought that the two branches could be one.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SoftShrinkKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      float lambda,
                      DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) {
    to[i] = from[i] > static_cast<T>(lambda) ? from[i] - static_cast<T>(lambda) : static_cast<T>(0);
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(soft_shrink, CPU, ALL_LAYOUT, phi::SoftShrinkKernel, float, double) {}
