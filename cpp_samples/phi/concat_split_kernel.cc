// As many tensors as the caller likes, in one parameter.
//
// `concat` takes a vector of pointers and `split` fills one. In the registry either counts as one
// input or one output, so one line describes them all: they have one type and lie on one device. A
// Scalar for the axis and an IntArray for the lengths, since either may come out of a tensor.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ConcatKernel(const Context& dev_ctx,
                  const std::vector<const DenseTensor*>& x,
                  const Scalar& axis,
                  DenseTensor* out) {}

template <typename T, typename Context>
void SplitKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 const IntArray& sections,
                 const Scalar& axis,
                 std::vector<DenseTensor*> out) {}

}  // namespace phi

PD_REGISTER_KERNEL(concat,
                   CPU,
                   ALL_LAYOUT,
                   phi::ConcatKernel,
                   float,
                   double,
                   bool,
                   int64_t,
                   int,
                   uint8_t,
                   int8_t,
                   int16_t,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::float8_e4m3fn,
                   phi::dtype::float8_e5m2,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}

PD_REGISTER_KERNEL(split,
                   CPU,
                   ALL_LAYOUT,
                   phi::SplitKernel,
                   float,
                   double,
                   int64_t,
                   int,
                   bool,
                   uint8_t,
                   int8_t,
                   int16_t,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
