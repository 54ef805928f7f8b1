// Two kernels for one operator and one key. The newer one is called, and the older one waits.
//
// PyTorch warns, as it may be a mistake, and keeps both, since libraries come and go while a
// program runs. When the newer library is taken away, the older kernel is in its place again. Step
// back over the second block to see it.
#include "library.h"

namespace {

at::Tensor negate_first(const at::Tensor& x) { return x.neg(); }
at::Tensor negate_again(const at::Tensor& x) { return x.neg(); }

}  // namespace

TORCH_LIBRARY_FRAGMENT(overrides, m) {
  m.def("negate(Tensor x) -> Tensor");
}

TORCH_LIBRARY_IMPL(overrides, CPU, m) {
  m.impl("negate", &negate_first);
}

// Both blocks are for the same namespace and key. C10_UID keeps their names apart.
TORCH_LIBRARY_IMPL(overrides, CPU, m) {
  m.impl("negate", &negate_again);
}
