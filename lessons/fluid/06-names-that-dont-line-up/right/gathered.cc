// Which names sequence_mask's call hands to the kernel sequence_mask_scalar.
#include "op_utils.h"

namespace phi {

KernelSignature SequenceMaskOpArgumentMapping(const ArgumentMappingContext& ctx) {
  paddle::small_vector<const char*> attrs;
  attrs.emplace_back(ctx.InputSize("MaxLenTensor") > 0 ? "MaxLenTensor" : "maxlen");
  attrs.emplace_back("out_dtype");
  return KernelSignature("sequence_mask_scalar", {"X"}, std::move(attrs), {"Y"});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(sequence_mask, phi::SequenceMaskOpArgumentMapping);
