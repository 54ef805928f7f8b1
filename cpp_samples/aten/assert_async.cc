// One operator and its kernel for the CPU, and the file to read first.
//
// `_assert_async` looks whether the one element of a tensor is true. What it does matters little
// here; look at how it becomes known to the dispatcher. Step through TORCH_LIBRARY_IMPL: it makes a
// function out of the block behind it, and an object that calls this function before main().
#include "library.h"

namespace at {

namespace native {

// The kernel itself, in another file.
void _assert_async_cpu(const at::Tensor& self);

}  // namespace native

namespace {

// PyTorch's build writes such a wrapper for each kernel. Its type is the operator's own, whatever
// the kernel behind it looks like.
void wrapper_CPU___assert_async(const at::Tensor& self) {
  return at::native::_assert_async_cpu(self);
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("_assert_async", TORCH_FN(wrapper_CPU___assert_async));
}

}  // namespace at

// The operator itself, only here. A kernel may come first: the dispatcher keeps it under its name
// until somebody says what the operator's arguments are.
TORCH_LIBRARY_FRAGMENT(aten, m) {
  m.def("_assert_async(Tensor self) -> ()");
}
