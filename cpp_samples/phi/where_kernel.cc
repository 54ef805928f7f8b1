// Three inputs, and one of them is no T: the condition holds bools. The registration doesn't say so;
// the kernel's body reads it with `condition.data<bool>()`.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void WhereKernel(const Context& dev_ctx,
                 const DenseTensor& condition,
                 const DenseTensor& x,
                 const DenseTensor& y,
                 DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(where,
                   CPU,
                   ALL_LAYOUT,
                   phi::WhereKernel,
                   float,
                   double,
                   int,
                   int64_t,
                   bool,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}

#ifdef PADDLE_WITH_CUDA
PD_REGISTER_KERNEL(where,
                   GPU,
                   ALL_LAYOUT,
                   phi::WhereKernel,
                   float,
                   double,
                   int,
                   bool,
                   int64_t,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
#endif
