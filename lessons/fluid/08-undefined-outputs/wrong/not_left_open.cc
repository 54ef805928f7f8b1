// Of each row of x: its largest element, where that is, and how often it is there.
#include "kernel_registry.h"
#include "meta_tensor.h"

namespace phi {

template <typename T, typename Context>
void MostKernel(const Context& dev_ctx,
                const DenseTensor& x,
                DataType dtype,
                DenseTensor* out,
                DenseTensor* index,
                DenseTensor* count) {}

void MostInferMeta(
    const MetaTensor& x, DataType dtype, MetaTensor* out, MetaTensor* index, MetaTensor* count) {
  auto rows = phi::make_ddim({x.dims()[0]});
  out->set_dims(rows);
  index->set_dims(rows);
  count->set_dims(rows);
  out->set_dtype(x.dtype());
  index->set_dtype(dtype);
}

}  // namespace phi

PD_REGISTER_KERNEL(most, CPU, ALL_LAYOUT, phi::MostKernel, float, double) {
  kernel->OutputAt(2).SetDataType(phi::DataType::INT64);
}

PD_REGISTER_INFER_META_FN(most, phi::MostInferMeta);
