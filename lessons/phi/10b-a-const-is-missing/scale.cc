// x * scale + bias. Its parameters are what somebody found handy; PHI wants them otherwise.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ScaleKernel(Context& dev_ctx,
                 DenseTensor& x,
                 DenseTensor* out,
                 Scalar scale,
                 Scalar bias,
                 bool bias_after_scale) {}

}  // namespace phi

PD_REGISTER_KERNEL(scale, CPU, ALL_LAYOUT, phi::ScaleKernel, float, double) {}
