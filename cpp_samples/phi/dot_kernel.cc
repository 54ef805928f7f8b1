// One number from two vectors, and from two matrices one for each pair of rows.
//
// The plug-in in plugin_dot_kernel.cc has a dot of its own for int8_t, under the same name: names are
// shared, keys are not.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void DotKernel(const Context& dev_ctx,
               const DenseTensor& x,
               const DenseTensor& y,
               DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(dot,
                   CPU,
                   ALL_LAYOUT,
                   phi::DotKernel,
                   float,
                   double,
                   int,
                   int64_t,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}

#ifdef PADDLE_WITH_CUDA
PD_REGISTER_KERNEL(dot,
                   GPU,
                   ALL_LAYOUT,
                   phi::DotKernel,
                   float,
                   double,
                   int,
                   int64_t,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
#endif
