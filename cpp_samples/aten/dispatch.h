// From a type that is known when the program runs to one that is known when it is compiled.
//
// A tensor says what its elements are by an enumerator; a loop over them has to be compiled for a
// C++ type. So there is a `switch` with a case for each type, and in each case the same code, in
// which `scalar_t` is another type. These macros write the switch around your code, a lambda.
//
//   AT_DISPATCH_ALL_TYPES(iter.dtype(), "name", [&] { … scalar_t … })     a list of types
//     AT_DISPATCH_SWITCH(type, "name", cases)                             the switch
//       AT_DISPATCH_CASE(at::ScalarType::Int, lambda)                     a case
//
// Names, parameters and replacements are those of PyTorch 2.13, which has longer lists yet. Where
// its own headers are on the include path (`--torch`), they are taken instead of this one.
#pragma once

#if __has_include(<ATen/Dispatch.h>)
#include <ATen/Dispatch.h>
#else

#include "aten.h"
#include "macros.h"

// --- One switch ---------------------------------------------------------------------------------

// Both a case and the switch are written so that other libraries can use them, which bring their
// own check at the beginning (PRELUDE) and their own way to report an error.
#define THO_PRIVATE_CASE_TYPE_USING_HINT_TMPL(PRELUDE, enum_type, HINT, ...)                      \
  case enum_type: {                                                                               \
    PRELUDE(enum_type);                                                                           \
    using HINT [[maybe_unused]] = torch::headeronly::impl::ScalarTypeToCPPTypeT<enum_type>;       \
    return __VA_ARGS__();                                                                         \
  }

// The whole is a lambda that is called at once, so that it is an expression: a case's `return`
// leaves the switch, and not the kernel.
#define THO_DISPATCH_SWITCH_TMPL(PRELUDE, CHECK_NOT_IMPLEMENTED, TYPE, NAME, ...)                 \
  [&] {                                                                                           \
    const auto& the_type = TYPE;                                                                  \
    constexpr const char* at_dispatch_name = NAME;                                                \
    torch::headeronly::ScalarType _st = ::detail::scalar_type(the_type);                          \
    PRELUDE(at_dispatch_name, _st);                                                               \
    C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED("-Wswitch-enum")                                   \
    switch (_st) {                                                                                \
      __VA_ARGS__                                                                                 \
      default:                                                                                    \
        CHECK_NOT_IMPLEMENTED(                                                                    \
            false, '"', at_dispatch_name, "\" not implemented for '",                             \
            torch::headeronly::toString(_st), "'");                                               \
    }                                                                                             \
    C10_DIAGNOSTIC_POP()                                                                          \
  }()

// The macros that PyTorch's own kernels use. A build that notes which types are used puts something
// else into the first.
#define RECORD_KERNEL_FUNCTION_DTYPE(NAME, enum_type)

#define AT_PRIVATE_CHECK_SELECTIVE_BUILD(enum_type)                                               \
  do {                                                                                            \
    if constexpr (!at::should_include_kernel_dtype(at_dispatch_name, enum_type)) {                \
      TORCH_CHECK(                                                                                \
          false, "dtype '", toString(enum_type), "' not selected for kernel tag ",                \
          at_dispatch_name);                                                                      \
    }                                                                                             \
  } while (0)

#define AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, HINT, ...)                                     \
  THO_PRIVATE_CASE_TYPE_USING_HINT_TMPL(                                                          \
      AT_PRIVATE_CHECK_SELECTIVE_BUILD, enum_type, HINT, __VA_ARGS__)

#define AT_DISPATCH_CASE(enum_type, ...)                                                          \
  AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, scalar_t, __VA_ARGS__)

#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                       \
  THO_DISPATCH_SWITCH_TMPL(                                                                       \
      RECORD_KERNEL_FUNCTION_DTYPE, TORCH_CHECK_NOT_IMPLEMENTED, TYPE, NAME, __VA_ARGS__)

// --- Lists of types -----------------------------------------------------------------------------

// Each comes in two forms: the cases, and the switch with nothing but these cases. The lambda is
// written down once and stands in the result as often as there are types: that is why it must be
// the same text for all of them.
#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                                                      \
  AT_DISPATCH_CASE(at::ScalarType::Double, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(at::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                                               \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...)                                              \
  AT_DISPATCH_CASE(at::ScalarType::Half, __VA_ARGS__)                                             \
  AT_DISPATCH_CASE(at::ScalarType::BFloat16, __VA_ARGS__)
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...)                                       \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)                                                      \
  AT_DISPATCH_CASE(at::ScalarType::Byte, __VA_ARGS__)                                             \
  AT_DISPATCH_CASE(at::ScalarType::Char, __VA_ARGS__)                                             \
  AT_DISPATCH_CASE(at::ScalarType::Int, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(at::ScalarType::Long, __VA_ARGS__)                                             \
  AT_DISPATCH_CASE(at::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...)                                               \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_COMPLEX_TYPES(...)                                                       \
  AT_DISPATCH_CASE(at::ScalarType::ComplexDouble, __VA_ARGS__)                                    \
  AT_DISPATCH_CASE(at::ScalarType::ComplexFloat, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES(TYPE, NAME, ...)                                                \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES(...)                                                           \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                                                    \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...)                                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(...)                                          \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                    \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(TYPE, NAME, ...)                                   \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(...)                                               \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                         \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(TYPE, NAME, ...)                                        \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__))

// --- What the cases name ------------------------------------------------------------------------

namespace torch::headeronly {

using c10::ScalarType;
using c10::toString;

namespace impl {

// From the enumerator to the C++ type.
template <ScalarType N>
struct ScalarTypeToCPPType;

// clang-format off
template <> struct ScalarTypeToCPPType<ScalarType::Byte> { using type = uint8_t; };
template <> struct ScalarTypeToCPPType<ScalarType::Char> { using type = int8_t; };
template <> struct ScalarTypeToCPPType<ScalarType::Short> { using type = int16_t; };
template <> struct ScalarTypeToCPPType<ScalarType::Int> { using type = int; };
template <> struct ScalarTypeToCPPType<ScalarType::Long> { using type = int64_t; };
template <> struct ScalarTypeToCPPType<ScalarType::Half> { using type = c10::Half; };
template <> struct ScalarTypeToCPPType<ScalarType::Float> { using type = float; };
template <> struct ScalarTypeToCPPType<ScalarType::Double> { using type = double; };
template <> struct ScalarTypeToCPPType<ScalarType::ComplexHalf> { using type = c10::complex<c10::Half>; };
template <> struct ScalarTypeToCPPType<ScalarType::ComplexFloat> { using type = c10::complex<float>; };
template <> struct ScalarTypeToCPPType<ScalarType::ComplexDouble> { using type = c10::complex<double>; };
template <> struct ScalarTypeToCPPType<ScalarType::Bool> { using type = bool; };
template <> struct ScalarTypeToCPPType<ScalarType::BFloat16> { using type = c10::BFloat16; };
template <> struct ScalarTypeToCPPType<ScalarType::UInt16> { using type = uint16_t; };
template <> struct ScalarTypeToCPPType<ScalarType::UInt32> { using type = uint32_t; };
template <> struct ScalarTypeToCPPType<ScalarType::UInt64> { using type = uint64_t; };
// clang-format on

template <ScalarType N>
using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<N>::type;

}  // namespace impl

}  // namespace torch::headeronly

namespace detail {

inline c10::ScalarType scalar_type(c10::ScalarType s) { return s; }

}  // namespace detail

namespace at {

// A build for phones may leave types out of a kernel. This one has them all.
inline constexpr bool should_include_kernel_dtype(const char*, at::ScalarType) { return true; }

}  // namespace at

// --- Lists with more types of your own ----------------------------------------------------------

#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(SCALARTYPE, ...)                                      \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                    \
  AT_DISPATCH_CASE(SCALARTYPE, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES_AND(SCALARTYPE, TYPE, NAME, ...)                               \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND(SCALARTYPE, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(SCALARTYPE1, SCALARTYPE2, ...)                       \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                    \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES_AND2(SCALARTYPE1, SCALARTYPE2, TYPE, NAME, ...)                \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND2(SCALARTYPE1, SCALARTYPE2,   \
      __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_TYPES_AND3(SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, ...)          \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                    \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE3, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES_AND3(SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, TYPE, NAME, ...)   \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND3(SCALARTYPE1, SCALARTYPE2,   \
      SCALARTYPE3, __VA_ARGS__))

#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND2(SCALARTYPE1, SCALARTYPE2, ...)           \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                                        \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(SCALARTYPE1, SCALARTYPE2, TYPE, NAME, ...)    \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND2(SCALARTYPE1,    \
      SCALARTYPE2, __VA_ARGS__))

#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND(SCALARTYPE, ...)                                      \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                                                    \
  AT_DISPATCH_CASE(SCALARTYPE, __VA_ARGS__)

#define AT_DISPATCH_INTEGRAL_TYPES_AND(SCALARTYPE, TYPE, NAME, ...)                               \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_AND(SCALARTYPE, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND(SCALARTYPE, ...)                                           \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                         \
  AT_DISPATCH_CASE(SCALARTYPE, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND(SCALARTYPE, TYPE, NAME, ...)                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND(SCALARTYPE, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND2(SCALARTYPE1, SCALARTYPE2, ...)                            \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                         \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND2(SCALARTYPE1, SCALARTYPE2, TYPE, NAME, ...)                     \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND2(SCALARTYPE1, SCALARTYPE2,        \
      __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND3(SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, ...)               \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                         \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE3, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND3(SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, TYPE, NAME, ...)        \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND3(SCALARTYPE1, SCALARTYPE2,        \
      SCALARTYPE3, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND(SCALARTYPE, ...)                               \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                             \
  AT_DISPATCH_CASE(SCALARTYPE, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(SCALARTYPE, TYPE, NAME, ...)                        \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND(SCALARTYPE,           \
      __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND2(SCALARTYPE1, SCALARTYPE2, ...)                \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                             \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(SCALARTYPE1, SCALARTYPE2, TYPE, NAME, ...)         \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND2(SCALARTYPE1,         \
      SCALARTYPE2, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND3(SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, ...)   \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                             \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE3, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(                                                   \
    SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, TYPE, NAME, ...)                                       \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND3(SCALARTYPE1,         \
      SCALARTYPE2, SCALARTYPE3, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND4(                                              \
    SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, ...)                                      \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                             \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE3, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE4, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(                                                   \
    SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, TYPE, NAME, ...)                          \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND4(SCALARTYPE1,         \
      SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND5(                                              \
    SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, ...)                         \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                             \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE3, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE4, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE5, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND5(                                                   \
    SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, TYPE, NAME, ...)             \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND5(SCALARTYPE1,         \
      SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND6(                                              \
    SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, SCALARTYPE6, ...)            \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                             \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE3, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE4, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE5, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE6, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND6(                                                   \
    SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, SCALARTYPE6, TYPE, NAME,     \
    ...)                                                                                          \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND6(SCALARTYPE1,         \
      SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, SCALARTYPE6, __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND7(                                              \
    SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, SCALARTYPE6, SCALARTYPE7,    \
    ...)                                                                                          \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                             \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE3, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE4, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE5, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE6, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE7, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND7(                                                   \
    SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, SCALARTYPE6, SCALARTYPE7,    \
    TYPE, NAME, ...)                                                                              \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND7(SCALARTYPE1,         \
      SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, SCALARTYPE6, SCALARTYPE7,               \
      __VA_ARGS__))

#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND8(                                              \
    SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, SCALARTYPE6, SCALARTYPE7,    \
    SCALARTYPE8, ...)                                                                             \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                             \
  AT_DISPATCH_CASE(SCALARTYPE1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE2, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE3, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE4, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE5, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE6, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE7, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(SCALARTYPE8, __VA_ARGS__)

#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND8(                                                   \
    SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, SCALARTYPE6, SCALARTYPE7,    \
    SCALARTYPE8, TYPE, NAME, ...)                                                                 \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND8(SCALARTYPE1,         \
      SCALARTYPE2, SCALARTYPE3, SCALARTYPE4, SCALARTYPE5, SCALARTYPE6, SCALARTYPE7, SCALARTYPE8,  \
      __VA_ARGS__))

#endif
