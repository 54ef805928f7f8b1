// soft_sign as a function. Its registrations are missing.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SoftSignKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi
