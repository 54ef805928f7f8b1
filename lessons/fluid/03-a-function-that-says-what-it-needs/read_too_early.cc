// An output that is looked at before anybody has written it.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void AddNScaledKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      float scale,
                      DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  const T* data = out->data<T>();
  if (data[0] > 0) return;
}

}  // namespace phi

PD_REGISTER_KERNEL(add_n_scaled, CPU, ALL_LAYOUT, phi::AddNScaledKernel, float, double) {}
