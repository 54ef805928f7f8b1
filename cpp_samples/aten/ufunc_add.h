// What PyTorch's build declares for `add`: the operators as functions, and the classes of its
// structured kernel.
#pragma once

#include "tensor_meta.h"

#if __has_include(<ATen/ops/add_native.h>)
#include <ATen/ops/add_native.h>
#include <ATen/ops/add_ops.h>
#else

namespace at {

// Calling an operator from C++: from the top, or from inside a kernel with the keys that are left.
namespace _ops {

struct TORCH_API add_Tensor {
  static at::Tensor call(
      const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha);
  static at::Tensor redispatch(
      c10::DispatchKeySet dispatchKeySet, const at::Tensor& self, const at::Tensor& other,
      const at::Scalar& alpha);
};

struct TORCH_API add__Tensor {
  static at::Tensor& call(at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha);
  static at::Tensor& redispatch(
      c10::DispatchKeySet dispatchKeySet, at::Tensor& self, const at::Tensor& other,
      const at::Scalar& alpha);
};

struct TORCH_API add_out {
  static at::Tensor& call(
      const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha, at::Tensor& out);
  static at::Tensor& redispatch(
      c10::DispatchKeySet dispatchKeySet, const at::Tensor& self, const at::Tensor& other,
      const at::Scalar& alpha, at::Tensor& out);
};

}  // namespace _ops

namespace meta {

struct TORCH_API structured_add_Tensor : public TensorIteratorBase {
  void meta(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha);
};

}  // namespace meta

namespace native {

struct TORCH_API structured_ufunc_add_CPU : public at::meta::structured_add_Tensor {
  void impl(
      const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha,
      const at::Tensor& out);
};

struct TORCH_API structured_ufunc_add_CUDA : public at::meta::structured_add_Tensor {
  void impl(
      const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha,
      const at::Tensor& out);
};

}  // namespace native

}  // namespace at

#endif

namespace at::native {

// Refuses an alpha that can't go with the result's type: a bool goes with Bool alone, a fraction
// not with integers, a complex number only with complex ones.
void alpha_check(const ScalarType dtype, const Scalar& alpha);

}  // namespace at::native
