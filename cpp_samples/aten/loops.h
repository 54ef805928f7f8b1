// The loops that elementwise kernels hand their arithmetic to, without their bodies: here it
// matters what they are given.
#pragma once

#include "tensor_meta.h"

#if __has_include(<ATen/native/cpu/Loops.h>)
#include <c10/core/Scalar.h>
#if defined(CPU_CAPABILITY)
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/cpu/Reduce.h>
#endif
#else

namespace at {

namespace vec {

// As many elements as fit into one register of the processor: 16 bytes of them, 32 with AVX2, 64
// with AVX-512.
template <typename T>
class Vectorized {
 public:
  Vectorized(T val);
  Vectorized exp() const;
  Vectorized operator-() const;
  Vectorized operator+(const Vectorized& other) const;
  Vectorized operator-(const Vectorized& other) const;
  Vectorized operator*(const Vectorized& other) const;
  Vectorized operator/(const Vectorized& other) const;
  Vectorized neg() const;
  Vectorized reciprocal() const;
};

// a * b + c, with one rounding where the processor can.
template <typename T>
Vectorized<T> fmadd(const Vectorized<T>& a, const Vectorized<T>& b, const Vectorized<T>& c);

// The larger of the two, element by element; what is no number stays so.
template <typename T>
Vectorized<T> clamp_min(const Vectorized<T>& a, const Vectorized<T>& min);

}  // namespace vec

namespace native {

// They go over all elements; op takes one of each input. The second form has vop as well, which
// takes a vector of each, and is used wherever they lie side by side.
template <typename func_t>
void cpu_kernel(TensorIteratorBase&, func_t&&) {}
template <typename func_t, typename vec_func_t>
void cpu_kernel_vec(TensorIteratorBase&, func_t&&, vec_func_t&&) {}

// A reduction: op takes what came out so far and one element more, and is used to join two results.
template <typename func_t, typename vec_func_t>
void binary_kernel_reduce_vec(
    TensorIteratorBase&, func_t op, vec_func_t vop, double ident = 0) {}

}  // namespace native

}  // namespace at

#endif

namespace at::native {

// For a device: a thread for every few elements.
template <typename func_t>
void gpu_kernel(TensorIteratorBase&, const func_t&) {}

}  // namespace at::native
