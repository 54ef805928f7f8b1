// An optimizer's whole step in one kernel, for parameters that several devices share out.
//
// Thirteen outputs, and six of them are inputs: what is updated in place has two parameters, and the body
// checks that they are one tensor. Four more are read before they are written and have no input at all;
// they are variables that outlive a step. `param` and `param_out` are hardly read: the parameters are
// pieces of `fp32_param` and `fp16_param`, and change with them. Five inputs hold int and lie on the
// host, half precision comes in beside T, and there are outputs of bool and of int64_t. Nothing of this
// stands in the braces, for the body allocates what it needs by itself. T is float and means nothing.
//
// Paddle 3.3.1 has no such kernel any more. What `nranks` devices tell one another goes through NCCL,
// so there is no kernel for CPUs either, but for one that throws.
#include "kernel_registry.h"

namespace phi {
namespace fusion {

template <typename T, typename Context>
void DistributedFusedLambKernel(const Context &dev_ctx,
                                const std::vector<const DenseTensor *> &param,
                                const std::vector<const DenseTensor *> &grad,
                                const paddle::optional<DenseTensor> &fp32_param,
                                const paddle::optional<DenseTensor> &fp32_grad,
                                const paddle::optional<DenseTensor> &fp16_param,
                                const paddle::optional<DenseTensor> &fp16_grad,
                                const DenseTensor &moment1,
                                const DenseTensor &moment2,
                                const DenseTensor &beta1_pow,
                                const DenseTensor &beta2_pow,
                                const DenseTensor &param_offsets,
                                const DenseTensor &fp32_partial_offsets,
                                const DenseTensor &fp16_partial_offsets,
                                const DenseTensor &param_info,
                                const DenseTensor &param_order,
                                const DenseTensor &learning_rate,
                                const DenseTensor &global_scale,
                                int acc_steps,
                                float beta1,
                                float beta2,
                                float epsilon,
                                float max_global_grad_norm,
                                float weight_decay,
                                bool clip_after_allreduce,
                                bool use_master_param_norm,
                                bool use_master_acc_grad,
                                bool is_grad_scaled_by_nranks,
                                bool use_hierarchical_allreduce,
                                int64_t nranks,
                                const std::vector<int> &ring_ids,
                                DenseTensor *fp32_param_out,
                                DenseTensor *fp16_param_out,
                                DenseTensor *fp32_acc_grad,
                                DenseTensor *fp16_acc_grad,
                                DenseTensor *moment1_out,
                                DenseTensor *moment2_out,
                                DenseTensor *beta1_pow_out,
                                DenseTensor *beta2_pow_out,
                                DenseTensor *param_out,
                                DenseTensor *found_inf,
                                DenseTensor *acc_step,
                                DenseTensor *stop_update,
                                DenseTensor *step) {}

}  // namespace fusion
}  // namespace phi

PD_REGISTER_KERNEL(distributed_fused_lamb,
                   GPU,
                   ALL_LAYOUT,
                   phi::fusion::DistributedFusedLambKernel,
                   float) {}
