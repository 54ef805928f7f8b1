// Kernels whose output has another type than their inputs.
//
// The parameters are taken down as if every tensor held a T. An answer to a comparison is a bool, and
// the braces after the registration put that right.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void EqualKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 const DenseTensor& y,
                 DenseTensor* out) {}

template <typename T, typename Context>
void LessThanKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& y,
                    DenseTensor* out) {}

template <typename T, typename Context>
void IsfiniteKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(equal,
                   CPU,
                   ALL_LAYOUT,
                   phi::EqualKernel,
                   bool,
                   int16_t,
                   int,
                   int64_t,
                   int8_t,
                   uint8_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);
}

PD_REGISTER_KERNEL(less_than,
                   CPU,
                   ALL_LAYOUT,
                   phi::LessThanKernel,
                   bool,
                   int16_t,
                   int,
                   int64_t,
                   int8_t,
                   uint8_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);
}

PD_REGISTER_KERNEL(isfinite,
                   CPU,
                   ALL_LAYOUT,
                   phi::IsfiniteKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   int,
                   int64_t,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);
}

#ifdef PADDLE_WITH_CUDA
// For comparisons Paddle says KPS: short for kernel primitives, and with CUDA another name for GPU.
PD_REGISTER_KERNEL(equal,
                   GPU,
                   ALL_LAYOUT,
                   phi::EqualKernel,
                   bool,
                   int,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int64_t,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);
}

PD_REGISTER_KERNEL(less_than,
                   GPU,
                   ALL_LAYOUT,
                   phi::LessThanKernel,
                   bool,
                   int,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int64_t,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);
}

PD_REGISTER_KERNEL(isfinite,
                   GPU,
                   ALL_LAYOUT,
                   phi::IsfiniteKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   int,
                   int64_t,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);
}
#endif
