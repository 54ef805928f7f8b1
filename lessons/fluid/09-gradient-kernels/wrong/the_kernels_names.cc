#include "op_utils.h"

namespace phi {

KernelSignature SequencePoolGradOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature("sequence_pool_grad",
                         {"X", "MaxIndex", "Out_grad"},
                         {"is_test", "pooltype", "pad_value"},
                         {"X_grad"});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(sequence_pool_grad, phi::SequencePoolGradOpArgumentMapping);
