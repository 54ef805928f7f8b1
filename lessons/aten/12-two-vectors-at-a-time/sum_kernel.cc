// The kernel of add, for one type.
#include "dispatch.h"
#include "loops.h"
#include "ufunc.h"

namespace at::native {

void add_kernel(TensorIteratorBase& iter, const at::Scalar& alpha) {
  AT_DISPATCH_SWITCH(
      iter.common_dtype(), "add_stub",
      AT_DISPATCH_CASE(at::ScalarType::Int, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) {
              return ufunc::add(self, other, one);
            },
            [=](vec::Vectorized<scalar_t> self,
                vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      }));
}

}  // namespace at::native
