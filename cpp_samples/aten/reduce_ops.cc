// `sum`: a reduction, whose output is smaller than what the loop runs over.
//
// It is structured too, but no iterator as `add` is: what the result looks like follows from the
// dimensions that are left, and the iterator is made where it is needed.
#include "dispatch_stub.h"
#include "reduce_ops.h"

TORCH_LIBRARY_FRAGMENT(aten, m) {
  m.def("sum(Tensor self, *, ScalarType? dtype=None) -> Tensor");
  m.def("sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, "
        "ScalarType? dtype=None) -> Tensor");
  m.def("sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, "
        "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
}

// --- The two halves ----------------------------------------------------------------------------

namespace at {

namespace meta {

// Integers are summed as int64_t, so that many small ones don't overflow. An output that is given
// says itself what it is.
TORCH_META_FUNC2(sum, dim_IntList)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  const Tensor& out = maybe_get_output();
  const Tensor& decides = out.defined() ? out : self;
  resize_reduction(
      *this, self, dim, keepdim,
      native::get_dtype_from_self(decides, dtype, !out.defined()));
}

}  // namespace meta

namespace native {

using reduce_fn = void (*)(TensorIterator&);
DECLARE_DISPATCH(reduce_fn, sum_stub)
DEFINE_DISPATCH(sum_stub);

TORCH_IMPL_FUNC(sum_out)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
 const Tensor& out) {
  auto iter =
      meta::make_reduction_from_out_ty(self, out, dim, keepdim, out.scalar_type());
  if (iter.numel() == 0) {
    out.zero_();
  } else {
    sum_stub(iter.device_type(), iter);
  }
}

}  // namespace native

// --- The forms around them ---------------------------------------------------------------------

namespace {

Tensor create_out(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);
void resize_out(
    const Tensor& out, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);

struct structured_sum_out_functional final : public at::native::structured_sum_out {
  void set_output_raw_strided(
      int64_t output_idx, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    outputs_[output_idx] = create_out(sizes, strides, options);
  }
  const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }
  std::array<Tensor, 1> outputs_;
};

struct structured_sum_out_out final : public at::native::structured_sum_out {
  structured_sum_out_out(Tensor& out0) : outputs_{std::ref(out0)} {}
  void set_output_raw_strided(
      int64_t output_idx, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    resize_out(outputs_[output_idx], sizes, strides, options);
  }
  const Tensor& maybe_get_output(int64_t output_idx) override { return outputs_[output_idx]; }
  std::array<std::reference_wrapper<Tensor>, 1> outputs_;
};

Tensor wrapper_CPU_sum_dim_IntList(
    const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  structured_sum_out_functional op;
  op.meta(self, dim, keepdim, dtype);
  op.impl(self, dim, keepdim, dtype, op.outputs_[0]);
  return op.outputs_[0];
}

Tensor& wrapper_CPU_sum_IntList_out(
    const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
    Tensor& out) {
  structured_sum_out_out op(out);
  op.meta(self, dim, keepdim, dtype);
  op.impl(self, dim, keepdim, dtype, op.maybe_get_output(0));
  return out;
}

// For Meta the first half is all.
Tensor wrapper_Meta_sum_dim_IntList(
    const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  structured_sum_out_functional op;
  op.meta(self, dim, keepdim, dtype);
  return op.outputs_[0];
}

Tensor& wrapper_Meta_sum_IntList_out(
    const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
    Tensor& out) {
  structured_sum_out_out op(out);
  op.meta(self, dim, keepdim, dtype);
  return out;
}

// The sum of all is that over all dimensions, for every device.
Tensor wrapper_sum(const Tensor& self, std::optional<ScalarType> dtype) {
  return at::_ops::sum_dim_IntList::call(self, std::nullopt, false, dtype);
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("sum.dim_IntList", TORCH_FN(wrapper_CPU_sum_dim_IntList));
  m.impl("sum.IntList_out", TORCH_FN(wrapper_CPU_sum_IntList_out));
}

TORCH_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("sum.dim_IntList", TORCH_FN(wrapper_Meta_sum_dim_IntList));
  m.impl("sum.IntList_out", TORCH_FN(wrapper_Meta_sum_IntList_out));
}

TORCH_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("sum", TORCH_FN(wrapper_sum));
}

}  // namespace at

// --- Autograd, and what is written -------------------------------------------------------------

namespace torch {

namespace autograd {

namespace VariableType {

namespace {

at::Tensor sum(
    c10::DispatchKeySet ks, const at::Tensor& self, std::optional<at::ScalarType> dtype) {
  at::AutoDispatchBelowADInplaceOrView guard;
  return at::_ops::sum::redispatch(ks & c10::after_autograd_keyset, self, dtype);
}

at::Tensor sum_dim_IntList(
    c10::DispatchKeySet ks, const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim,
    std::optional<at::ScalarType> dtype) {
  at::AutoDispatchBelowADInplaceOrView guard;
  return at::_ops::sum_dim_IntList::redispatch(
      ks & c10::after_autograd_keyset, self, dim, keepdim, dtype);
}

at::Tensor& sum_IntList_out(
    c10::DispatchKeySet ks, const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim,
    std::optional<at::ScalarType> dtype, at::Tensor& out) {
  at::AutoDispatchBelowAutograd guard;
  return at::_ops::sum_IntList_out::redispatch(
      ks & c10::after_autograd_keyset, self, dim, keepdim, dtype, out);
}

}  // namespace

}  // namespace VariableType

TORCH_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("sum", TORCH_FN(VariableType::sum));
  m.impl("sum.dim_IntList", TORCH_FN(VariableType::sum_dim_IntList));
  m.impl("sum.IntList_out", TORCH_FN(VariableType::sum_IntList_out));
}

}  // namespace autograd

namespace ADInplaceOrView {

namespace {

at::Tensor& sum_IntList_out(
    c10::DispatchKeySet ks, const at::Tensor& self, at::OptionalIntArrayRef dim, bool keepdim,
    std::optional<at::ScalarType> dtype, at::Tensor& out) {
  {
    at::AutoDispatchBelowADInplaceOrView guard;
    at::_ops::sum_IntList_out::redispatch(
        ks & c10::after_ADInplaceOrView_keyset, self, dim, keepdim, dtype, out);
  }
  return out;
}

}  // namespace

}  // namespace ADInplaceOrView

TORCH_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("sum.IntList_out", TORCH_FN(ADInplaceOrView::sum_IntList_out));
}

}  // namespace torch
