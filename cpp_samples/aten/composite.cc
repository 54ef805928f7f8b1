// One kernel for many keys: what an alias stands for, and what wins over it.
//
// A kernel that only calls other operators works on every device. It is registered once, for an
// alias, and fills the places of all keys that have no kernel of their own. There are two such, and
// autograd is the difference.
#include "library.h"

namespace {

// Calls operators that know their derivatives; so it needs none.
at::Tensor minus(const at::Tensor& x, const at::Tensor& y) { return x.add(y, -1); }

// The same, but with a derivative of its own, elsewhere.
at::Tensor clipped(const at::Tensor& x, const at::Tensor& y) { return x.add(y, -1); }
at::Tensor clipped_autograd(const at::Tensor& x, const at::Tensor& y) { return x.add(y, -1); }

// And one for the CPU alone, which is faster there.
at::Tensor clipped_cpu(const at::Tensor& x, const at::Tensor& y) { return x.add(y, -1); }

}  // namespace

TORCH_LIBRARY_FRAGMENT(composites, m) {
  m.def("minus(Tensor x, Tensor y) -> Tensor");
  m.def("clipped(Tensor x, Tensor y) -> Tensor");
}

// Implicit: also for the keys of autograd, whose work is done by what the kernel calls. A block's
// key may be an alias.
TORCH_LIBRARY_IMPL(composites, CompositeImplicitAutograd, m) {
  m.impl("minus", &minus);
}

// Explicit: for devices only. Autograd is registered by itself.
TORCH_LIBRARY_IMPL(composites, CompositeExplicitAutograd, m) {
  m.impl("clipped", &clipped);
}

TORCH_LIBRARY_IMPL(composites, Autograd, m) {
  m.impl("clipped", &clipped_autograd);
}

// What is registered for a key itself wins over every alias, whichever came first.
TORCH_LIBRARY_IMPL(composites, CPU, m) {
  m.impl("clipped", &clipped_cpu);
}
