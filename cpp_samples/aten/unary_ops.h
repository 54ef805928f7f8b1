// What PyTorch's build declares for `neg`, `reciprocal`, `clamp_min` and `relu`, as in ufunc_add.h for `add`.
#pragma once

#include "structured_forms.h"

#if __has_include(<ATen/ops/neg_native.h>)
#include <ATen/ops/clamp_min_native.h>
#include <ATen/ops/clamp_min_ops.h>
#include <ATen/ops/neg_native.h>
#include <ATen/ops/neg_ops.h>
#include <ATen/ops/reciprocal_native.h>
#include <ATen/ops/reciprocal_ops.h>
#include <ATen/ops/relu_ops.h>
#include <ATen/ops/result_type_native.h>
#else

namespace at {

namespace _ops {

OPERATOR(neg, Tensor, (const Tensor& self));
OPERATOR(neg_, Tensor&, (Tensor & self));
OPERATOR(neg_out, Tensor&, (const Tensor& self, Tensor& out));
OPERATOR(reciprocal, Tensor, (const Tensor& self));
OPERATOR(reciprocal_, Tensor&, (Tensor & self));
OPERATOR(reciprocal_out, Tensor&, (const Tensor& self, Tensor& out));
OPERATOR(clamp_min, Tensor, (const Tensor& self, const Scalar& min));
OPERATOR(clamp_min_, Tensor&, (Tensor & self, const Scalar& min));
OPERATOR(clamp_min_out, Tensor&, (const Tensor& self, const Scalar& min, Tensor& out));
OPERATOR(relu, Tensor, (const Tensor& self));
OPERATOR(relu_, Tensor&, (Tensor & self));

}  // namespace _ops

namespace meta {

struct TORCH_API structured_neg : public TensorIteratorBase {
  void meta(const Tensor& self);
};

struct TORCH_API structured_reciprocal : public TensorIteratorBase {
  void meta(const Tensor& self);
};

struct TORCH_API structured_clamp_min : public TensorIteratorBase {
  void meta(const Tensor& self, const Scalar& min);
};

}  // namespace meta

namespace native {

// The type that a tensor and a number meet in.
ScalarType result_type(const Tensor& tensor, const Scalar& number);

struct TORCH_API structured_neg_out : public at::meta::structured_neg {
  void impl(const Tensor& self, const Tensor& out);
};

struct TORCH_API structured_reciprocal_out : public at::meta::structured_reciprocal {
  void impl(const Tensor& self, const Tensor& out);
};

struct TORCH_API structured_clamp_min_out : public at::meta::structured_clamp_min {
  void impl(const Tensor& self, const Scalar& min, const Tensor& out);
};

}  // namespace native

}  // namespace at

#endif
