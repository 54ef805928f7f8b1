// What PyTorch's build declares for `mul`, `sub`, `rsub` and `div`, as in ufunc_add.h for `add`.
#pragma once

#include "structured_forms.h"
#include "ufunc_add.h"

#if __has_include(<ATen/ops/mul_native.h>)
#include <ATen/ScalarOps.h>
#include <ATen/ops/div_native.h>
#include <ATen/ops/div_ops.h>
#include <ATen/ops/mul_native.h>
#include <ATen/ops/mul_ops.h>
#include <ATen/ops/rsub_ops.h>
#include <ATen/ops/sub_native.h>
#include <ATen/ops/sub_ops.h>
#else

namespace at {

namespace _ops {

OPERATOR(mul_Tensor, Tensor, (const Tensor& self, const Tensor& other));
OPERATOR(mul__Tensor, Tensor&, (Tensor & self, const Tensor& other));
OPERATOR(mul_out, Tensor&, (const Tensor& self, const Tensor& other, Tensor& out));
OPERATOR(div_Tensor, Tensor, (const Tensor& self, const Tensor& other));
OPERATOR(div__Tensor, Tensor&, (Tensor & self, const Tensor& other));
OPERATOR(div_out, Tensor&, (const Tensor& self, const Tensor& other, Tensor& out));
OPERATOR(sub_Tensor, Tensor, (const Tensor& self, const Tensor& other, const Scalar& alpha));
OPERATOR(sub__Tensor, Tensor&, (Tensor & self, const Tensor& other, const Scalar& alpha));
OPERATOR(
    sub_out, Tensor&,
    (const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out));
OPERATOR(rsub_Tensor, Tensor, (const Tensor& self, const Tensor& other, const Scalar& alpha));
OPERATOR(rsub_Scalar, Tensor, (const Tensor& self, const Scalar& other, const Scalar& alpha));
OPERATOR(add_Scalar, Tensor, (const Tensor& self, const Scalar& other, const Scalar& alpha));
OPERATOR(add__Scalar, Tensor&, (Tensor & self, const Scalar& other, const Scalar& alpha));
OPERATOR(sub_Scalar, Tensor, (const Tensor& self, const Scalar& other, const Scalar& alpha));
OPERATOR(sub__Scalar, Tensor&, (Tensor & self, const Scalar& other, const Scalar& alpha));
OPERATOR(mul_Scalar, Tensor, (const Tensor& self, const Scalar& other));
OPERATOR(mul__Scalar, Tensor&, (Tensor & self, const Scalar& other));
OPERATOR(div_Scalar, Tensor, (const Tensor& self, const Scalar& other));
OPERATOR(div__Scalar, Tensor&, (Tensor & self, const Scalar& other));

}  // namespace _ops

namespace meta {

struct TORCH_API structured_mul_Tensor : public TensorIteratorBase {
  void meta(const Tensor& self, const Tensor& other);
};

struct TORCH_API structured_div_Tensor : public TensorIteratorBase {
  void meta(const Tensor& self, const Tensor& other);
};

struct TORCH_API structured_sub_Tensor : public TensorIteratorBase {
  void meta(const Tensor& self, const Tensor& other, const Scalar& alpha);
};

}  // namespace meta

namespace native {

struct TORCH_API structured_mul_out : public at::meta::structured_mul_Tensor {
  void impl(const Tensor& self, const Tensor& other, const Tensor& out);
};

struct TORCH_API structured_div_out : public at::meta::structured_div_Tensor {
  void impl(const Tensor& self, const Tensor& other, const Tensor& out);
};

struct TORCH_API structured_sub_out : public at::meta::structured_sub_Tensor {
  void impl(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
};

// A number as a tensor of no dimensions, which leaves the other's type as it is.
Tensor wrapped_scalar_tensor(const Scalar& scalar);

}  // namespace native

}  // namespace at

#endif
