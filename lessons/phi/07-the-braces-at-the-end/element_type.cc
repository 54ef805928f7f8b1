// The braces ask for the element type by the name that the kernel has for it.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void AbsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(abs, CPU, ALL_LAYOUT, phi::AbsKernel, float, phi::dtype::complex<float>) {
  if (T == phi::DataType::COMPLEX64) kernel->OutputAt(0).SetDataType(phi::DataType::FLOAT32);
}
