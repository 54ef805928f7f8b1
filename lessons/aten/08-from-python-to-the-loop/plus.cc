// An operator of two forms, of which one is not known yet.
#include "library.h"

namespace {

at::Tensor plus(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  return self.add(other, alpha);
}

at::Tensor& plus_(at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha);

}  // namespace

TORCH_LIBRARY(lesson, m) {
  m.def("plus.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
}

TORCH_LIBRARY_IMPL(lesson, CPU, m) {
  m.impl("plus.Tensor", TORCH_FN(plus));
}
