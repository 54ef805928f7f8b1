// All four parts of a kernel. In Paddle they stand in three files: the header, phi/infermeta/unary.cc,
// and phi/kernels/cpu/row_sums_kernel.cc.
#include "enforce.h"
#include "infermeta_utils.h"
#include "meta_tensor.h"
#include "row_sums_kernel.h"

namespace phi {

void RowSumsInferMeta(const MetaTensor& x, MetaTensor* out) {
  PADDLE_ENFORCE_EQ(
      x.dims().size(), 2, errors::InvalidArgument("row_sums takes a matrix, of two dimensions"));
  out->set_dims({x.dims()[0]});
  out->set_dtype(x.dtype());
}

template <typename T, typename Context>
void RowSumsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const int64_t rows = x.dims()[0];
  const int64_t columns = x.dims()[1];
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < rows; ++i) {
    to[i] = static_cast<T>(0);
    for (int64_t j = 0; j < columns; ++j) to[i] += from[i * columns + j];
  }
}

}  // namespace phi

PD_REGISTER_INFER_META_FN(row_sums, phi::RowSumsInferMeta);

PD_REGISTER_KERNEL(row_sums, CPU, ALL_LAYOUT, phi::RowSumsKernel, float, double) {}
