// A number as an operand: `a * 2` and `a + 1`, as a body in C++ writes them.
//
// A number is made a tensor of no dimensions, and the operator of two tensors is called, from the
// top. That is right on every device, so one kernel of each is registered for an alias. (Python's
// `a * 2` doesn't come here: there the parser has wrapped the number before.)
#include "binary_ops.h"

TORCH_LIBRARY_FRAGMENT(aten, m) {
  m.def("add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor");
  m.def("add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)");
  m.def("sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor");
  m.def("sub_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)");
  m.def("rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor");
  m.def("mul.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("mul_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
  m.def("div.Scalar(Tensor self, Scalar other) -> Tensor");
  m.def("div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
}

namespace at {

namespace {

at::Tensor wrapper_CompositeExplicitAutograd_Scalar_add(
    const at::Tensor& self, const at::Scalar& other, const at::Scalar& alpha) {
  return _ops::add_Tensor::call(self, native::wrapped_scalar_tensor(other), alpha);
}

at::Tensor& wrapper_CompositeExplicitAutograd_Scalar_add_(
    at::Tensor& self, const at::Scalar& other, const at::Scalar& alpha) {
  return _ops::add__Tensor::call(self, native::wrapped_scalar_tensor(other), alpha);
}

at::Tensor wrapper_CompositeExplicitAutograd_Scalar_sub(
    const at::Tensor& self, const at::Scalar& other, const at::Scalar& alpha) {
  return _ops::sub_Tensor::call(self, native::wrapped_scalar_tensor(other), alpha);
}

at::Tensor& wrapper_CompositeExplicitAutograd_Scalar_sub_(
    at::Tensor& self, const at::Scalar& other, const at::Scalar& alpha) {
  return _ops::sub__Tensor::call(self, native::wrapped_scalar_tensor(other), alpha);
}

at::Tensor wrapper_CompositeExplicitAutograd_Scalar_rsub(
    const at::Tensor& self, const at::Scalar& other, const at::Scalar& alpha) {
  return _ops::rsub_Tensor::call(self, native::wrapped_scalar_tensor(other), alpha);
}

at::Tensor wrapper_CompositeExplicitAutograd_Scalar_mul(
    const at::Tensor& self, const at::Scalar& other) {
  return _ops::mul_Tensor::call(self, native::wrapped_scalar_tensor(other));
}

// With the number first: a product of halves is then rounded as one of two tensors.
at::Tensor& wrapper_CompositeExplicitAutograd_Scalar_mul_(
    at::Tensor& self, const at::Scalar& other) {
  return _ops::mul_out::call(native::wrapped_scalar_tensor(other), self, self);
}

at::Tensor wrapper_CompositeExplicitAutograd_Scalar_div(
    const at::Tensor& self, const at::Scalar& other) {
  return _ops::div_Tensor::call(self, native::wrapped_scalar_tensor(other));
}

at::Tensor& wrapper_CompositeExplicitAutograd_Scalar_div_(
    at::Tensor& self, const at::Scalar& other) {
  return _ops::div__Tensor::call(self, native::wrapped_scalar_tensor(other));
}

}  // namespace

}  // namespace at

// What is noted and counted around them.
#define SCALAR_FORMS(op, takes, ...)                                                              \
  AUTOGRAD_KERNEL(                                                                                \
      op##_Scalar, AutoDispatchBelowADInplaceOrView, at::Tensor,                                  \
      (const at::Tensor& self, STRUCTURED_UNPACK takes), self, __VA_ARGS__)                       \
  AUTOGRAD_KERNEL(                                                                                \
      op##__Scalar, AutoDispatchBelowAutograd, at::Tensor&,                                       \
      (at::Tensor& self, STRUCTURED_UNPACK takes), self, __VA_ARGS__)                             \
  INPLACE_KERNEL(                                                                                 \
      op##__Scalar, self, (at::Tensor& self, STRUCTURED_UNPACK takes), self, __VA_ARGS__)

SCALAR_FORMS(add, (const at::Scalar& other, const at::Scalar& alpha), other, alpha)
SCALAR_FORMS(sub, (const at::Scalar& other, const at::Scalar& alpha), other, alpha)
AUTOGRAD_KERNEL(
    rsub_Scalar, AutoDispatchBelowADInplaceOrView, at::Tensor,
    (const at::Tensor& self, const at::Scalar& other, const at::Scalar& alpha), self, other, alpha)
SCALAR_FORMS(mul, (const at::Scalar& other), other)
SCALAR_FORMS(div, (const at::Scalar& other), other)

namespace at {

TORCH_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("add.Scalar", TORCH_FN(wrapper_CompositeExplicitAutograd_Scalar_add));
  m.impl("add_.Scalar", TORCH_FN(wrapper_CompositeExplicitAutograd_Scalar_add_));
  m.impl("sub.Scalar", TORCH_FN(wrapper_CompositeExplicitAutograd_Scalar_sub));
  m.impl("sub_.Scalar", TORCH_FN(wrapper_CompositeExplicitAutograd_Scalar_sub_));
  m.impl("rsub.Scalar", TORCH_FN(wrapper_CompositeExplicitAutograd_Scalar_rsub));
  m.impl("mul.Scalar", TORCH_FN(wrapper_CompositeExplicitAutograd_Scalar_mul));
  m.impl("mul_.Scalar", TORCH_FN(wrapper_CompositeExplicitAutograd_Scalar_mul_));
  m.impl("div.Scalar", TORCH_FN(wrapper_CompositeExplicitAutograd_Scalar_div));
  m.impl("div_.Scalar", TORCH_FN(wrapper_CompositeExplicitAutograd_Scalar_div_));
}

}  // namespace at

namespace torch {

namespace autograd {

TORCH_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("add.Scalar", TORCH_FN(VariableType::add_Scalar));
  m.impl("add_.Scalar", TORCH_FN(VariableType::add__Scalar));
  m.impl("sub.Scalar", TORCH_FN(VariableType::sub_Scalar));
  m.impl("sub_.Scalar", TORCH_FN(VariableType::sub__Scalar));
  m.impl("rsub.Scalar", TORCH_FN(VariableType::rsub_Scalar));
  m.impl("mul.Scalar", TORCH_FN(VariableType::mul_Scalar));
  m.impl("mul_.Scalar", TORCH_FN(VariableType::mul__Scalar));
  m.impl("div.Scalar", TORCH_FN(VariableType::div_Scalar));
  m.impl("div_.Scalar", TORCH_FN(VariableType::div__Scalar));
}

}  // namespace autograd

TORCH_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("add_.Scalar", TORCH_FN(ADInplaceOrView::add__Scalar));
  m.impl("sub_.Scalar", TORCH_FN(ADInplaceOrView::sub__Scalar));
  m.impl("mul_.Scalar", TORCH_FN(ADInplaceOrView::mul__Scalar));
  m.impl("div_.Scalar", TORCH_FN(ADInplaceOrView::div__Scalar));
}

}  // namespace torch
