// `mul`, `sub`, `rsub` and `div`: as `add`, with halves of their own. add.cc shows the forms around them
// written out; here a macro writes them.
#include "binary_ops.h"
#include "dispatch_stub.h"

TORCH_LIBRARY_FRAGMENT(aten, m) {
  m.def("mul.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  m.def("mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  m.def("sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  m.def("sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  m.def("sub.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
  m.def("rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  m.def("div.Tensor(Tensor self, Tensor other) -> Tensor");
  m.def("div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  m.def("div.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
}

// --- The two halves ----------------------------------------------------------------------------

namespace at {

namespace meta {

TORCH_META_FUNC2(mul, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

// For bools there are operators that say what is meant.
TORCH_META_FUNC2(sub, Tensor)
(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  const bool self_is_bool = self.scalar_type() == ScalarType::Bool;
  const bool other_is_bool = other.scalar_type() == ScalarType::Bool;
  TORCH_CHECK(
      !(self_is_bool && other_is_bool),
      "Subtraction, the `-` operator, with two bool tensors is not supported. "
      "Use the `^` or `logical_xor()` operator instead.");
  TORCH_CHECK(
      !(self_is_bool || other_is_bool),
      "Subtraction, the `-` operator, with a bool tensor is not supported. "
      "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
  build_borrowing_binary_op(maybe_get_output(), self, other);
  native::alpha_check(dtype(), alpha);
}

// A quotient of integers is no integer: the iterator makes floats of them.
TORCH_META_FUNC2(div, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_float_op(maybe_get_output(), self, other);
}

}  // namespace meta

namespace native {

using add_fn = void (*)(TensorIteratorBase&, const Scalar&);
using binary_fn = void (*)(TensorIteratorBase&);
DECLARE_DISPATCH(add_fn, add_stub)
DECLARE_DISPATCH(binary_fn, mul_stub)
DECLARE_DISPATCH(binary_fn, div_true_stub)
DEFINE_DISPATCH(mul_stub);
DEFINE_DISPATCH(div_true_stub);

TORCH_IMPL_FUNC(mul_out)(const Tensor& self, const Tensor& other, const Tensor& out) {
  mul_stub(device_type(), *this);
}

// To subtract is to add a multiple, so there is no loop for it.
TORCH_IMPL_FUNC(sub_out)
(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out) {
  add_stub(device_type(), *this, -alpha);
}

TORCH_IMPL_FUNC(div_out)(const Tensor& self, const Tensor& other, const Tensor& out) {
  div_true_stub(device_type(), *this);
}

}  // namespace native

}  // namespace at

// --- The forms around them ---------------------------------------------------------------------

STRUCTURED_FORMS(
    mul_Tensor, (const at::Tensor& self, const at::Tensor& other),
    mul__Tensor, (at::Tensor& self, const at::Tensor& other),
    mul_out, (const at::Tensor& self, const at::Tensor& other, at::Tensor& out),
    self, other)

STRUCTURED_FORMS(
    sub_Tensor, (const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha),
    sub__Tensor, (at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha),
    sub_out,
    (const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha, at::Tensor& out),
    self, other, alpha)

STRUCTURED_FORMS(
    div_Tensor, (const at::Tensor& self, const at::Tensor& other),
    div__Tensor, (at::Tensor& self, const at::Tensor& other),
    div_out, (const at::Tensor& self, const at::Tensor& other, at::Tensor& out),
    self, other)

// `sub` with its operands the other way round, from the top: Python's `2 - a` comes to it.
namespace at {

namespace {

at::Tensor wrapper_CPU_Tensor_rsub(
    const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  return _ops::sub_Tensor::call(other, self, alpha);
}

}  // namespace

}  // namespace at

AUTOGRAD_KERNEL(
    rsub_Tensor, AutoDispatchBelowADInplaceOrView, at::Tensor,
    (const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha), self, other, alpha)

namespace at {

TORCH_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("rsub.Tensor", TORCH_FN(wrapper_CPU_Tensor_rsub));
  m.impl("mul.Tensor", TORCH_FN(wrapper_CPU_mul_Tensor));
  m.impl("mul_.Tensor", TORCH_FN(wrapper_CPU_mul__Tensor));
  m.impl("mul.out", TORCH_FN(wrapper_CPU_mul_out_out));
  m.impl("sub.Tensor", TORCH_FN(wrapper_CPU_sub_Tensor));
  m.impl("sub_.Tensor", TORCH_FN(wrapper_CPU_sub__Tensor));
  m.impl("sub.out", TORCH_FN(wrapper_CPU_sub_out_out));
  m.impl("div.Tensor", TORCH_FN(wrapper_CPU_div_Tensor));
  m.impl("div_.Tensor", TORCH_FN(wrapper_CPU_div__Tensor));
  m.impl("div.out", TORCH_FN(wrapper_CPU_div_out_out));
}

TORCH_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("mul.Tensor", TORCH_FN(wrapper_Meta_mul_Tensor));
  m.impl("mul_.Tensor", TORCH_FN(wrapper_Meta_mul__Tensor));
  m.impl("mul.out", TORCH_FN(wrapper_Meta_mul_out_out));
  m.impl("sub.Tensor", TORCH_FN(wrapper_Meta_sub_Tensor));
  m.impl("sub_.Tensor", TORCH_FN(wrapper_Meta_sub__Tensor));
  m.impl("sub.out", TORCH_FN(wrapper_Meta_sub_out_out));
  m.impl("div.Tensor", TORCH_FN(wrapper_Meta_div_Tensor));
  m.impl("div_.Tensor", TORCH_FN(wrapper_Meta_div__Tensor));
  m.impl("div.out", TORCH_FN(wrapper_Meta_div_out_out));
}

}  // namespace at

namespace torch {

namespace autograd {

TORCH_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("rsub.Tensor", TORCH_FN(VariableType::rsub_Tensor));
  m.impl("mul.Tensor", TORCH_FN(VariableType::mul_Tensor));
  m.impl("mul_.Tensor", TORCH_FN(VariableType::mul__Tensor));
  m.impl("mul.out", TORCH_FN(VariableType::mul_out));
  m.impl("sub.Tensor", TORCH_FN(VariableType::sub_Tensor));
  m.impl("sub_.Tensor", TORCH_FN(VariableType::sub__Tensor));
  m.impl("sub.out", TORCH_FN(VariableType::sub_out));
  m.impl("div.Tensor", TORCH_FN(VariableType::div_Tensor));
  m.impl("div_.Tensor", TORCH_FN(VariableType::div__Tensor));
  m.impl("div.out", TORCH_FN(VariableType::div_out));
}

}  // namespace autograd

TORCH_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("mul_.Tensor", TORCH_FN(ADInplaceOrView::mul__Tensor));
  m.impl("mul.out", TORCH_FN(ADInplaceOrView::mul_out));
  m.impl("sub_.Tensor", TORCH_FN(ADInplaceOrView::sub__Tensor));
  m.impl("sub.out", TORCH_FN(ADInplaceOrView::sub_out));
  m.impl("div_.Tensor", TORCH_FN(ADInplaceOrView::div__Tensor));
  m.impl("div.out", TORCH_FN(ADInplaceOrView::div_out));
}

}  // namespace torch
