#include "library.h"

at::Tensor square_cpu(const at::Tensor& x) {
  return x.add(x, x.item<double>() - 1);
}

TORCH_LIBRARY(lesson, m) {
  m.def("square(Tensor x, Tensor y) -> Tensor");
}

TORCH_LIBRARY_IMPL(lesson, CPU, m) {
  m.impl("square", TORCH_FN(square_cpu));
}
