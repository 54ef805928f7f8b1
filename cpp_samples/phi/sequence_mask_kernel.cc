// One thing said three ways: as an attribute, as a tensor that may be missing, and as a Scalar.
//
// How long a mask's rows are may be known when the program is written, or be computed by it. Fluid
// had an attribute for the one and an optional input for the other, and the first kernel takes both
// still. PHI's Scalar is either, and so the second has one parameter for them. Of which type the
// mask is, an attribute says: the braces leave output 0 open.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SequenceMaskKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        const paddle::optional<DenseTensor>& max_len_tensor,
                        int maxlen,
                        DataType out_dtype,
                        DenseTensor* y) {}

template <typename T, typename Context>
void SequenceMaskScalarKernel(const Context& dev_ctx,
                              const DenseTensor& x,
                              const Scalar& max_len,
                              DataType out_dtype,
                              DenseTensor* y) {}

}  // namespace phi

PD_REGISTER_KERNEL(sequence_mask,
                   CPU,
                   ALL_LAYOUT,
                   phi::SequenceMaskKernel,
                   float,
                   double,
                   int,
                   int64_t) {
  kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);
}

PD_REGISTER_KERNEL(sequence_mask_scalar,
                   CPU,
                   ALL_LAYOUT,
                   phi::SequenceMaskScalarKernel,
                   float,
                   double,
                   int,
                   int64_t) {
  kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);
}

#ifdef PADDLE_WITH_CUDA
PD_REGISTER_KERNEL(sequence_mask,
                   GPU,
                   ALL_LAYOUT,
                   phi::SequenceMaskKernel,
                   float,
                   double,
                   int,
                   int64_t) {
  kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);
}

PD_REGISTER_KERNEL(sequence_mask_scalar,
                   GPU,
                   ALL_LAYOUT,
                   phi::SequenceMaskScalarKernel,
                   float,
                   double,
                   int,
                   int64_t) {
  kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);
}
#endif
