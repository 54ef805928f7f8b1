// row_maxima: out[i] is the greatest number of x's row i.
#include "enforce.h"
#include "infermeta_utils.h"
#include "kernel_registry.h"
#include "meta_tensor.h"

namespace phi {

void RowMaximaInferMeta(const MetaTensor& x, MetaTensor* out) {
  out->set_dims({x.dims()[0]});
  out->set_dtype(x.dtype());
}

template <typename T, typename Context>
void RowMaximaKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const int64_t columns = x.dims()[1];
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.dims()[0]; ++i) {
    to[i] = from[i * columns];
    for (int64_t j = 1; j < columns; ++j) {
      if (from[i * columns + j] > to[i]) to[i] = from[i * columns + j];
    }
  }
}

}  // namespace phi

PD_REGISTER_INFER_META_FN(row_maxima, phi::RowMaximaInferMeta);

PD_REGISTER_KERNEL(row_maxima, CPU, ALL_LAYOUT, phi::RowMaximaKernel, float, double) {}
