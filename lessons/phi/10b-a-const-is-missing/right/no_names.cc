
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ScaleKernel(const Context&, const DenseTensor&, const Scalar&, const Scalar&, bool, DenseTensor*) {}

}  // namespace phi

PD_REGISTER_KERNEL(scale, CPU, ALL_LAYOUT, phi::ScaleKernel, float, double) {}
