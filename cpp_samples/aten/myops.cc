// Operators of your own: a namespace, a schema, a kernel for each device.
//
// This is all that a library outside of PyTorch does to be called like one of PyTorch's operators,
// in Python as torch.ops.myops.lerp_to(x, y, 0.5).
#include "library.h"

namespace {

// A part of the way from x to y. A schema's `float` is a C++ double, and `int` would be an int64_t.
at::Tensor lerp_to_cpu(const at::Tensor& x, const at::Tensor& y, double weight) {
  return x.add(y.add(x, -1), weight);
}

// On the device Meta there is nothing to compute, but the result's shape must come out right.
at::Tensor lerp_to_meta(const at::Tensor& x, const at::Tensor& y, double) { return x.add(y, 1); }

// Works on any device, since all that it calls does.
at::Tensor twice(const at::Tensor& x) { return x.add(x, 1); }

}  // namespace

// Only one block of this kind for a namespace. The first operator gets its kernels below. The
// second is named only: its schema is read off its function's type, and the function becomes the
// kernel for every device that has none of its own.
TORCH_LIBRARY(myops, m) {
  m.def("lerp_to(Tensor x, Tensor y, float weight=0.5) -> Tensor");
  m.def("twice", &twice);
}

TORCH_LIBRARY_IMPL(myops, CPU, m) {
  m.impl("lerp_to", &lerp_to_cpu);
}

TORCH_LIBRARY_IMPL(myops, Meta, m) {
  m.impl("lerp_to", &lerp_to_meta);
}
