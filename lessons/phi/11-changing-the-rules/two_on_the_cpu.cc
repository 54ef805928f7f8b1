// Two kernels that only the CPU has. relu reads its input; full_like only asks it for its shape.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ReluKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

template <typename T, typename Context>
void FullLikeKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const Scalar& val,
                    DataType dtype,
                    DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(relu, CPU, ALL_LAYOUT, phi::ReluKernel, float) {}

PD_REGISTER_KERNEL(full_like, CPU, ALL_LAYOUT, phi::FullLikeKernel, float) {
  kernel->InputAt(0).SetBackend(phi::Backend::ALL_BACKEND);
}
