// `neg`, `reciprocal` and `clamp_min`, structured like `add`; and `relu`, which is no more than a call
// of the third.
#include "dispatch_stub.h"
#include "unary_ops.h"

TORCH_LIBRARY_FRAGMENT(aten, m) {
  m.def("neg(Tensor self) -> Tensor");
  m.def("neg_(Tensor(a!) self) -> Tensor(a!)");
  m.def("neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  m.def("reciprocal(Tensor self) -> Tensor");
  m.def("reciprocal_(Tensor(a!) self) -> Tensor(a!)");
  m.def("reciprocal.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  m.def("clamp_min(Tensor self, Scalar min) -> Tensor");
  m.def("clamp_min_(Tensor(a!) self, Scalar min) -> Tensor(a!)");
  m.def("clamp_min.out(Tensor self, Scalar min, *, Tensor(a!) out) -> Tensor(a!)");
  m.def("relu(Tensor self) -> Tensor");
  m.def("relu_(Tensor(a!) self) -> Tensor(a!)");
}

// --- The two halves ----------------------------------------------------------------------------

namespace at {

namespace meta {

TORCH_META_FUNC(neg)(const Tensor& self) {
  TORCH_CHECK(
      self.scalar_type() != ScalarType::Bool,
      "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert "
      "a mask, use the `~` or `logical_not()` operator instead.");
  build_borrowing_unary_op(maybe_get_output(), self);
}

// As a quotient: of integers it is none, so they are made floats.
TORCH_META_FUNC(reciprocal)(const Tensor& self) {
  build_borrowing_unary_float_op(maybe_get_output(), self);
}

// Of integers and a fraction the larger is a fraction. In place there is no room for it.
TORCH_META_FUNC(clamp_min)(const Tensor& self, const Scalar& min) {
  const ScalarType own = self.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(!isComplexType(own), "clamp is not supported for complex types");
  if (isFloatingType(own)) {
    build_borrowing_unary_op(maybe_get_output(), self);
    return;
  }
  const ScalarType result = native::result_type(self, min);
  const Tensor& out = maybe_get_output();
  TORCH_CHECK_VALUE(
      result == own || !out.defined() || !out.is_same(self), "result type ", result,
      " can't be cast to the desired output type ", out.dtype());
  build_unary_op(out, self.to(result));
}

}  // namespace meta

namespace native {

using unary_fn = void (*)(TensorIteratorBase&);
using clamp_fn = void (*)(TensorIteratorBase&, Scalar);
DECLARE_DISPATCH(unary_fn, neg_stub)
DECLARE_DISPATCH(unary_fn, reciprocal_stub)
DECLARE_DISPATCH(clamp_fn, clamp_min_scalar_stub)
DEFINE_DISPATCH(neg_stub);
DEFINE_DISPATCH(reciprocal_stub);
DEFINE_DISPATCH(clamp_min_scalar_stub);

TORCH_IMPL_FUNC(neg_out)(const Tensor& self, const Tensor& out) {
  neg_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(reciprocal_out)(const Tensor& self, const Tensor& out) {
  reciprocal_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(clamp_min_out)(const Tensor& self, const Scalar& min, const Tensor& out) {
  const double bound = min.to<double>();
  if (bound != bound) {  // nothing is larger than what is no number
    out.fill_(min);
  } else {
    clamp_min_scalar_stub(device_type(), *this, min);
  }
}

}  // namespace native

}  // namespace at

// --- The forms around them ---------------------------------------------------------------------

STRUCTURED_FORMS(
    neg, (const at::Tensor& self), neg_, (at::Tensor& self), neg_out,
    (const at::Tensor& self, at::Tensor& out), self)

STRUCTURED_FORMS(
    reciprocal, (const at::Tensor& self), reciprocal_, (at::Tensor& self), reciprocal_out,
    (const at::Tensor& self, at::Tensor& out), self)

STRUCTURED_FORMS(
    clamp_min, (const at::Tensor& self, const at::Scalar& min),
    clamp_min_, (at::Tensor& self, const at::Scalar& min),
    clamp_min_out, (const at::Tensor& self, const at::Scalar& min, at::Tensor& out), self, min)

// --- A kernel that calls another operator ------------------------------------------------------

namespace at {

namespace {

at::Tensor wrapper_relu(const at::Tensor& self) {
  TORCH_CHECK(self.scalar_type() != ScalarType::Bool, "Boolean inputs not supported for relu");
  return self.clamp_min(0);
}

at::Tensor& wrapper_relu_(at::Tensor& self) {
  TORCH_CHECK(self.scalar_type() != ScalarType::Bool, "Boolean inputs not supported for relu");
  return self.clamp_min_(0);
}

}  // namespace

}  // namespace at

AUTOGRAD_KERNEL(relu, AutoDispatchBelowADInplaceOrView, at::Tensor, (const at::Tensor& self), self)
AUTOGRAD_KERNEL(relu_, AutoDispatchBelowAutograd, at::Tensor&, (at::Tensor& self), self)
INPLACE_KERNEL(relu_, self, (at::Tensor& self), self)

namespace at {

TORCH_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("neg", TORCH_FN(wrapper_CPU_neg));
  m.impl("neg_", TORCH_FN(wrapper_CPU_neg_));
  m.impl("neg.out", TORCH_FN(wrapper_CPU_neg_out_out));
  m.impl("reciprocal", TORCH_FN(wrapper_CPU_reciprocal));
  m.impl("reciprocal_", TORCH_FN(wrapper_CPU_reciprocal_));
  m.impl("reciprocal.out", TORCH_FN(wrapper_CPU_reciprocal_out_out));
  m.impl("clamp_min", TORCH_FN(wrapper_CPU_clamp_min));
  m.impl("clamp_min_", TORCH_FN(wrapper_CPU_clamp_min_));
  m.impl("clamp_min.out", TORCH_FN(wrapper_CPU_clamp_min_out_out));
  m.impl("relu", TORCH_FN(wrapper_relu));
  m.impl("relu_", TORCH_FN(wrapper_relu_));
}

TORCH_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("neg", TORCH_FN(wrapper_Meta_neg));
  m.impl("neg_", TORCH_FN(wrapper_Meta_neg_));
  m.impl("neg.out", TORCH_FN(wrapper_Meta_neg_out_out));
  m.impl("reciprocal", TORCH_FN(wrapper_Meta_reciprocal));
  m.impl("reciprocal_", TORCH_FN(wrapper_Meta_reciprocal_));
  m.impl("reciprocal.out", TORCH_FN(wrapper_Meta_reciprocal_out_out));
  m.impl("clamp_min", TORCH_FN(wrapper_Meta_clamp_min));
  m.impl("clamp_min_", TORCH_FN(wrapper_Meta_clamp_min_));
  m.impl("clamp_min.out", TORCH_FN(wrapper_Meta_clamp_min_out_out));
  m.impl("relu", TORCH_FN(wrapper_relu));
  m.impl("relu_", TORCH_FN(wrapper_relu_));
}

}  // namespace at

namespace torch {

namespace autograd {

TORCH_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("neg", TORCH_FN(VariableType::neg));
  m.impl("neg_", TORCH_FN(VariableType::neg_));
  m.impl("neg.out", TORCH_FN(VariableType::neg_out));
  m.impl("reciprocal", TORCH_FN(VariableType::reciprocal));
  m.impl("reciprocal_", TORCH_FN(VariableType::reciprocal_));
  m.impl("reciprocal.out", TORCH_FN(VariableType::reciprocal_out));
  m.impl("clamp_min", TORCH_FN(VariableType::clamp_min));
  m.impl("clamp_min_", TORCH_FN(VariableType::clamp_min_));
  m.impl("clamp_min.out", TORCH_FN(VariableType::clamp_min_out));
  m.impl("relu", TORCH_FN(VariableType::relu));
  m.impl("relu_", TORCH_FN(VariableType::relu_));
}

}  // namespace autograd

TORCH_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("neg_", TORCH_FN(ADInplaceOrView::neg_));
  m.impl("neg.out", TORCH_FN(ADInplaceOrView::neg_out));
  m.impl("reciprocal_", TORCH_FN(ADInplaceOrView::reciprocal_));
  m.impl("reciprocal.out", TORCH_FN(ADInplaceOrView::reciprocal_out));
  m.impl("clamp_min_", TORCH_FN(ADInplaceOrView::clamp_min_));
  m.impl("clamp_min.out", TORCH_FN(ADInplaceOrView::clamp_min_out));
  m.impl("relu_", TORCH_FN(ADInplaceOrView::relu_));
}

}  // namespace torch
