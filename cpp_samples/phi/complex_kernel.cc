// Outputs whose type follows from the key's: the parts of complex numbers, and complex numbers of
// parts.
//
// The size of a complex64 is a float32. The braces run once for each type and are told which one by
// kernel_key, so ToReal(kernel_key.dtype()) says it for all types at once, and leaves a real type
// as it is. A spectrum is complex though the signal is real; ToComplex is for that.
#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void AbsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

// The eigenvalues of a Hermitian matrix are real, its eigenvectors are not: one output each.
template <typename T, typename Context>
void EighKernel(const Context& dev_ctx,
                const DenseTensor& x,
                const std::string& uplo,
                DenseTensor* out_w,
                DenseTensor* out_v) {}

template <typename T, typename Context>
void FFTC2RKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  const std::vector<int64_t>& axes,
                  const std::string& normalization,
                  bool forward,
                  int64_t last_dim_size,
                  DenseTensor* out) {}

template <typename T, typename Context>
void FFTR2CKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  const std::vector<int64_t>& axes,
                  const std::string& normalization,
                  bool forward,
                  bool onesided,
                  DenseTensor* out) {}

}  // namespace phi

PD_REGISTER_KERNEL(abs,
                   CPU,
                   ALL_LAYOUT,
                   phi::AbsKernel,
                   float,
                   double,
                   int,
                   int64_t,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->OutputAt(0).SetDataType(phi::dtype::ToReal(kernel_key.dtype()));
}

PD_REGISTER_KERNEL(eigh,
                   CPU,
                   ALL_LAYOUT,
                   phi::EighKernel,
                   float,
                   double,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->OutputAt(0).SetDataType(phi::dtype::ToReal(kernel_key.dtype()));
}

PD_REGISTER_KERNEL(fft_c2r,
                   CPU,
                   ALL_LAYOUT,
                   phi::FFTC2RKernel,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->OutputAt(0).SetDataType(phi::dtype::ToReal(kernel_key.dtype()));
}

PD_REGISTER_KERNEL(fft_r2c, CPU, ALL_LAYOUT, phi::FFTR2CKernel, float, double) {
  kernel->OutputAt(0).SetDataType(phi::dtype::ToComplex(kernel_key.dtype()));
}
