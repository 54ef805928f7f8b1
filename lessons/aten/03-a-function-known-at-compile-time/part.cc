// A kernel that is a template with two arguments.
#include "library.h"

template <int n, int d>
at::Tensor part(const at::Tensor& x) {
  return x.add(x, 1.0 * n / d);
}

TORCH_LIBRARY_IMPL(myops, CPU, m) {
  m.impl("third", TORCH_FN((part<1, 3>)));
}
