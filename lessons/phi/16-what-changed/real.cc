// A registration through Paddle's own header: not opened here, for its wheel need not be installed.
#include "paddle/phi/core/kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void MineKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, phi::MineKernel, float, double, int, int64_t) {}
