// Two functions of one element. `exp` takes integers too, and answers in float.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ReluKernel(const Context& dev_ctx,
                const DenseTensor& x,
                DenseTensor* out) {}

template <typename T, typename Context>
void ExpKernel(const Context& dev_ctx,
               const DenseTensor& x,
               DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(relu,
                   CPU,
                   ALL_LAYOUT,
                   phi::ReluKernel,
                   float,
                   double) {}

PD_REGISTER_KERNEL(exp,
                   CPU,
                   ALL_LAYOUT,
                   phi::ExpKernel,
                   float,
                   double,
                   int,
                   int64_t,
                   phi::dtype::float16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}

#ifdef PADDLE_WITH_CUDA
PD_REGISTER_KERNEL(relu,
                   GPU,
                   ALL_LAYOUT,
                   phi::ReluKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}

PD_REGISTER_KERNEL(exp,
                   GPU,
                   ALL_LAYOUT,
                   phi::ExpKernel,
                   float,
                   double,
                   int,
                   int64_t,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
#endif
