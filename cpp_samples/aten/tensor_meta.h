// Structured kernels: an operator in two halves. `meta` says what the result will look like, and
// `impl` computes it. Each half is a member function, which the macros below name.
//
// Between the two stands a class hierarchy. For add on the CPU:
//
//   impl::MetaBase                        gives and takes outputs
//     TensorIteratorBase                  shapes, types and strides of all operands
//       meta::structured_add_Tensor       meta
//         native::structured_ufunc_add_CPU    impl
//           structured_ufunc_add_CPU_functional, _out, _inplace: where the output comes from
#pragma once

#if __has_include(<ATen/TensorMeta.h>)
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#else

#include "aten.h"
#include "macros.h"

// The heads of the two halves, without parameters and body: these you write behind. An operator
// without overloads takes the first form, `add.Tensor` is (add, Tensor).
#define TORCH_META_FUNC(name) void structured_##name::meta
#define TORCH_META_FUNC2(name, overload) void structured_##name##_##overload::meta
#define TORCH_IMPL_FUNC(name) void structured_##name::impl

// The same for a `meta` that hands values on to `impl`, in a struct that the build declares.
#define TORCH_PRECOMPUTE_META_FUNC(name) structured_##name::meta_return_ty structured_##name::meta
#define TORCH_PRECOMPUTE_META_FUNC2(name, overload)                                               \
  structured_##name##_##overload::meta_return_ty structured_##name##_##overload::meta
#define TORCH_PRECOMPUTE_STRUCT(name) structured_##name::precompute_out<>
#define TORCH_PRECOMPUTE_STRUCT2(name, overload)                                                  \
  structured_##name##_##overload::precompute_out<>

namespace at {

namespace impl {

// `meta` asks for outputs by their number and says what they must be like; where they come from,
// the classes at the bottom of the hierarchy decide.
struct TORCH_API MetaBase {
  virtual const Tensor& maybe_get_output(int64_t output_idx) = 0;
  virtual void set_output_raw_strided(
      int64_t output_idx, IntArrayRef sizes, IntArrayRef strides_hint, TensorOptions options);
  const Tensor& maybe_get_output() { return maybe_get_output(0); }
  virtual ~MetaBase() = default;
};

}  // namespace impl

// All operands of an elementwise computation, made to fit each other.
struct TORCH_API TensorIteratorBase : public impl::MetaBase {
  ScalarType dtype(int64_t arg = 0) const;
  ScalarType common_dtype() const;
  DeviceType device_type(int64_t arg = 0) const;
  int64_t numel() const;
  bool is_scalar(int64_t arg) const;
  template <typename T>
  T original_scalar_value(int64_t arg);
  void remove_operand(int64_t arg);
  void build_borrowing_binary_op(const Tensor& out, const Tensor& a, const Tensor& b);
  void build_borrowing_binary_float_op(const Tensor& out, const Tensor& a, const Tensor& b);
  void build_borrowing_unary_op(const Tensor& out, const Tensor& a);
  void build_borrowing_unary_float_op(const Tensor& out, const Tensor& a);
  void build_unary_op(const Tensor& out, const Tensor& a);  // keeps what it is given
  void set_output_raw_strided(
      int64_t output_idx, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override;
};

// One that makes its outputs itself, for kernels that aren't structured.
struct TORCH_API TensorIterator final : public TensorIteratorBase {
  const Tensor& maybe_get_output(int64_t output_idx) override;
};

}  // namespace at

#endif
