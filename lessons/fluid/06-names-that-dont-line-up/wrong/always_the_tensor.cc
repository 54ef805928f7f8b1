// Which names sequence_mask's call hands to the kernel sequence_mask_scalar.
#include "op_utils.h"

namespace phi {

KernelSignature SequenceMaskOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature("sequence_mask_scalar", {"X"}, {"MaxLenTensor", "out_dtype"}, {"Y"});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(sequence_mask, phi::SequenceMaskOpArgumentMapping);
