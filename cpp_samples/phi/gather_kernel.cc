// An index may be int32 or int64, and the registration says neither: T is what is gathered.
//
// What an input holds that is no T is checked in the kernel's body, when it runs.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void GatherKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  const DenseTensor& index,
                  const Scalar& axis,
                  DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(gather,
                   CPU,
                   ALL_LAYOUT,
                   phi::GatherKernel,
                   float,
                   double,
                   int,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int64_t,
                   bool,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}

#ifdef PADDLE_WITH_CUDA
PD_REGISTER_KERNEL(gather,
                   GPU,
                   ALL_LAYOUT,
                   phi::GatherKernel,
                   float,
                   double,
                   int64_t,
                   int,
                   int16_t,
                   bool,
                   uint8_t,
                   int8_t,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
#endif
