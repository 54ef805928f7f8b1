// Three types for the loop of two rounds.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void AbsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

_PD_KERNEL_INSTANTIATION_2(
    phi::AbsKernel, CPU, ::phi::CPUContext, FUNCTION_KERNEL_INSTANTIATION, int, float, double)
