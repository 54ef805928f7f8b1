// less_than, on the CPU. The GPU is missing.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void LessThanKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& y,
                    DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(less_than, CPU, ALL_LAYOUT, phi::LessThanKernel, float, double, int) {
  kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);
}
