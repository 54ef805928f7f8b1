#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SoftShrinkKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      float lambda,
                      DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  const T by = static_cast<T>(lambda);
  int64_t i = x.numel();
  while (i-- > 0) {
    T value = from[i];
    if (value >= -by && value <= by) {
      to[i] = 0;
      continue;
    }
    to[i] = value < 0 ? value + by : value - by;
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(soft_shrink, CPU, ALL_LAYOUT, phi::SoftShrinkKernel, float, double) {}
