// An operator with another name than its kernel: Fluid's elementwise_add is PHI's add.
//
// The base name alone leads elementwise_sub to subtract. elementwise_add has an attribute that add
// has no parameter for, so a mapping leaves it out where it says nothing: axis is -1, "line the
// shapes up at their ends". Any other axis went to add_raw, a kernel of its own.
#include "op_utils.h"

namespace phi {

KernelSignature ElementwiseAddOpArgumentMapping(const ArgumentMappingContext& ctx) {
  int axis = paddle::any_cast<int>(ctx.Attr("axis"));
  if (axis == -1) {
    return KernelSignature("add", {"X", "Y"}, {}, {"Out"});
  }
  return KernelSignature("add_raw", {"X", "Y"}, {"axis"}, {"Out"});
}

}  // namespace phi

PD_REGISTER_BASE_KERNEL_NAME(elementwise_add, add);
PD_REGISTER_BASE_KERNEL_NAME(elementwise_sub, subtract);
PD_REGISTER_ARG_MAPPING_FN(elementwise_add, phi::ElementwiseAddOpArgumentMapping);
