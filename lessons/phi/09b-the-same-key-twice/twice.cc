// Two registrations with one key. ANY is ALL_LAYOUT under another name, so that the macros make two
// functions of two names out of them; in the registry the two layouts are one.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ReluKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

// Somebody's idea of a faster one.
template <typename T, typename Context>
void FastReluKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(relu, CPU, ALL_LAYOUT, phi::ReluKernel, float) {}

PD_REGISTER_KERNEL(relu, CPU, ANY, phi::FastReluKernel, float) {}
