// Which names sequence_mask's call hands to the kernel sequence_mask_scalar.
#include "op_utils.h"

namespace phi {

KernelSignature SequenceMaskOpArgumentMapping(const ArgumentMappingContext& ctx) {
  const char* max_len = ctx.HasInput("MaxLenTensor") ? "MaxLenTensor" : "maxlen";
  return KernelSignature("sequence_mask_scalar", {"x"}, {max_len, "out_dtype"}, {"y"});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(sequence_mask, phi::SequenceMaskOpArgumentMapping);
