// A view: other dims and strides over the same memory. No element is touched.
//
// Hence one function for every type, on every backend; try -DPADDLE_WITH_CUDA and watch the list of
// backends grow. The layout is STRIDED, which says that the kernel takes its input as it lies: to
// others a tensor with gaps is copied first.
#include "all_dtypes.h"

namespace phi {

template <typename Context>
void AsStridedKernel(const Context& dev_ctx,
                     const DenseTensor& input,
                     const std::vector<int64_t>& dims,
                     const std::vector<int64_t>& stride,
                     int64_t offset,
                     DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(as_strided, STRIDED, phi::AsStridedKernel) {}
