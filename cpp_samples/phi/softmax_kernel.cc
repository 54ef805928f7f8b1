// An attribute between the inputs and the outputs: the axis along which the shares add up to 1.
//
// Nothing in the registration tells of it, since the parameters are read off the function's type. The
// plug-in in plugin_softmax_kernel.cc registers a kernel of the same name, for a device of its own.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SoftmaxKernel(const Context& dev_ctx, const DenseTensor& x, int axis, DenseTensor* out) {
  using Real = std::conditional_t<sizeof(T) == 8, double, float>;  // halves are counted as floats
  const std::vector<int64_t> dims = x.dims();
  const int rank = static_cast<int>(dims.size());
  if (axis < 0) axis += rank;

  // Rows along the axis: their neighbours lie `inner` apart.
  int64_t outer = 1, inner = 1;
  for (int i = 0; i < axis; ++i) outer *= dims[i];
  for (int i = axis + 1; i < rank; ++i) inner *= dims[i];
  const int64_t length = rank == 0 ? 1 : dims[axis];

  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t row = 0; length != 0 && row < outer * inner; ++row) {
    const int64_t first = row / inner * length * inner + row % inner;
    // The largest is subtracted first, so that no exponential overflows.
    Real top = from[first];
    for (int64_t i = 1; i < length; ++i) {
      const Real value = from[first + i * inner];
      if (value > top) top = value;
    }
    Real total = 0;
    for (int64_t i = 0; i < length; ++i) total += std::exp(Real(from[first + i * inner]) - top);
    for (int64_t i = 0; i < length; ++i) {
      const int64_t at = first + i * inner;
      to[at] = static_cast<T>(std::exp(Real(from[at]) - top) / total);
    }
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(softmax, CPU, ALL_LAYOUT, phi::SoftmaxKernel, float, double) {}

#ifdef PADDLE_WITH_CUDA
// Paddle's is called SoftmaxGPUDNNKernel, and its backend is GPUDNN: it may hand over to cuDNN.
PD_REGISTER_KERNEL(softmax,
                   GPU,
                   ALL_LAYOUT,
                   phi::SoftmaxKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
#endif
