// The key is made of the second input: T is what the table holds, not what looks things up in it.
//
// An operator's definition says which of its tensors gives the data type. No registration does, so the
// int64 indices of the first input would be taken for a kernel of another type without it.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void EmbeddingKernel(const Context& dev_ctx,
                     const DenseTensor& inputx,
                     const DenseTensor& weight,
                     int64_t padding_idx,
                     DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(embedding,
                   CPU,
                   ALL_LAYOUT,
                   phi::EmbeddingKernel,
                   float,
                   double,
                   int8_t,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}

#ifdef PADDLE_WITH_CUDA
PD_REGISTER_KERNEL(embedding,
                   GPU,
                   ALL_LAYOUT,
                   phi::EmbeddingKernel,
                   float,
                   double,
                   int8_t,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
#endif
