// What `most` is called with, in the order of its kernel.
#include "op_utils.h"

namespace phi {

KernelSignature MostOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature("most", {"X"}, {"dtype"}, {"Out", "Index", "Count"});
}

}  // namespace phi

PD_REGISTER_ARG_MAPPING_FN(most, phi::MostOpArgumentMapping);
