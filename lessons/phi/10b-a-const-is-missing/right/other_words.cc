
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ScaleKernel(Context const& dev_ctx, DenseTensor const& x, Scalar const & scale, const phi::Scalar & bias, const bool bias_after_scale, phi::DenseTensor *out) {}

}  // namespace phi

PD_REGISTER_KERNEL(scale, CPU, ALL_LAYOUT, phi::ScaleKernel, float, double) {}
