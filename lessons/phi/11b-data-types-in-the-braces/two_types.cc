// Two kernels whose braces ask for an input of another type than the key's.
#include "kernel_registry.h"

namespace phi {

// Half-precision numbers, and weights in single precision.
template <typename T, typename Context>
void WeightedKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& weight,
                    DenseTensor* out) {}

// From frequencies, which are complex, to a real signal.
template <typename T, typename Context>
void SignalKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(weighted, CPU, ALL_LAYOUT, phi::WeightedKernel, phi::dtype::float16) {
  kernel->InputAt(1).SetDataType(phi::DataType::FLOAT32);
}

PD_REGISTER_KERNEL(signal, CPU, ALL_LAYOUT, phi::SignalKernel, float) {
  kernel->InputAt(0).SetDataType(phi::dtype::ToComplex(kernel_key.dtype()));
}
