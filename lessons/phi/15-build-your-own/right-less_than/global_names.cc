#include "kernel_registry.h"

template <typename T, typename Context>
void phi_less_than(const Context&, const phi::DenseTensor&, const phi::DenseTensor&, phi::DenseTensor*);

namespace phi {
template <typename T, typename Context>
void LessThanKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {}
}

PD_REGISTER_KERNEL(less_than, CPU, ANY, phi::LessThanKernel, int32_t, double, float) {
  kernel->OutputAt(0).SetDataType(DATATYPE(BOOL));
}
