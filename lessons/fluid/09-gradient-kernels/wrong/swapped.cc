#include "op_utils.h"

namespace phi {

KernelSignature SequencePoolGradOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature("sequence_pool_grad",
                         {"Out@GRAD", "MaxIndex", "X"},
                         {"is_test", "pooltype", "pad_value"},
                         {"X@GRAD"});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(sequence_pool_grad, phi::SequencePoolGradOpArgumentMapping);
