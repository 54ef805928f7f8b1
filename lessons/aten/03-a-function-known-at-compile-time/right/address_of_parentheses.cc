#include "library.h"

template <int n, int d>
at::Tensor part(const at::Tensor& x) {
  return x.add(x, 1.0 * n / d);
}

TORCH_LIBRARY(lesson, m) {
  m.def("third(Tensor x) -> Tensor");
  m.def("two_thirds(Tensor x) -> Tensor");
}

TORCH_LIBRARY_IMPL(lesson, CPU, m) {
  m.impl("third", TORCH_FN((part<1, 3>)));
  m.impl("two_thirds", TORCH_FN(&(part<2, 3>)));
}
