// What PyTorch's build declares for `sum`, and what a reduction is prepared with.
#pragma once

#include "library.h"
#include "tensor_meta.h"

#if __has_include(<ATen/ops/sum_native.h>)
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/ops/sum_native.h>
#include <ATen/ops/sum_ops.h>
#else

namespace at {

namespace _ops {

struct TORCH_API sum {
  static Tensor call(const Tensor& self, std::optional<ScalarType> dtype);
  static Tensor redispatch(
      c10::DispatchKeySet dispatchKeySet, const Tensor& self, std::optional<ScalarType> dtype);
};

struct TORCH_API sum_dim_IntList {
  static Tensor call(
      const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype);
  static Tensor redispatch(
      c10::DispatchKeySet dispatchKeySet, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
      std::optional<ScalarType> dtype);
};

struct TORCH_API sum_IntList_out {
  static Tensor& call(
      const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
      Tensor& out);
  static Tensor& redispatch(
      c10::DispatchKeySet dispatchKeySet, const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
      std::optional<ScalarType> dtype, Tensor& out);
};

}  // namespace _ops

namespace meta {

struct TORCH_API structured_sum_dim_IntList : public at::impl::MetaBase {
  void meta(
      const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype);
};

// The shape without the dimensions that are summed over, or with 1 for each of them.
void resize_reduction(
    impl::MetaBase& meta, const Tensor& self, OptionalIntArrayRef dims, bool keepdim,
    ScalarType out_dtype);

// An iterator over all elements, for which the output has a step of 0 where it is summed.
TensorIterator make_reduction_from_out_ty(
    const Tensor& self, const Tensor& result, OptionalIntArrayRef dims, bool keepdim,
    ScalarType out_dtype);

}  // namespace meta

namespace native {

struct TORCH_API structured_sum_out : public at::meta::structured_sum_dim_IntList {
  void impl(
      const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
      const Tensor& out);
};

// What somebody asked for, or the tensor's own type; for integers Long, if these are promoted.
ScalarType get_dtype_from_self(
    const Tensor& self, const std::optional<ScalarType>& dtype, bool promote_integers);

}  // namespace native

}  // namespace at

#endif
