// The element types that phi.h names and C++17 has no word for, and what else it only declares.
//
// float16 and bfloat16 count as a float does, and are rounded to nearest, ties to even, when a value is
// kept. They are made of integers: clang 14 has no _Float16 for every processor. complex divides as C++
// without infinities does: (a + bi)(c - di) / (c² + d²).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../words.h"
#include "struct_kernel.h"

namespace unfold {

// IEEE binary16, and any other small float: `exponent` and `mantissa` bits behind a sign.
template <int exponent, int mantissa, bool infinities>
inline float SmallToFloat(uint32_t bits) {
  constexpr int bias = (1 << (exponent - 1)) - 1, top = (1 << exponent) - 1;
  const uint32_t sign = bits >> (exponent + mantissa) << 31;
  const int power = static_cast<int>(bits >> mantissa & top);
  const uint32_t rest = bits & ((1u << mantissa) - 1);
  float value;
  if (power == top && infinities) {
    value = rest ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
  } else if (power == top && rest == (1u << mantissa) - 1) {
    value = std::numeric_limits<float>::quiet_NaN();
  } else if (power == 0) {
    value = std::ldexp(static_cast<float>(rest), 1 - bias - mantissa);
  } else {
    value = Bits<float>(static_cast<uint32_t>(power - bias + 127) << 23 | rest << (23 - mantissa));
  }
  return Bits<float>(Bits<uint32_t>(value) | sign);
}

template <int exponent, int mantissa, bool infinities>
inline uint32_t FloatToSmall(float value) {
  constexpr int bias = (1 << (exponent - 1)) - 1;
  constexpr uint32_t top = (1u << exponent) - 1;
  constexpr uint32_t nan = top << mantissa | (infinities ? 1u << (mantissa - 1) : (1u << mantissa) - 1);
  constexpr uint32_t over = infinities ? top << mantissa : nan;
  const uint32_t bits = Bits<uint32_t>(value), sign = bits >> 31 << (exponent + mantissa);
  const uint32_t size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return sign | nan;
  if (size == 0x7f800000u) return sign | over;
  const int power = static_cast<int>(size >> 23) - 127 + bias;
  uint32_t whole = (size & 0x7fffffu) | (size >> 23 ? 0x800000u : 0u);
  int drop = 23 - mantissa;
  if (power <= 0) drop += 1 - power;
  if (drop > 25) return sign;
  const uint32_t half = 1u << (drop - 1), low = whole & ((1u << drop) - 1);
  whole >>= drop;
  if (low > half || (low == half && (whole & 1))) ++whole;
  const uint32_t made = power <= 0 ? whole : whole + (static_cast<uint32_t>(power - 1) << mantissa);
  return sign | (made >= over ? over : made);
}

}  // namespace unfold

namespace phi {
namespace dtype {

#define UNFOLD_SMALL_FLOAT(name, storage, exponent, mantissa, infinities)                         \
  class name {                                                                                    \
   public:                                                                                        \
    name() = default;                                                                             \
    template <typename N, typename = std::enable_if_t<std::is_arithmetic_v<N>>>                   \
    explicit name(N value)                                                                        \
        : x(static_cast<storage>(unfold::FloatToSmall<exponent, mantissa, infinities>(            \
              static_cast<float>(value)))) {}                                                     \
    template <typename N, typename = std::enable_if_t<std::is_arithmetic_v<N>>>                   \
    name& operator=(N value) { return *this = name(value); }                                      \
    operator float() const { return unfold::SmallToFloat<exponent, mantissa, infinities>(x); }    \
    name& operator+=(name o) { return *this = name(float(*this) + float(o)); }                    \
    name& operator-=(name o) { return *this = name(float(*this) - float(o)); }                    \
    name& operator*=(name o) { return *this = name(float(*this) * float(o)); }                    \
    name& operator/=(name o) { return *this = name(float(*this) / float(o)); }                    \
    storage x = 0;                                                                                \
  };                                                                                              \
  inline name operator+(name a, name b) { return name(float(a) + float(b)); }                     \
  inline name operator-(name a, name b) { return name(float(a) - float(b)); }                     \
  inline name operator*(name a, name b) { return name(float(a) * float(b)); }                     \
  inline name operator/(name a, name b) { return name(float(a) / float(b)); }                     \
  inline name operator-(name a) { return name(-float(a)); }

UNFOLD_SMALL_FLOAT(float16, uint16_t, 5, 10, true)
UNFOLD_SMALL_FLOAT(bfloat16, uint16_t, 8, 7, true)
UNFOLD_SMALL_FLOAT(float8_e4m3fn, uint8_t, 4, 3, false)
UNFOLD_SMALL_FLOAT(float8_e5m2, uint8_t, 5, 2, true)
#undef UNFOLD_SMALL_FLOAT

class pstring : public std::string {
  using std::string::string;
};

template <typename T>
class complex {
 public:
  T real, imag;
  complex() = default;
  complex(T re, T im) : real(re), imag(im) {}
  template <typename N, typename = std::enable_if_t<std::is_arithmetic_v<N>>>
  complex(N re) : real(static_cast<T>(re)), imag(0) {}
  template <typename U>
  explicit complex(const complex<U>& o) : real(static_cast<T>(o.real)), imag(static_cast<T>(o.imag)) {}
  complex& operator+=(const complex& o) { return *this = *this + o; }
  complex& operator-=(const complex& o) { return *this = *this - o; }
  complex& operator*=(const complex& o) { return *this = *this * o; }
  complex& operator/=(const complex& o) { return *this = *this / o; }
  friend complex operator+(const complex& a, const complex& b) {
    return {a.real + b.real, a.imag + b.imag};
  }
  friend complex operator-(const complex& a, const complex& b) {
    return {a.real - b.real, a.imag - b.imag};
  }
  friend complex operator*(const complex& a, const complex& b) {
    return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
  }
  friend complex operator/(const complex& a, const complex& b) {
    const T size = b.real * b.real + b.imag * b.imag;
    return {(a.real * b.real + a.imag * b.imag) / size, (a.imag * b.real - a.real * b.imag) / size};
  }
  friend complex operator-(const complex& a) { return {-a.real, -a.imag}; }
  friend bool operator==(const complex& a, const complex& b) {
    return a.real == b.real && a.imag == b.imag;
  }
  friend bool operator!=(const complex& a, const complex& b) { return !(a == b); }
};

}  // namespace dtype
}  // namespace phi

namespace paddle {

template <typename T>
class optional {
 public:
  optional() = default;
  optional(T value) : value_(std::move(value)), there_(true) {}
  explicit operator bool() const { return there_; }
  bool is_initialized() const { return there_; }
  const T& get() const { return value_; }
  const T* get_ptr() const { return there_ ? &value_ : nullptr; }
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }

 private:
  T value_{};
  bool there_ = false;
};

}  // namespace paddle
