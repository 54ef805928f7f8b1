#include "library.h"

at::Tensor exact(const at::Tensor& x) { return x.add(x, 2); }
at::Tensor fast(const at::Tensor& x) { return x.add(x, 1); }

TORCH_LIBRARY(lesson, m) {
  m.def("grow(Tensor x) -> Tensor");
}

// PyTorch's own kernels: of another team, and not to be touched.
TORCH_LIBRARY_IMPL(lesson, CompositeExplicitAutograd, m) {
  m.impl("grow", &fast);
}

TORCH_LIBRARY_IMPL(lesson, CPU, m) {
  m.impl("grow", &exact);
}

// Your plug-in.
TORCH_LIBRARY_IMPL(lesson, Autograd, m) {
  m.impl("grow", &fast);
}
