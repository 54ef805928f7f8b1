// `add`, whole: three operators, and a kernel of each for every key that a call on the CPU meets.
//
// `a + 1` in Python ends up here. The call carries a set of keys, and the highest one is asked
// first: Autograd notes how to differentiate, and calls again without its own key. ADInplaceOrView
// counts that a tensor was changed in place, and calls again. CPU computes. In PyTorch each of
// these blocks is in a file that its build writes; only the kernels are shortened here.
#include "library.h"
#include "ufunc_add.h"

namespace at {

// --- Schema: which operators there are ---------------------------------------------------------

// What stands behind the dot tells overloads apart. `(a!)` marks what is written to; after the `*`
// come arguments that are given by name.
TORCH_LIBRARY(aten, m) {
  m.def("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  m.def("add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  m.def("add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
}

// --- CPU: the computation ----------------------------------------------------------------------

namespace {

Tensor create_out(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);
void resize_out(
    const Tensor& out, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);

// The same structured kernel three times. They differ in where the output comes from: a new tensor,
// one that the caller gave, or `self`.
struct structured_ufunc_add_CPU_functional final : public at::native::structured_ufunc_add_CPU {
  void set_output_raw_strided(
      int64_t output_idx, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    outputs_[output_idx] = create_out(sizes, strides, options);
    structured_ufunc_add_CPU::set_output_raw_strided(output_idx, sizes, strides, options);
  }
  const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }
  std::array<Tensor, 1> outputs_;
};

struct structured_ufunc_add_CPU_out final : public at::native::structured_ufunc_add_CPU {
  structured_ufunc_add_CPU_out(Tensor& out0) : outputs_{std::ref(out0)} {}
  void set_output_raw_strided(
      int64_t output_idx, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    resize_out(outputs_[output_idx], sizes, strides, options);
    structured_ufunc_add_CPU::set_output_raw_strided(output_idx, sizes, strides, options);
  }
  const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }
  std::array<std::reference_wrapper<Tensor>, 1> outputs_;
};

struct structured_ufunc_add_CPU_inplace final : public at::native::structured_ufunc_add_CPU {
  structured_ufunc_add_CPU_inplace(Tensor& self) : outputs_{std::ref(self)} {}
  const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }
  std::array<std::reference_wrapper<Tensor>, 1> outputs_;
};

at::Tensor wrapper_CPU_add_Tensor(
    const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  structured_ufunc_add_CPU_functional op;
  op.meta(self, other, alpha);
  op.impl(self, other, alpha, op.outputs_[0]);
  return op.outputs_[0];
}

at::Tensor& wrapper_CPU_add_out_out(
    const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha, at::Tensor& out) {
  structured_ufunc_add_CPU_out op(out);
  op.meta(self, other, alpha);
  op.impl(self, other, alpha, op.maybe_get_output(0));
  return out;
}

at::Tensor& wrapper_CPU_add__Tensor(
    at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  structured_ufunc_add_CPU_inplace op(self);
  op.meta(self, other, alpha);
  op.impl(self, other, alpha, op.maybe_get_output(0));
  return self;
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("add.Tensor", TORCH_FN(wrapper_CPU_add_Tensor));
  m.impl("add.out", TORCH_FN(wrapper_CPU_add_out_out));
  m.impl("add_.Tensor", TORCH_FN(wrapper_CPU_add__Tensor));
}

// --- Meta: everything but the computation ------------------------------------------------------

namespace {

// Tensors on the device Meta have shape, type and strides, and no memory. For them, the first half
// of a structured kernel is a whole one.
struct structured_add_Tensor_meta_functional final : public at::meta::structured_add_Tensor {
  void set_output_raw_strided(
      int64_t output_idx, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    outputs_[output_idx] = create_out(sizes, strides, options);
    structured_add_Tensor::set_output_raw_strided(output_idx, sizes, strides, options);
  }
  const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }
  std::array<Tensor, 1> outputs_;
};

struct structured_add_Tensor_meta_out final : public at::meta::structured_add_Tensor {
  structured_add_Tensor_meta_out(Tensor& out0) : outputs_{std::ref(out0)} {}
  void set_output_raw_strided(
      int64_t output_idx, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    resize_out(outputs_[output_idx], sizes, strides, options);
    structured_add_Tensor::set_output_raw_strided(output_idx, sizes, strides, options);
  }
  const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }
  std::array<std::reference_wrapper<Tensor>, 1> outputs_;
};

struct structured_add_Tensor_meta_inplace final : public at::meta::structured_add_Tensor {
  structured_add_Tensor_meta_inplace(Tensor& self) : outputs_{std::ref(self)} {}
  const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }
  std::array<std::reference_wrapper<Tensor>, 1> outputs_;
};

at::Tensor wrapper_Meta_add_Tensor(
    const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  structured_add_Tensor_meta_functional op;
  op.meta(self, other, alpha);
  return op.outputs_[0];
}

at::Tensor& wrapper_Meta_add_out_out(
    const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha, at::Tensor& out) {
  structured_add_Tensor_meta_out op(out);
  op.meta(self, other, alpha);
  return out;
}

at::Tensor& wrapper_Meta_add__Tensor(
    at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  structured_add_Tensor_meta_inplace op(self);
  op.meta(self, other, alpha);
  return self;
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("add.Tensor", TORCH_FN(wrapper_Meta_add_Tensor));
  m.impl("add.out", TORCH_FN(wrapper_Meta_add_out_out));
  m.impl("add_.Tensor", TORCH_FN(wrapper_Meta_add__Tensor));
}

}  // namespace at

// --- Autograd: how to differentiate ------------------------------------------------------------

namespace torch {

namespace autograd {

namespace VariableType {

namespace {

// PyTorch notes here what the derivative will need. Then it calls the same operator with the keys
// that are left, and leaves autograd's out of all calls that are made meanwhile.
at::Tensor add_Tensor(
    c10::DispatchKeySet ks, const at::Tensor& self, const at::Tensor& other,
    const at::Scalar& alpha) {
  at::AutoDispatchBelowADInplaceOrView guard;
  return at::_ops::add_Tensor::redispatch(ks & c10::after_autograd_keyset, self, other, alpha);
}

at::Tensor& add__Tensor(
    c10::DispatchKeySet ks, at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  at::AutoDispatchBelowAutograd guard;
  return at::_ops::add__Tensor::redispatch(ks & c10::after_autograd_keyset, self, other, alpha);
}

at::Tensor& add_out_out(
    c10::DispatchKeySet ks, const at::Tensor& self, const at::Tensor& other,
    const at::Scalar& alpha, at::Tensor& out) {
  at::AutoDispatchBelowAutograd guard;
  return at::_ops::add_out::redispatch(ks & c10::after_autograd_keyset, self, other, alpha, out);
}

}  // namespace

}  // namespace VariableType

// Autograd is an alias: these kernels stand for AutogradCPU, AutogradCUDA and all the others.
TORCH_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("add.Tensor", TORCH_FN(VariableType::add_Tensor));
  m.impl("add_.Tensor", TORCH_FN(VariableType::add__Tensor));
  m.impl("add.out", TORCH_FN(VariableType::add_out_out));
}

}  // namespace autograd

// --- ADInplaceOrView: what was changed in place ------------------------------------------------

namespace ADInplaceOrView {

namespace {

// When the call is back, PyTorch counts up the tensor's version: who kept the old values for a
// derivative can tell that they are gone.
at::Tensor& add__Tensor(
    c10::DispatchKeySet ks, at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  {
    at::AutoDispatchBelowADInplaceOrView guard;
    at::_ops::add__Tensor::redispatch(
        ks & c10::after_ADInplaceOrView_keyset, self, other, alpha);
  }
  return self;
}

at::Tensor& add_out_out(
    c10::DispatchKeySet ks, const at::Tensor& self, const at::Tensor& other,
    const at::Scalar& alpha, at::Tensor& out) {
  {
    at::AutoDispatchBelowADInplaceOrView guard;
    at::_ops::add_out::redispatch(
        ks & c10::after_ADInplaceOrView_keyset, self, other, alpha, out);
  }
  return out;
}

}  // namespace

}  // namespace ADInplaceOrView

TORCH_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("add_.Tensor", TORCH_FN(ADInplaceOrView::add__Tensor));
  m.impl("add.out", TORCH_FN(ADInplaceOrView::add_out_out));
}

// add.Tensor changes nothing in place, and has no kernel for this key. For all such operators, of
// every namespace: pass on.
TORCH_LIBRARY_IMPL(_, ADInplaceOrView, m) {
  m.fallback(torch::CppFunction::makeFallthrough());
}

}  // namespace torch
