// Subtraction as a structured kernel: the classes, and the two halves.
#include "dispatch_stub.h"
#include "tensor_meta.h"

namespace at {

namespace meta {

struct structured_sub_Tensor : public TensorIteratorBase {
  void meta(const Tensor& self, const Tensor& other, const Scalar& alpha);
};

}  // namespace meta

namespace native {

struct structured_sub_CPU : public at::meta::structured_sub_Tensor {
  void impl(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
};

// add's own: it computes self + alpha * other.
using add_fn = void (*)(TensorIteratorBase&, const at::Scalar&);
DECLARE_DISPATCH(add_fn, add_stub)

}  // namespace native

namespace meta {

TORCH_META_FUNC2(sub, Tensor);
(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

}  // namespace meta

namespace native {

TORCH_IMPL_FUNC(sub_CPU)
(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out) {
  add_stub(device_type(), *this, -alpha);
}

}  // namespace native

}  // namespace at
