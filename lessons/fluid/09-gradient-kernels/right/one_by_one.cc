#include "op_utils.h"

namespace phi {

KernelSignature SequencePoolGradOpArgumentMapping(const ArgumentMappingContext& ctx) {
  paddle::small_vector<const char*> in;
  in.emplace_back("X");
  in.emplace_back("MaxIndex");
  in.emplace_back("Out@GRAD");
  return KernelSignature("sequence_pool_grad",
                         std::move(in),
                         {"is_test", "pooltype", "pad_value"},
                         {"X@GRAD"});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(sequence_pool_grad, phi::SequencePoolGradOpArgumentMapping);
