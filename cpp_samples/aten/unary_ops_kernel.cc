// The loops of `neg`, `reciprocal` and `clamp_min`, and so of `relu`, for each type that they take.
//
// Compiled three times, as ufunc_add_kernel.cc is, which says why.
#if !defined(CPU_CAPABILITY)
#define CPU_CAPABILITY DEFAULT
#define CPU_CAPABILITY_DEFAULT
#endif

#include "dispatch.h"
#include "dispatch_stub.h"
#include "loops.h"

namespace at {

namespace native {

namespace {

// What has no sign wraps around: of a uint8_t, -1 is 255.
void neg_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
      at::ScalarType::BFloat16, at::ScalarType::Half, at::ScalarType::ComplexHalf,
      iter.common_dtype(), "neg_cpu", [&]() {
        cpu_kernel_vec(
            iter,
            [=](scalar_t self) -> scalar_t { return -self; },
            [=](at::vec::Vectorized<scalar_t> self) { return self.neg(); });
      });
}

void reciprocal_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(
      at::ScalarType::BFloat16, at::ScalarType::Half, iter.common_dtype(), "reciprocal_cpu", [&]() {
        cpu_kernel_vec(
            iter,
            [=](scalar_t self) -> scalar_t { return 1 / self; },
            [=](at::vec::Vectorized<scalar_t> self) { return self.reciprocal(); });
      });
}

// Compared so that what is no number stays: nothing is less than it.
void clamp_min_kernel(TensorIteratorBase& iter, Scalar min) {
  AT_DISPATCH_ALL_TYPES_AND2(
      at::ScalarType::BFloat16, at::ScalarType::Half, iter.common_dtype(), "clamp_min_scalar_cpu",
      [&]() {
        const auto bound = min.to<scalar_t>();
        const auto all = at::vec::Vectorized<scalar_t>(bound);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self) -> scalar_t { return self < bound ? bound : self; },
            [=](at::vec::Vectorized<scalar_t> self) { return at::vec::clamp_min(self, all); });
      });
}

}  // namespace

using unary_fn = void (*)(TensorIteratorBase&);
using clamp_fn = void (*)(TensorIteratorBase&, Scalar);
DECLARE_DISPATCH(unary_fn, neg_stub)
DECLARE_DISPATCH(unary_fn, reciprocal_stub)
DECLARE_DISPATCH(clamp_fn, clamp_min_scalar_stub)
REGISTER_DISPATCH(neg_stub, &neg_kernel)
REGISTER_DISPATCH(reciprocal_stub, &reciprocal_kernel)
REGISTER_DISPATCH(clamp_min_scalar_stub, &clamp_min_kernel)

}  // namespace native

}  // namespace at
