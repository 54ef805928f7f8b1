// One operator, two kernels, and a number that may come as a tensor.
//
// `scale` multiplies a DenseTensor by a kernel of that name, and a SelectedRows by another. And
// the factor is an attribute, except where the call has an input ScaleTensor, which then takes its
// place in the list of attributes: the kernel's parameter is a Scalar, and a Scalar can be made of
// either.
//
// For anything else the mapping names a kernel that is never registered.
#include "op_utils.h"

namespace phi {

KernelSignature ScaleOpArgumentMapping(const ArgumentMappingContext& ctx) {
  const char* factor = ctx.HasInput("ScaleTensor") ? "ScaleTensor" : "scale";
  if (ctx.IsDenseTensorInput("X")) {
    return KernelSignature("scale", {"X"}, {factor, "bias", "bias_after_scale"}, {"Out"});
  } else if (ctx.IsSelectedRowsInput("X")) {
    return KernelSignature("scale_sr", {"X"}, {factor, "bias", "bias_after_scale"}, {"Out"});
  }
  return KernelSignature("unregistered", {}, {}, {});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(scale, phi::ScaleOpArgumentMapping);
