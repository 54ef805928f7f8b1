// Compute's body, pasted into the function that it is to become.
#include "kernel_registry.h"

namespace phi {

template <typename Context, typename T>
DenseTensor RowSums(const Context& dev_ctx, const DenseTensor* x, int64_t axis);

template <typename Context, typename T>
void Divide(const Context& dev_ctx, const DenseTensor& x, T by, DenseTensor* out);

template <typename T, typename Context>
void MeanRowsKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    int axis,
                    float by,
                    DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);

  const DenseTensor sums = RowSums<Context, T>(dev_ctx, &x, axis);
  Divide<Context, T>(dev_ctx, out, static_cast<T>(by), sums);
}

}  // namespace phi

PD_REGISTER_KERNEL(mean_rows, CPU, ALL_LAYOUT, phi::MeanRowsKernel, float, double) {}
