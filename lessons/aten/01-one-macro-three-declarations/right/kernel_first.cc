#include "library.h"

at::Tensor square_cpu(const at::Tensor& x) {
  return x.add(x, x.item<double>() - 1);
}

TORCH_LIBRARY_IMPL(lesson, CPU, m) {
  m.impl("lesson::square", &square_cpu);
}

TORCH_LIBRARY_FRAGMENT(lesson, library) {
  library.def("lesson::square(Tensor x) -> Tensor");
}
