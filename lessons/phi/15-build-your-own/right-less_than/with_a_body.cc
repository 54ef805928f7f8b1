#include "kernel_registry.h"

namespace phi {

template <typename Number, typename Device>
void LessThanKernel(const Device& device, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {
  const Number* a = x.data<Number>();
  const Number* b = y.data<Number>();
  bool* to = device.template Alloc<bool>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = a[i] < b[i];
}

}  // namespace phi

PD_REGISTER_KERNEL(less_than, CPU, ALL_LAYOUT, phi::LessThanKernel, bool, float, double, int, int64_t) {
  auto& out = kernel->OutputAt(0);
  out.SetDataType(phi::DataType::BOOL);
}
