// An operator whose two inputs have one type and one shape, and a mapping that swaps them.
#include "op_utils.h"

namespace phi {

KernelSignature ElementwiseSubOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature("subtract", {"Y", "X"}, {}, {"Out"});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(elementwise_sub, phi::ElementwiseSubOpArgumentMapping);
