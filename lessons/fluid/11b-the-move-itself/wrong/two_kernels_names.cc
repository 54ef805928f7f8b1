// sequence_mask in PHI: the function, its registration, and its mapping.
#include "kernel_registry.h"
#include "op_utils.h"

namespace phi {

template <typename T, typename Context>
void SequenceMaskKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        const paddle::optional<DenseTensor>& max_len_tensor,
                        int maxlen,
                        DataType out_dtype,
                        DenseTensor* y) {}

KernelSignature SequenceMaskOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature(
      "sequence_mask", {"x", "max_len_tensor"}, {"maxlen", "out_dtype"}, {"Y"});
}

}  // namespace phi

PD_REGISTER_KERNEL(
    sequence_mask, CPU, ALL_LAYOUT, phi::SequenceMaskKernel, int, int64_t, float, double) {
  kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);
}

PD_REGISTER_ARG_MAPPING_FN(sequence_mask, phi::SequenceMaskOpArgumentMapping);
