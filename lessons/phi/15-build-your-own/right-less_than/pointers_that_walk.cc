#include "kernel_registry.h"

namespace phi {

template <class Type, class Device>
void LessThanKernel(
    const Device& ctx, DenseTensor const& a, DenseTensor const& b, DenseTensor* result) {
  const Type* left = a.data<Type>();
  const Type* end = left + a.numel();
  auto right = b.data<Type>();
  bool* to = ctx.template Alloc<bool>(result);
  while (left != end) *to++ = *left++ < *right++;
}

}  // namespace phi

PD_REGISTER_KERNEL(less_than, CPU, ALL_LAYOUT, phi::LessThanKernel, float, double, int) {
  kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);
}
