// A kernel from outside: somebody's device, in a library that Paddle loads while it runs.
//
// CustomCPU is no Backend that Paddle was compiled with. The macro makes a string of it (#backend),
// and at run time a string that nobody asked for before is given the next free number. Compare the
// expansion with PD_REGISTER_KERNEL's: OUTER stands in the place of INNER, and ::phi::CustomContext
// in that of a context named after the backend. All the rest is one path.
#include "kernel_registry.h"

namespace custom_cpu {

// The device's own code would be here.
template <typename T, typename Context>
void SoftmaxKernel(const Context& dev_ctx,
                   const phi::DenseTensor& x,
                   int axis,
                   phi::DenseTensor* out) {}

}  // namespace custom_cpu

PD_REGISTER_PLUGIN_KERNEL(softmax,
                          CustomCPU,
                          ALL_LAYOUT,
                          custom_cpu::SoftmaxKernel,
                          float,
                          double,
                          phi::dtype::float16) {}
