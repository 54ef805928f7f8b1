// Real numbers in, complex numbers out: braces that work a type out from the key's.
//
// T is the signal's type. Its spectrum is complex, of parts of that type, and ToComplex says which
// one that is; no list of cases is needed. For the gradient it is an input that is complex.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void StftKernel(const Context& dev_ctx,
                const DenseTensor& x,
                const DenseTensor& window,
                int n_fft,
                int hop_length,
                bool normalized,
                bool onesided,
                DenseTensor* out) {}

template <typename T, typename Context>
void StftGradKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& window,
                    const DenseTensor& out_grad,
                    int n_fft,
                    int hop_length,
                    bool normalized,
                    bool onesided,
                    DenseTensor* x_grad) {}

}  // namespace phi

PD_REGISTER_KERNEL(stft, CPU, ALL_LAYOUT, phi::StftKernel, float, double) {
  kernel->OutputAt(0).SetDataType(phi::dtype::ToComplex(kernel_key.dtype()));
}

PD_REGISTER_KERNEL(stft_grad, CPU, ALL_LAYOUT, phi::StftGradKernel, float, double) {
  kernel->InputAt(2).SetDataType(phi::dtype::ToComplex(kernel_key.dtype()));
}

#ifdef PADDLE_WITH_CUDA
PD_REGISTER_KERNEL(stft, GPU, ALL_LAYOUT, phi::StftKernel, float, double) {
  kernel->OutputAt(0).SetDataType(phi::dtype::ToComplex(kernel_key.dtype()));
}

PD_REGISTER_KERNEL(stft_grad, GPU, ALL_LAYOUT, phi::StftGradKernel, float, double) {
  kernel->InputAt(2).SetDataType(phi::dtype::ToComplex(kernel_key.dtype()));
}
#endif
