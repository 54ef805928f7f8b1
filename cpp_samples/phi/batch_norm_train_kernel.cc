// Braces that two builds of Paddle read differently.
//
// The braces are no argument of the macro, so directives may stand in them as anywhere. AMD's
// library keeps the statistics in float32 always, NVIDIA's only for the short types:
// -DPADDLE_WITH_HIP chooses. What the preprocessor decides here is decided before there is a
// kernel; what `if` decides, once for each type, when the program starts.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void BatchNormKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const DenseTensor& mean,
                     const DenseTensor& variance,
                     const paddle::optional<DenseTensor>& scale,
                     const paddle::optional<DenseTensor>& bias,
                     bool is_test,
                     float momentum,
                     float epsilon,
                     const std::string& data_layout,
                     bool use_global_stats,
                     bool trainable_statistics,
                     DenseTensor* y,
                     DenseTensor* mean_out,
                     DenseTensor* variance_out,
                     DenseTensor* saved_mean,
                     DenseTensor* saved_variance,
                     DenseTensor* reserve_space) {}

}  // namespace phi

PD_REGISTER_KERNEL(batch_norm,
                   GPU,
                   ALL_LAYOUT,
                   phi::BatchNormKernel,
                   float,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  phi::DataType statistics = kernel_key.dtype();
#ifdef PADDLE_WITH_HIP
  statistics = phi::DataType::FLOAT32;
#else
  if (kernel_key.dtype() == phi::DataType::FLOAT16 ||
      kernel_key.dtype() == phi::DataType::BFLOAT16) {
    statistics = phi::DataType::FLOAT32;
  }
#endif
  for (std::size_t i = 1; i <= 4; ++i) {
    kernel->InputAt(i).SetDataType(statistics);
    kernel->OutputAt(i).SetDataType(statistics);
  }
}
