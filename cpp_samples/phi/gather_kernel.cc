// An index may be int32 or int64, and the registration says neither: T is what is gathered.
//
// What an input holds that is no T is checked in the kernel's body, when it runs.
#include "kernel_registry.h"

namespace phi {

// Slices of x along one axis: of each of its `outer` parts those that `index` names, `inner` elements
// each. A negative number counts from the end.
template <typename T, typename Index>
void CopySlices(const T* from,
                const Index* index,
                int64_t count,
                int64_t outer,
                int64_t length,
                int64_t inner,
                T* to) {
  for (int64_t part = 0; part < outer; ++part) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = index[i] < 0 ? index[i] + length : index[i];
      const T* slice = from + (part * length + at) * inner;
      for (int64_t k = 0; k < inner; ++k) *to++ = slice[k];
    }
  }
}

template <typename T, typename Context>
void GatherKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  const DenseTensor& index,
                  const Scalar& axis,
                  DenseTensor* out) {
  const std::vector<int64_t> dims = x.dims();
  const int rank = static_cast<int>(dims.size());
  int along = axis.to<int>();
  if (along < 0) along += rank;
  int64_t outer = 1, inner = 1;
  for (int i = 0; i < along; ++i) outer *= dims[i];
  for (int i = along + 1; i < rank; ++i) inner *= dims[i];

  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  const int64_t count = index.numel(), length = dims[along];
  if (index.dtype() == DataType::INT32) {
    CopySlices(from, index.data<int>(), count, outer, length, inner, to);
  } else {
    CopySlices(from, index.data<int64_t>(), count, outer, length, inner, to);
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(gather,
                   CPU,
                   ALL_LAYOUT,
                   phi::GatherKernel,
                   float,
                   double,
                   int,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int64_t,
                   bool,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}

#ifdef PADDLE_WITH_CUDA
PD_REGISTER_KERNEL(gather,
                   GPU,
                   ALL_LAYOUT,
                   phi::GatherKernel,
                   float,
                   double,
                   int64_t,
                   int,
                   int16_t,
                   bool,
                   uint8_t,
                   int8_t,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
#endif
