#include "library.h"

at::Tensor grow_cpu(const at::Tensor& x, double by) { return x.add(x, by); }

TORCH_LIBRARY(lesson, m) {
  m.def("grow(Tensor x, float by) -> Tensor");
}

TORCH_LIBRARY_IMPL(lesson, CPU, m) {
  m.impl("gorw", &grow_cpu);
}
