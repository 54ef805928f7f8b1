// row_maxima: out[i] is the greatest number of x's row i.
#include "enforce.h"
#include "infermeta_utils.h"
#include "kernel_registry.h"
#include "meta_tensor.h"

namespace phi {

void OfRows(const MetaTensor& x, MetaTensor* out) {
  PADDLE_ENFORCE_EQ(x.dims().size(), 2, errors::InvalidArgument("row_maxima takes a matrix"));
  out->set_dims({x.dims()[0]});
  out->set_dtype(x.dtype());
}

template <typename T, typename Context>
void GreatestKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const int64_t columns = x.dims()[1];
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t k = 0; k < x.numel(); ++k) {
    const int64_t i = k / columns;
    if (k % columns == 0 || to[i] < from[k]) to[i] = from[k];
  }
}

}  // namespace phi

PD_REGISTER_INFER_META_FN(row_maxima, phi::OfRows);

PD_REGISTER_KERNEL(row_maxima, CPU, ALL_LAYOUT, phi::GreatestKernel, float, double) {}
