#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void TraceKernel(const Context& dev_ctx, const DenseTensor& x, int offset, int axis1, int axis2, DenseTensor* out) {}

}  // namespace phi

#define MOVED float, double, int64_t
PD_REGISTER_KERNEL(trace, CPU, ALL_LAYOUT, phi::TraceKernel, MOVED) {}
