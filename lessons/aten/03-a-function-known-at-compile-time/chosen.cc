// A kernel that is chosen by a variable.
#include "library.h"

at::Tensor shift_left(const at::Tensor& x) { return x.add(x, -1); }

at::Tensor (*chosen)(const at::Tensor&) = &shift_left;

TORCH_LIBRARY_IMPL(myops, CPU, m) {
  m.impl("shift", TORCH_FN(chosen));
}
