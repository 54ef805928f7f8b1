// huber_loss's kernel wants Out before Residual; the maker lists them the other way round.
#include "op_utils.h"

namespace phi {

KernelSignature HuberLossOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature("huber_loss", {"X", "Y"}, {"delta"}, {"Out", "Residual"});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(huber_loss, phi::HuberLossOpArgumentMapping);
