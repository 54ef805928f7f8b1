// An input that may be missing, and one that keeps its place when it is.
//
// Without weights each number counts once. The registration can't know whether a call will have
// them, so input 1 is described as if it were always there. The type of the output depends on it
// too: what a registration can't know, the braces leave open, with UNDEFINED.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void BincountKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const paddle::optional<DenseTensor>& weights,
                    const Scalar& minlength,
                    DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(
    bincount, CPU, ALL_LAYOUT, phi::BincountKernel, float, double, int, int64_t) {
  kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);
}
