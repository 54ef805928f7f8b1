// A backend that is a library: oneDNN computes on the CPU, and has a context and a layout of its
// own.
//
// dequantize makes real numbers of the small integers that a quantised model computes with. Paddle
// has it for oneDNN alone, and so its key names ONEDNN twice: who computes, and how the tensors
// lie. T is what goes in; what comes out is float, which the braces say.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void DeQuantKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const float quantization_scale,
                   const float quantization_shift,
                   DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(dequantize,
                   OneDNN,
                   ONEDNN,
                   phi::DeQuantKernel,
                   uint8_t,
                   int8_t,
                   phi::dtype::bfloat16) {
  kernel->OutputAt(0).SetDataType(phi::DataType::FLOAT32);
}
