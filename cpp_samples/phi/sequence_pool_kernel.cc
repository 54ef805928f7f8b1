// What a registration doesn't know: dims that a level of detail decides, and a type that only the
// body knows.
//
// x is a batch of sequences of different lengths, one row after the other, and its LoD says where
// each begins. Each becomes one row. InferMeta sees x's rows, and no LoD: the kernel resizes its
// outputs before it allocates them. max_index says which rows were the largest, and is an int,
// though the registration leaves it at T: what the body allocates counts.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void SequencePoolKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        bool is_test,
                        const std::string& pooltype,
                        float pad_value,
                        DenseTensor* out,
                        DenseTensor* max_index) {}

template <typename T, typename Context>
void SequencePoolGradKernel(const Context& dev_ctx,
                            const DenseTensor& x,
                            const paddle::optional<DenseTensor>& max_index,
                            const DenseTensor& out_grad,
                            bool is_test,
                            const std::string& pooltype,
                            float pad_value,
                            DenseTensor* x_grad) {}

}  // namespace phi

PD_REGISTER_KERNEL(sequence_pool, CPU, ALL_LAYOUT, phi::SequencePoolKernel, float, double) {}

PD_REGISTER_KERNEL(sequence_pool_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::SequencePoolGradKernel,
                   float,
                   double) {}

// On the GPU Paddle has it for float alone.
#ifdef PADDLE_WITH_CUDA
PD_REGISTER_KERNEL(sequence_pool, GPU, ALL_LAYOUT, phi::SequencePoolKernel, float) {}

PD_REGISTER_KERNEL(sequence_pool_grad, GPU, ALL_LAYOUT, phi::SequencePoolGradKernel, float) {}
#endif
