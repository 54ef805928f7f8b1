// The two halves of `add` as a structured kernel: what the result looks like, and how to compute
// it.
//
// The second half doesn't compute itself. It calls a stub, an object which knows a function for
// each kind of processor; ufunc_add_kernel.cc has them.
#include "dispatch_stub.h"
#include "ufunc_add.h"

namespace at {

namespace meta {

// What the macro writes is a head, that of a member function. It makes all operands fit each other,
// asks for the output on the way, and then looks whether alpha goes with the type that was found.
TORCH_META_FUNC2(add, Tensor)
(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
  native::alpha_check(dtype(), alpha);
}

}  // namespace meta

namespace native {

using add_fn = void (*)(TensorIteratorBase&, const at::Scalar&);
DECLARE_DISPATCH(add_fn, add_stub)
DEFINE_DISPATCH(add_stub);

// By now *this is an iterator over all operands, so it is all that the loop has to be given.
TORCH_IMPL_FUNC(ufunc_add_CPU)
(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha, const at::Tensor& out) {
  add_stub(device_type(), *this, alpha);
}

}  // namespace native

}  // namespace at
