// A kernel from outside for a device from inside.
//
// Paddle's `dot` has no int8, and a library that Paddle loads while it runs can add it. The
// registration is OUTER, as any plug-in's, but the context is the CPU's own: of the two words in
// which PD_REGISTER_PLUGIN_KERNEL differs from PD_REGISTER_KERNEL, PD_REGISTER_BUILTIN_KERNEL has
// the first.
#include "kernel_registry.h"

namespace custom_kernel {

// Sums the products of x and y along the last axis.
template <typename T, typename Context>
void DotKernel(const Context& dev_ctx,
               const phi::DenseTensor& x,
               const phi::DenseTensor& y,
               phi::DenseTensor* out) {}

}  // namespace custom_kernel

PD_REGISTER_BUILTIN_KERNEL(dot, CPU, ALL_LAYOUT, custom_kernel::DotKernel, int8_t) {
  kernel->OutputAt(0).SetDataType(phi::DataType::INT8);
}
