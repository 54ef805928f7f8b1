#include "op_utils.h"

namespace phi {

KernelSignature SequenceMaskOpArgumentMapping(const ArgumentMappingContext& ctx) {

  if (ctx.HasInput("MaxLenTensor")) { return {"sequence_mask_scalar", {"X"}, {"MaxLenTensor", "out_dtype"}, {"Y"}}; } else { return {"sequence_mask_scalar", {"X"}, {"maxlen", "out_dtype"}, {"Y"}}; }
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(sequence_mask, phi::SequenceMaskOpArgumentMapping);
