// trace_grad's mapping in the order in which a guide to this migration printed it.
#include "op_utils.h"

namespace phi {

KernelSignature TraceGradOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature("trace_grad",
                         {"Out@GRAD", "Input"},
                         {"offset", "axis1", "axis2"},
                         {"Input@GRAD"});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(trace_grad, phi::TraceGradOpArgumentMapping);
