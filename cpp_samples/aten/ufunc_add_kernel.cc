// The loop of `add`, in a file that is compiled three times.
//
// Processors differ in how many numbers they can add at once, so PyTorch's build makes three
// sources of this one and compiles each for another processor. Their only other difference is what
// CPU_CAPABILITY stands for, and thereby the slot of the stub that the last line fills.
//
// compile_commands.json has the three: `unfold kernels -p cpp_samples/aten` reads them all. Without
// such flags, the file is taken for the first.
#if !defined(CPU_CAPABILITY)
#define CPU_CAPABILITY DEFAULT
#define CPU_CAPABILITY_DEFAULT
#endif

#include "dispatch.h"
#include "dispatch_stub.h"
#include "loops.h"
#include "ufunc.h"

namespace at {

namespace native {

// Without a name, since each of the three has a function that is called so.
namespace {

// self + alpha * other, for each type that can be added. For a bool there is no vector form.
void add_kernel(TensorIteratorBase& iter, const at::Scalar& alpha) {
  AT_DISPATCH_SWITCH(
      iter.common_dtype(), "add_stub",
      AT_DISPATCH_CASE(at::ScalarType::Bool, [&]() {
        auto one = alpha.to<scalar_t>();
        cpu_kernel(
            iter, [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); });
      })
      AT_DISPATCH_CASE(at::ScalarType::Byte, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::Char, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::Int, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::Long, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::Short, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::Float, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::Double, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::ComplexFloat, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::ComplexDouble, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::BFloat16, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::Half, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      })
      AT_DISPATCH_CASE(at::ScalarType::ComplexHalf, [&]() {
        auto one = alpha.to<scalar_t>();
        auto all = at::vec::Vectorized<scalar_t>(one);
        cpu_kernel_vec(
            iter,
            [=](scalar_t self, scalar_t other) { return ufunc::add(self, other, one); },
            [=](at::vec::Vectorized<scalar_t> self, at::vec::Vectorized<scalar_t> other) {
              return ufunc::add(self, other, all);
            });
      }));
}

}  // namespace

using add_fn = void (*)(TensorIteratorBase&, const at::Scalar&);
DECLARE_DISPATCH(add_fn, add_stub)
REGISTER_DISPATCH(add_stub, &add_kernel)

}  // namespace native

}  // namespace at
