// One kernel in each of two frameworks.
#include "kernel_registry.h"
#include "library.h"

namespace phi {

template <typename T, typename Context>
void TwiceKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

at::Tensor twice(const at::Tensor& x) { return x.add(x); }

PD_REGISTER_KERNEL(twice, CPU, ALL_LAYOUT, phi::TwiceKernel, float) {}

TORCH_LIBRARY(lesson, m) {
  m.def("twice(Tensor x) -> Tensor");
}

TORCH_LIBRARY_IMPL(lesson, CompositeImplicitAutograd, m) {
  m.impl("twice", TORCH_FN(twice));
}
