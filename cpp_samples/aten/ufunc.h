// What `add` computes: for one element of each input, and for a vector of them.
#pragma once

#include "loops.h"

namespace at::native::ufunc {

template <typename T>
T add(T self, T other, T alpha) {
  return self + alpha * other;
}

#if !defined(__CUDACC__) && !defined(__HIPCC__)
template <typename T>
vec::Vectorized<T> add(
    vec::Vectorized<T> self, vec::Vectorized<T> other, vec::Vectorized<T> alpha) {
  return vec::fmadd(other, alpha, self);
}
#endif

}  // namespace at::native::ufunc
