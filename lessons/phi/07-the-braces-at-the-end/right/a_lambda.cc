#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void MomentsKernel(
    const Context& dev_ctx, const DenseTensor& x, DenseTensor* mean, DenseTensor* variance) {}

}  // namespace phi

PD_REGISTER_KERNEL(
    moments, CPU, ALL_LAYOUT, phi::MomentsKernel, float, double, phi::dtype::float16) {
auto wide = [&](int i) { kernel->OutputAt(i).SetDataType(phi::DataType::FLOAT32); }; if (kernel_key.dtype() == phi::DataType::FLOAT16) wide(1);
}
