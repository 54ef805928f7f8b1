// What the braces after a registration are for.
//
// A kernel's parameters are first taken down from its C++ type: every tensor is expected on the
// kernel's own backend, with the kernel's own dtype. Where that is not so, the braces say it. Here
// input 0 is only asked for its shape; its elements are never read. So they may stay on any device,
// and the framework is spared a copy.
//
// Each registration has braces of its own, and with -DPADDLE_WITH_CUDA there is a second one, with
// two more types. The functions that the two make differ in one word of their names, the backend.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void FullKernel(const Context& dev_ctx,
                const IntArray& shape,
                const Scalar& val,
                DataType dtype,
                DenseTensor* out);

template <typename T, typename Context>
void FullLikeKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const Scalar& val,
                    DataType dtype,
                    DenseTensor* out);

// Fills out with val. Its shape was inferred from `shape` before the kernel runs, except for the
// batch dimension, which is as long as x's.
template <typename T, typename Context>
void FullBatchSizeLikeKernel(const Context& dev_ctx,
                             const DenseTensor& x,
                             const std::vector<int>& shape UNUSED,
                             const Scalar& val,
                             DataType dtype,
                             int x_batch_size_dim,
                             int out_batch_size_dim,
                             DenseTensor* out) {
  // In a ragged batch dimension 0 counts the rows of all sequences together. How many sequences
  // there are, its offsets tell: one more than that.
  if (x_batch_size_dim == 0 && !x.lod().empty()) {
    const std::vector<std::size_t>& offsets = x.lod().back();
    std::vector<int64_t> dims = out->dims();
    dims[out_batch_size_dim] = static_cast<int64_t>(offsets.size()) - 1;
    FullKernel<T, Context>(dev_ctx, dims, val, dtype, out);
  }
  FullLikeKernel<T, Context>(dev_ctx, x, val, dtype, out);
}

}  // namespace phi

PD_REGISTER_KERNEL(full_batch_size_like,
                   CPU,
                   ALL_LAYOUT,
                   phi::FullBatchSizeLikeKernel,
                   float,
                   double,
                   int,
                   int64_t,
                   bool) {
  kernel->InputAt(0).SetBackend(phi::Backend::ALL_BACKEND);
}

#if defined(PADDLE_WITH_CUDA) || defined(PADDLE_WITH_HIP)
PD_REGISTER_KERNEL(full_batch_size_like,
                   GPU,
                   ALL_LAYOUT,
                   phi::FullBatchSizeLikeKernel,
                   float,
                   double,
                   int,
                   int64_t,
                   bool,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  kernel->InputAt(0).SetBackend(phi::Backend::ALL_BACKEND);
}
#endif

// What it calls, in Paddle in files of their own. Whatever stands in this file, a template is compiled
// for its types at the end of it.
namespace phi {

template <typename T, typename Context>
void FullKernel(const Context& dev_ctx,
                const IntArray& shape,
                const Scalar& val,
                DataType dtype,
                DenseTensor* out) {
  out->Resize(shape.GetData());
  const T value = val.to<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0, n = out->numel(); i < n; ++i) to[i] = value;
}

template <typename T, typename Context>
void FullLikeKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const Scalar& val,
                    DataType dtype,
                    DenseTensor* out) {
  const T value = val.to<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0, n = out->numel(); i < n; ++i) to[i] = value;
}

}  // namespace phi
