// The same kernels as in ../trace_op.h, as functions. In Paddle this is
// phi/kernels/cpu/trace_kernel.cc and trace_grad_kernel.cc; each device has its own file.
//
// What was asked of the context is a parameter now, and what was a cast on the way, `const
// int64_t offset = context.Attr<int>("offset")`, happens where it is used. Memory comes from
// dev_ctx. The types that are registered are those of the old registration.
#include "trace_kernel.h"

#include "../../phi/kernel_registry.h"

namespace phi {

template <typename T, typename Context>
DenseTensor Diagonal(const Context& dev_ctx,
                     const DenseTensor* input,
                     int64_t offset,
                     int64_t dim1,
                     int64_t dim2);

template <typename T, typename Context>
void SumLastAxis(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out);

template <typename T, typename Context>
void FillDiagonals(const Context& dev_ctx,
                   const DenseTensor& values,
                   int64_t offset,
                   int64_t dim1,
                   int64_t dim2,
                   DenseTensor* out);

template <typename T, typename Context>
void TraceKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 int offset,
                 int axis1,
                 int axis2,
                 DenseTensor* out) {
  // `template`, or the compiler takes the `<` for "less than": it can't look into Context yet.
  dev_ctx.template Alloc<T>(out);

  const DenseTensor diag = Diagonal<T, Context>(dev_ctx, &x, offset, axis1, axis2);
  SumLastAxis<T, Context>(dev_ctx, diag, out);
}

template <typename T, typename Context>
void TraceGradKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const DenseTensor& out_grad,
                     int offset,
                     int axis1,
                     int axis2,
                     DenseTensor* in_grad) {
  dev_ctx.template Alloc<T>(in_grad);
  FillDiagonals<T, Context>(dev_ctx, out_grad, offset, axis1, axis2, in_grad);
}

}  // namespace phi

PD_REGISTER_KERNEL(trace,
                   CPU,
                   ALL_LAYOUT,
                   phi::TraceKernel,
                   float,
                   double,
                   int,
                   int64_t,
                   phi::dtype::float16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}

PD_REGISTER_KERNEL(trace_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::TraceGradKernel,
                   float,
                   double,
                   int,
                   int64_t,
                   phi::dtype::float16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
