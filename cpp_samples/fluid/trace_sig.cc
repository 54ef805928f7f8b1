// What `trace` and its gradient are called with: the operator's names in the order of the kernel.
//
// "Out@GRAD" is Fluid's name for the gradient of Out. The kernel takes x and then out_grad. Two
// inputs of one type: listed the other way round, everything would compile, and the kernel would take
// the gradient for x. Nothing but this list says which is which.
#include "op_utils.h"

namespace phi {

KernelSignature TraceOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature("trace", {"Input"}, {"offset", "axis1", "axis2"}, {"Out"});
}

KernelSignature TraceGradOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature(
      "trace_grad", {"Input", "Out@GRAD"}, {"offset", "axis1", "axis2"}, {"Input@GRAD"});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(trace, phi::TraceOpArgumentMapping);
PD_REGISTER_ARG_MAPPING_FN(trace_grad, phi::TraceGradOpArgumentMapping);
