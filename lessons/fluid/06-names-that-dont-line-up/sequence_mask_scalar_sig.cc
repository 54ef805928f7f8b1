// For you to write: which names sequence_mask's call hands to the kernel sequence_mask_scalar.
//
//   SequenceMaskScalarKernel(dev_ctx, x, const Scalar& max_len, DataType out_dtype, y)
#include "op_utils.h"

namespace phi {

KernelSignature SequenceMaskOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature("sequence_mask_scalar", {}, {}, {});
}

}  // namespace phi
