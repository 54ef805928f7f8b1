// other - alpha * self.
#include "dispatch.h"
#include "dispatch_stub.h"
#include "loops.h"

namespace at::native {

using rsub_fn = void (*)(TensorIteratorBase&, const at::Scalar&);
DECLARE_DISPATCH(rsub_fn, rsub_stub)

namespace {

void rsub_kernel(TensorIteratorBase& iter, const at::Scalar& alpha) {
  AT_DISPATCH_SWITCH(
      iter.common_dtype(), "rsub_stub",
      AT_DISPATCH_CASE(at::ScalarType::Float, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter, [=](scalar_t self, scalar_t other) { return other - one * self; },
            [=](vec::Vectorized<scalar_t> self, vec::Vectorized<scalar_t> other) {
              return other - all * self;
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::Int, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter, [=](scalar_t self, scalar_t other) { return other - one * self; },
            [=](vec::Vectorized<scalar_t> self, vec::Vectorized<scalar_t> other) {
              return other - all * self;
            });
      }));
}

}  // namespace

REGISTER_ARCH_DISPATCH(rsub_stub, DEFAULT, &rsub_kernel)

}  // namespace at::native
