#include "library.h"

at::Tensor square_cpu(const at::Tensor& x) {
  return x.add(x, x.item<double>() - 1);
}

TORCH_LIBRARY(lesson, m) { m.def("square(Tensor x) -> Tensor"); m.impl("square", torch::dispatch(c10::DispatchKey::CPU, TORCH_FN(square_cpu))); }
