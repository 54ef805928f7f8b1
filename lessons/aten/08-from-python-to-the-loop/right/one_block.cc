#include "library.h"

namespace {

at::Tensor plus(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  return self.add(other, alpha);
}

at::Tensor& plus_(at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha);

}  // namespace

TORCH_LIBRARY(lesson, m) { m.def("plus.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"); m.def("plus_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)"); m.impl("plus.Tensor", c10::DispatchKey::CPU, plus); m.impl("plus_.Tensor", c10::DispatchKey::CPU, plus_); }
