// A macro of one file's own, which writes registrations.
//
// Every function of one element comes twice, for the two ways to store a sparse tensor, with the
// same types and with braces that differ in one word. So PHI has a macro that writes both
// registrations, braces and all. Step into it: PD_REGISTER_KERNEL is found in the replacement, with
// name##_coo already pasted, and the braces follow it out of the same replacement.
//
// The layout that they set is not the key's. A kernel for sparse tensors is found under ALL_LAYOUT,
// as any other; its name says which tensors it takes.
#include "kernel_registry.h"

namespace phi {
namespace sparse {

#define DEFINE_SPARSE_UNARY_KERNEL(prefix)                                                        \
  template <typename T, typename Context>                                                         \
  void prefix##CooKernel(                                                                         \
      const Context& dev_ctx, const SparseCooTensor& x, SparseCooTensor* out) {}                  \
  template <typename T, typename Context>                                                         \
  void prefix##CsrKernel(                                                                         \
      const Context& dev_ctx, const SparseCsrTensor& x, SparseCsrTensor* out) {}

DEFINE_SPARSE_UNARY_KERNEL(Relu)
DEFINE_SPARSE_UNARY_KERNEL(Sin)

}  // namespace sparse
}  // namespace phi

#define PD_REGISTER_SPARSE_UNARY_CPU_KERNEL(name, prefix)                                         \
  PD_REGISTER_KERNEL(                                                                             \
      name##_coo, CPU, ALL_LAYOUT, phi::sparse::prefix##CooKernel, float, double) {               \
    kernel->InputAt(0).SetDataLayout(phi::DataLayout::SPARSE_COO);                                \
  }                                                                                               \
  PD_REGISTER_KERNEL(                                                                             \
      name##_csr, CPU, ALL_LAYOUT, phi::sparse::prefix##CsrKernel, float, double) {               \
    kernel->InputAt(0).SetDataLayout(phi::DataLayout::SPARSE_CSR);                                \
  }

#define PD_REGISTER_SPARSE_UNARY_CPU_KERNEL_WITH_COMPLEX(name, prefix)                            \
  PD_REGISTER_KERNEL(                                                                             \
      name##_coo, CPU, ALL_LAYOUT, phi::sparse::prefix##CooKernel,                                \
      float, double, phi::dtype::complex<float>, phi::dtype::complex<double>) {                   \
    kernel->InputAt(0).SetDataLayout(phi::DataLayout::SPARSE_COO);                                \
  }                                                                                               \
  PD_REGISTER_KERNEL(                                                                             \
      name##_csr, CPU, ALL_LAYOUT, phi::sparse::prefix##CsrKernel,                                \
      float, double, phi::dtype::complex<float>, phi::dtype::complex<double>) {                   \
    kernel->InputAt(0).SetDataLayout(phi::DataLayout::SPARSE_CSR);                                \
  }

PD_REGISTER_SPARSE_UNARY_CPU_KERNEL(relu, Relu)
PD_REGISTER_SPARSE_UNARY_CPU_KERNEL_WITH_COMPLEX(sin, Sin)
