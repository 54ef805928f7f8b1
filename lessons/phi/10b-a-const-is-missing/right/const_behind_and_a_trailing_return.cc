// x * scale + bias. Its parameters are what somebody found handy; PHI wants them otherwise.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
auto ScaleKernel(Context const& dev_ctx,
                 DenseTensor const& x,
                 Scalar const& scale,
                 Scalar const& bias,
                 const bool bias_after_scale,
                 DenseTensor* out) -> void {}

}  // namespace phi

PD_REGISTER_KERNEL(scale, CPU, ALL_LAYOUT, phi::ScaleKernel, float, double) {}
