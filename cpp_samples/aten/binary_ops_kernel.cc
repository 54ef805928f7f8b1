// The loops of `mul` and `div`, for each type that they take. `sub` goes through that of `add`.
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

// Of two bools it is `and`. Where numbers of 16 bits are all multiplied by one, that one keeps the
// digits that it had before it was made one of them, and each product is rounded once.
void mul_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == ScalarType::Bool) {
    cpu_kernel(iter, [=](bool self, bool other) -> bool { return self && other; });
  } else if (isReducedFloatingType(dtype) && iter.is_scalar(2)) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, "mul_cpu_reduced_float", [&]() {
      const float other = iter.original_scalar_value<float>(2);
      iter.remove_operand(2);
      cpu_kernel(iter, [=](scalar_t self) -> scalar_t {
        return static_cast<scalar_t>(static_cast<float>(self) * other);
      });
    });
  } else {
    AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
        at::ScalarType::BFloat16, at::ScalarType::Half, at::ScalarType::ComplexHalf, dtype,
        "mul_cpu", [&]() {
          cpu_kernel_vec(
              iter,
              [=](scalar_t self, scalar_t other) -> scalar_t { return self * other; },
              [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
                return self * other;
              });
        });
  }
}

// Integers were made floats when the iterator was built.
void div_true_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (isReducedFloatingType(dtype) && iter.is_scalar(2)) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, "div_cpu_reduced_float", [&]() {
      const float other = iter.original_scalar_value<float>(2);
      iter.remove_operand(2);
      cpu_kernel(iter, [=](scalar_t self) -> scalar_t {
        return static_cast<scalar_t>(static_cast<float>(self) / other);
      });
    });
  } else {
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(
        at::ScalarType::BFloat16, at::ScalarType::Half, dtype, "div_cpu", [&]() {
          cpu_kernel_vec(
              iter,
              [=](scalar_t self, scalar_t other) -> scalar_t { return self / other; },
              [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
                return self / other;
              });
        });
  }
}

}  // namespace

using binary_fn = void (*)(TensorIteratorBase&);
DECLARE_DISPATCH(binary_fn, mul_stub)
DECLARE_DISPATCH(binary_fn, div_true_stub)
REGISTER_DISPATCH(mul_stub, &mul_kernel)
REGISTER_DISPATCH(div_true_stub, &div_true_kernel)

}  // namespace native

}  // namespace at
