// Braces that look at the key: one body, run once for each type.
//
// Batch normalisation of float16 keeps its statistics in float32, because the eleven bits of
// float16 are too few for them. That concerns one of the three kernels registered here. The body
// belongs to all three, so it asks which of them it is being run for.
#include "kernel_registry.h"

namespace phi {

// The arithmetic runs on the device and is left out here. What counts is the list of parameters:
// outputs 1 and 2 of the registration are mean_out and variance_out.
template <typename T, typename Context>
void BatchNormInferKernel(const Context& dev_ctx,
                          const DenseTensor& x,
                          const DenseTensor& mean,
                          const DenseTensor& variance,
                          const DenseTensor& scale,
                          const DenseTensor& bias,
                          float momentum,
                          float epsilon,
                          const std::string& data_layout,
                          DenseTensor* y,
                          DenseTensor* mean_out,
                          DenseTensor* variance_out) {}

}  // namespace phi

PD_REGISTER_KERNEL(batch_norm_infer,
                   GPU,
                   ALL_LAYOUT,
                   phi::BatchNormInferKernel,
                   float,
                   double,
                   phi::dtype::float16) {
  if (kernel_key.dtype() == phi::DataType::FLOAT16) {
    kernel->OutputAt(1).SetDataType(phi::DataType::FLOAT32);
    kernel->OutputAt(2).SetDataType(phi::DataType::FLOAT32);
  }
}

// The CPU has no half precision, so its braces have nothing to ask.
PD_REGISTER_KERNEL(batch_norm_infer, CPU, ALL_LAYOUT, phi::BatchNormInferKernel, float, double) {}
