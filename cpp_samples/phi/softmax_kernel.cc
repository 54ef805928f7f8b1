// An attribute between the inputs and the outputs: the axis along which the shares add up to 1.
//
// Nothing in the registration tells of it, since the parameters are read off the function's type. The
// plug-in in plugin_softmax_kernel.cc registers a kernel of the same name, for a device of its own.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SoftmaxKernel(const Context& dev_ctx, const DenseTensor& x, int axis, DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(softmax, CPU, ALL_LAYOUT, phi::SoftmaxKernel, float, double) {}

#ifdef PADDLE_WITH_CUDA
// Paddle's is called SoftmaxGPUDNNKernel, and its backend is GPUDNN: it may hand over to cuDNN.
PD_REGISTER_KERNEL(softmax,
                   GPU,
                   ALL_LAYOUT,
                   phi::SoftmaxKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
#endif
