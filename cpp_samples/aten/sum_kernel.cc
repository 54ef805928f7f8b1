// The loop of `sum`, for each type that it takes.
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

// Sums of sums, so that no number is added to one so much larger that its digits are lost; those of
// 16 bits are summed as floats. The loop, elsewhere.
template <bool ignore_nan, typename scalar_t>
void cascade_sum(TensorIterator& iter);

namespace {

// Of integers every sum is exact, in whatever order; the iterator's common reduction will do.
void sum_kernel(TensorIterator& iter) {
  const ScalarType dtype = iter.dtype();
  if (isIntegralType(dtype, /*includeBool=*/true)) {
    AT_DISPATCH_INTEGRAL_TYPES_AND(at::ScalarType::Bool, dtype, "sum_cpu", [&] {
      binary_kernel_reduce_vec(
          iter,
          [=](scalar_t a, scalar_t b) -> scalar_t { return a + b; },
          [=](at::vec::Vectorized<scalar_t> a, at::vec::Vectorized<scalar_t> b) { return a + b; });
    });
    return;
  }
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(
      at::ScalarType::BFloat16, at::ScalarType::Half, dtype, "sum_cpu",
      [&] { cascade_sum</*ignore_nan=*/false, scalar_t>(iter); });
}

}  // namespace

using reduce_fn = void (*)(TensorIterator&);
DECLARE_DISPATCH(reduce_fn, sum_stub)
REGISTER_DISPATCH(sum_stub, &sum_kernel)

}  // namespace native

}  // namespace at
