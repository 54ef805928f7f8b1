// trace, moved to PHI for some of its types. What it computes is left out here.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void TraceKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 int offset,
                 int axis1,
                 int axis2,
                 DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(trace, GPU, ALL_LAYOUT, phi::TraceKernel, float, double, int64_t) {}
