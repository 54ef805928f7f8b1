// The mean of x, and how many elements it has; like is only asked for its shape.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void CountedMeanKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor& like,
                       DenseTensor* mean,
                       DenseTensor* count) {}

}  // namespace phi

PD_REGISTER_KERNEL(counted_mean,
                   CPU,
                   ALL_LAYOUT,
                   phi::CountedMeanKernel,
                   float,
                   double,
                   phi::dtype::float16) {
  using namespace phi;
  TensorArgDef& like = kernel->InputAt(1);
  like.SetBackend(Backend::ALL_BACKEND);
  auto& count = kernel->OutputAt(1);
  count.SetDataType(DataType::INT64);
  const bool half = kernel_key.dtype() == DataType::FLOAT16;
  if (half) kernel->OutputAt(0).SetDataType(DataType::FLOAT32);
}
