// An operator that only GPUs have, because it stands for one call of cuDNN's.
//
// Batch norm and relu in one pass over memory. There is no CPU line to fall back to, so on a computer
// without a device the kernel is registered and can be selected, and can't run. float16 is what it is
// for; its sums are kept in float32, which the braces say of outputs 1 to 4 and of the gradient's 1 and 2.
// Output 5 is cuDNN's own scratch, of T.
//
// The gradient's parameters stand in the order in which its definition lists them: a forward pass's
// inputs, what it put out, and then the gradient of that. The header that Paddle 3.3.1 installs has them
// in another order and in another namespace. Nobody includes it where the kernel is defined, and so no
// compiler has seen both.
#include "kernel_registry.h"

namespace phi {
namespace fusion {

template <typename T, typename Context>
void FusedBatchNormActKernel(const Context &dev_ctx,
                             const DenseTensor &x,
                             const DenseTensor &scale,
                             const DenseTensor &bias,
                             const DenseTensor &mean,
                             const DenseTensor &variance,
                             float momentum,
                             float epsilon,
                             const std::string &act_type,
                             DenseTensor *y,
                             DenseTensor *mean_out,
                             DenseTensor *variance_out,
                             DenseTensor *saved_mean,
                             DenseTensor *saved_variance,
                             DenseTensor *reserve_space) {}

template <typename T, typename Context>
void FusedBatchNormActGradKernel(const Context &dev_ctx,
                                 const DenseTensor &x,
                                 const DenseTensor &scale,
                                 const DenseTensor &bias,
                                 const DenseTensor &y,
                                 const DenseTensor &saved_mean,
                                 const DenseTensor &saved_variance,
                                 const DenseTensor &reserve_space,
                                 const DenseTensor &y_grad,
                                 float momentum,
                                 float epsilon,
                                 const std::string &act_type,
                                 DenseTensor *x_grad,
                                 DenseTensor *scale_grad,
                                 DenseTensor *bias_grad) {}

}  // namespace fusion
}  // namespace phi

PD_REGISTER_KERNEL(fused_batch_norm_act,
                   GPU,
                   ALL_LAYOUT,
                   phi::fusion::FusedBatchNormActKernel,
                   float,
                   double,
                   phi::dtype::float16) {
  if (kernel_key.dtype() == phi::DataType::FLOAT16) {
    kernel->OutputAt(1).SetDataType(phi::DataType::FLOAT32);
    kernel->OutputAt(2).SetDataType(phi::DataType::FLOAT32);
    kernel->OutputAt(3).SetDataType(phi::DataType::FLOAT32);
    kernel->OutputAt(4).SetDataType(phi::DataType::FLOAT32);
  }
}

PD_REGISTER_KERNEL(fused_batch_norm_act_grad,
                   GPU,
                   ALL_LAYOUT,
                   phi::fusion::FusedBatchNormActGradKernel,
                   float,
                   double,
                   phi::dtype::float16) {
  if (kernel_key.dtype() == phi::DataType::FLOAT16) {
    kernel->OutputAt(1).SetDataType(phi::DataType::FLOAT32);
    kernel->OutputAt(2).SetDataType(phi::DataType::FLOAT32);
  }
}
