// One kernel, two builds of Paddle. Step through this file, and then again with
// -DPADDLE_WITH_CUSTOM_DEVICE.
//
// The second build has no GPU of NVIDIA's, but somebody's chip for which the same source compiles.
// Its registration for GPU leaves no entry: only the kernel, compiled for the CustomContext, and a
// function that nobody calls. The entry comes from the plug-in, under the device's own name, and
// its types need not be the same.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void FlipKernel(const Context& dev_ctx,
                const DenseTensor& x,
                const std::vector<int>& axis,
                DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(flip,
                   CPU,
                   ALL_LAYOUT,
                   phi::FlipKernel,
                   float,
                   double,
                   int32_t,
                   int64_t,
                   bool,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}

PD_REGISTER_KERNEL(flip,
                   GPU,
                   ALL_LAYOUT,
                   phi::FlipKernel,
                   float,
                   double,
                   int32_t,
                   int64_t,
                   bool,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}

#ifdef PADDLE_WITH_CUSTOM_DEVICE
// In the plug-in's own source.
PD_CUSTOM_KERNEL_REGISTER(flip,
                          metax_gpu,
                          ALL_LAYOUT,
                          phi::FlipKernel,
                          float,
                          double,
                          int32_t,
                          int64_t,
                          phi::dtype::float16) {}
#endif
