// A sum may be of another type than what is added up.
//
// Bools and int32s add up to an int64, and a caller may ask for any type in out_dtype. No registration
// can know that, so the braces say UNDEFINED. A mean is of the type of its elements.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SumKernel(const Context& dev_ctx,
               const DenseTensor& x,
               const IntArray& dims,
               DataType out_dtype,
               bool keep_dim,
               DenseTensor* out) {}

// What is added up in: a float that has a million floats in it takes in no more small ones.
template <typename T>
struct MeanSumOf {
  using Type = std::conditional_t<std::is_integral_v<T>, int64_t, double>;
};
template <typename T>
struct MeanSumOf<dtype::complex<T>> {
  using Type = dtype::complex<double>;
};
template <typename T>
using MeanSum = typename MeanSumOf<T>::Type;

template <typename T, typename Context>
void MeanKernel(const Context& dev_ctx,
                const DenseTensor& x,
                const IntArray& dims,
                bool keep_dim,
                DenseTensor* out) {
  // How far apart the elements of `out` lie along each axis of x: not at all along those that go.
  const std::vector<int64_t> shape = x.dims();
  const int rank = static_cast<int>(shape.size());
  std::vector<bool> goes(shape.size(), dims.GetData().empty());
  for (int64_t axis : dims.GetData()) goes[axis < 0 ? axis + rank : axis] = true;
  std::vector<int64_t> stride(shape.size(), 0);
  int64_t size = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    if (goes[axis]) continue;
    stride[axis] = size;
    size *= shape[axis];
  }

  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  std::vector<MeanSum<T>> sums(size, MeanSum<T>(0));
  std::vector<int64_t> index(shape.size(), 0);
  const int64_t n = x.numel();
  int64_t at = 0;
  for (int64_t i = 0; i < n; ++i) {
    sums[at] += MeanSum<T>(from[i]);
    for (int axis = rank - 1; axis >= 0; --axis) {
      at += stride[axis];
      if (++index[axis] < shape[axis]) break;
      at -= stride[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  // Of no element, an integer has no quotient; of bools, the mean is whether there is a true one.
  const int64_t each = size == 0 ? 0 : n / size;
  const MeanSum<T> count(std::is_integral_v<T> && each == 0 ? 1 : each);
  for (int64_t i = 0; i < size; ++i) {
    to[i] = static_cast<T>(std::is_same_v<T, bool> ? sums[i] : sums[i] / count);
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(sum,
                   CPU,
                   ALL_LAYOUT,
                   phi::SumKernel,
                   bool,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   int16_t,
                   int,
                   int64_t,
                   uint8_t,
                   int8_t,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);
}

PD_REGISTER_KERNEL(mean,
                   CPU,
                   ALL_LAYOUT,
                   phi::MeanKernel,
                   float,
                   double,
                   bool,
                   int,
                   int64_t,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}

#ifdef PADDLE_WITH_CUDA
PD_REGISTER_KERNEL(sum,
                   GPU,
                   ALL_LAYOUT,
                   phi::SumKernel,
                   bool,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   int16_t,
                   int,
                   int64_t,
                   uint8_t,
                   int8_t,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);
}

PD_REGISTER_KERNEL(mean,
                   GPU,
                   ALL_LAYOUT,
                   phi::MeanKernel,
                   float,
                   double,
                   bool,
                   int,
                   int64_t,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
#endif
