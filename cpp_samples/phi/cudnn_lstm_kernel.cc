// Optional tensors, an optional list of them, and buffers that only a library can measure.
//
// The weights come twice: one flat tensor for inference, a list for training. Both may be missing to the
// registry; the kernel wants one of them. Parameters that may be missing keep their places, so the
// lengths of the sequences are input 5 whatever is given, and hold int32 whatever T is. Outputs 3 and 4
// are bytes that mean something to cuDNN alone. Built for AMD, where MIOpen does the work, there is
// float alone: -DPADDLE_WITH_HIP.
//
// The gradient gets the two buffers of bytes back as inputs, and says nothing about them or the lengths:
// its braces are empty. Its last output is a list, as long as that of the weights, and one output to the
// registry. Who has no weights to give has no use for it: the list is optional here as well, and the body
// reads it without asking.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void CudnnLSTMKernel(
    const Context& dev_ctx,
    const DenseTensor& x,
    const DenseTensor& init_h,
    const DenseTensor& init_c,
    const paddle::optional<DenseTensor>& w,
    const paddle::optional<std::vector<const DenseTensor*>>& weight_list,
    const paddle::optional<DenseTensor>& sequence_length,
    float dropout_prob,
    bool is_bidirec,
    int hidden_size,
    int num_layers,
    bool is_test,
    int seed,
    DenseTensor* out,
    DenseTensor* last_h,
    DenseTensor* last_c,
    DenseTensor* reserve,
    DenseTensor* state_out) {}

template <typename T, typename Context>
void CudnnLSTMGradKernel(
    const Context& dev_ctx,
    const DenseTensor& x,
    const DenseTensor& init_h,
    const DenseTensor& init_c,
    const paddle::optional<std::vector<const DenseTensor*>>& weight_list,
    const paddle::optional<DenseTensor>& sequence_length,
    const DenseTensor& out,
    const DenseTensor& reserve,
    const DenseTensor& state_out,
    const DenseTensor& out_grad,
    const DenseTensor& last_h_grad,
    const DenseTensor& last_c_grad,
    float dropout_prob,
    bool is_bidirec,
    int hidden_size,
    int num_layers,
    bool is_test,
    int seed,
    DenseTensor* x_grad,
    DenseTensor* init_h_grad,
    DenseTensor* init_c_grad,
    std::vector<DenseTensor*> weight_list_grad) {}

}  // namespace phi

#ifdef PADDLE_WITH_HIP
PD_REGISTER_KERNEL(cudnn_lstm, GPU, ALL_LAYOUT, phi::CudnnLSTMKernel, float) {
  kernel->InputAt(5).SetDataType(phi::DataType::INT32);
  kernel->OutputAt(3).SetDataType(phi::DataType::UINT8);
  kernel->OutputAt(4).SetDataType(phi::DataType::UINT8);
}
#else
PD_REGISTER_KERNEL(
    cudnn_lstm, GPU, ALL_LAYOUT, phi::CudnnLSTMKernel, float, double) {
  kernel->InputAt(5).SetDataType(phi::DataType::INT32);
  kernel->OutputAt(3).SetDataType(phi::DataType::UINT8);
  kernel->OutputAt(4).SetDataType(phi::DataType::UINT8);
}
#endif

#ifdef PADDLE_WITH_HIP
PD_REGISTER_KERNEL(
    cudnn_lstm_grad, GPU, ALL_LAYOUT, phi::CudnnLSTMGradKernel, float) {}
#else
PD_REGISTER_KERNEL(
    cudnn_lstm_grad, GPU, ALL_LAYOUT, phi::CudnnLSTMGradKernel, float, double) {
}
#endif
