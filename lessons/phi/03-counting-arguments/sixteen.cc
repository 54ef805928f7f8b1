// Sixteen types, one more than this header counts.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void AsIsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(as_is,
                   CPU,
                   ALL_LAYOUT,
                   phi::AsIsKernel,
                   bool,
                   uint8_t,
                   int8_t,
                   uint16_t,
                   int16_t,
                   uint32_t,
                   int,
                   uint64_t,
                   int64_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>,
                   phi::dtype::pstring) {}
