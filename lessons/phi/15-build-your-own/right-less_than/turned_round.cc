#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void LessThanKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {
  auto* to = dev_ctx.template Alloc<bool>(out);
  for (int64_t i = 0; i < x.numel(); ++i) *(to + i) = y.data<T>()[i] > (&x.data<T>()[0])[i];
}

}  // namespace phi

PD_REGISTER_KERNEL(less_than, CPU, ALL_LAYOUT, phi::LessThanKernel, float, double, int) {
  kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);
}
