// A kernel that is worth a version for AVX-512, and a switch written by a list of types.
//
// ufunc_add_kernel.cc says REGISTER_DISPATCH, and leaves the slot of AVX-512 empty. This file fills
// it: an exponential takes a processor many steps, so that twice as many elements at once do pay.
// It, too, is compiled three times.
#if !defined(CPU_CAPABILITY)
#define CPU_CAPABILITY DEFAULT
#define CPU_CAPABILITY_DEFAULT
#endif

#include "dispatch.h"
#include "dispatch_stub.h"
#include "loops.h"

namespace at {

namespace native {

using unary_fn = void (*)(TensorIteratorBase&);
DECLARE_DISPATCH(unary_fn, exp_stub)

namespace {

// The list's four types: double and float, and the two that are named here.
void exp_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING_TYPES_AND2(
      at::ScalarType::BFloat16, at::ScalarType::Half, iter.common_dtype(), "exp_cpu", [&] {
        cpu_kernel_vec(
            iter,
            [](scalar_t x) { return static_cast<scalar_t>(std::exp(static_cast<double>(x))); },
            [](at::vec::Vectorized<scalar_t> x) { return x.exp(); });
      });
}

}  // namespace

ALSO_REGISTER_AVX512_DISPATCH(exp_stub, &exp_kernel)

}  // namespace native

}  // namespace at
