// Optional tensors, an optional list of them, and buffers that only a library can measure.
//
// The weights come twice: one flat tensor for inference, a list for training. Both may be missing to the
// registry; the kernel wants one of them. Parameters that may be missing keep their places, so the
// lengths of the sequences are input 5 whatever is given, and hold int32 whatever T is. Outputs 3 and 4
// are bytes that mean something to cuDNN alone. Built for AMD, where MIOpen does the work, there is
// float alone: -DPADDLE_WITH_HIP.
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
