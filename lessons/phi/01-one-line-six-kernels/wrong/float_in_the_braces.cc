#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ReluKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] > 0 ? from[i] : 0;
}

}  // namespace phi

PD_REGISTER_KERNEL(relu, CPU, ALL_LAYOUT, phi::ReluKernel, float, double) {
  kernel->OutputAt(0).SetDataType(phi::DataType::FLOAT32);
}
