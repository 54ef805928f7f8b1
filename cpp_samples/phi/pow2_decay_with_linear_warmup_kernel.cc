// Braces that correct an input and an output: the step is an integer, whatever T is.
//
// The learning rate climbs in a line for warmup_steps and then falls along a parabola. The first
// guess of a registration is that every tensor holds T. The step counts, so input 1 and output 1
// are int64. Both outputs are their inputs again: the kernel refuses to run where lr_out isn't lr.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void Pow2DecayWithLinearWarmupKernel(const Context& dev_ctx,
                                     const DenseTensor& lr,
                                     const DenseTensor& step,
                                     int64_t warmup_steps,
                                     int64_t total_steps,
                                     float base_lr,
                                     float end_lr,
                                     DenseTensor* lr_out,
                                     DenseTensor* step_out) {}

}  // namespace phi

PD_REGISTER_KERNEL(pow2_decay_with_linear_warmup,
                   CPU,
                   ALL_LAYOUT,
                   phi::Pow2DecayWithLinearWarmupKernel,
                   float,
                   double) {
  kernel->InputAt(1).SetDataType(phi::DataType::INT64);
  kernel->OutputAt(1).SetDataType(phi::DataType::INT64);
}

#ifdef PADDLE_WITH_CUDA
PD_REGISTER_KERNEL(pow2_decay_with_linear_warmup,
                   GPU,
                   ALL_LAYOUT,
                   phi::Pow2DecayWithLinearWarmupKernel,
                   float,
                   double) {
  kernel->InputAt(1).SetDataType(phi::DataType::INT64);
  kernel->OutputAt(1).SetDataType(phi::DataType::INT64);
}
#endif
