// Both frameworks are given a second kernel for the same key.
#include "kernel_registry.h"
#include "library.h"

namespace phi {

template <typename T, typename Context>
void OldKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
template <typename T, typename Context>
void NewKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

at::Tensor old_twice(const at::Tensor& x) { return x.add(x); }
at::Tensor new_twice(const at::Tensor& x) { return x.add(x, 1); }

TORCH_LIBRARY(lesson, m) {
  m.def("twice(Tensor x) -> Tensor");
}

TORCH_LIBRARY_IMPL(lesson, CPU, m) { m.impl("twice", TORCH_FN(old_twice)); }
TORCH_LIBRARY_IMPL(lesson, CPU, m) { m.impl("twice", TORCH_FN(new_twice)); }

PD_REGISTER_KERNEL(twice, CPU, ALL_LAYOUT, phi::OldKernel, float) {}

// ANY is another name of ALL_LAYOUT; so the two have different names in C++, and one key.
PD_REGISTER_KERNEL(twice, CPU, ANY, phi::NewKernel, float) {}
