// The small macros that PyTorch's registrations stand on: glueing, quoting, numbering, and checks.
//
// Most come in pairs. `##` and `#` take their operand as it is written, so a macro that is to glue
// or quote the *value* of its argument hands it to a second one first: on the way, it is expanded.
#pragma once

#define C10_CONCATENATE_IMPL(s1, s2) s1##s2
#define C10_CONCATENATE(s1, s2) C10_CONCATENATE_IMPL(s1, s2)

#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)

// A number that no other place of the file gets.
#ifdef __COUNTER__
#define C10_UID __COUNTER__
#else
#define C10_UID __LINE__
#endif

// --- What is seen from other libraries ---------------------------------------------------------

#ifdef _WIN32
#if defined(C10_BUILD_SHARED_LIBS)
#define C10_EXPORT __declspec(dllexport)
#define C10_IMPORT __declspec(dllimport)
#else
#define C10_EXPORT
#define C10_IMPORT
#endif
#else
#if defined(__GNUC__)
#define C10_EXPORT __attribute__((__visibility__("default")))
#else
#define C10_EXPORT
#endif
#define C10_IMPORT C10_EXPORT
#endif

#ifdef CAFFE2_BUILD_MAIN_LIB
#define TORCH_API C10_EXPORT
#else
#define TORCH_API C10_IMPORT
#endif

// --- Warnings, switched off for a few lines ----------------------------------------------------

// _Pragma takes a string; quoting the words of a #pragma makes it.
#define _C10_PRAGMA__(string) _Pragma(#string)
#define _C10_PRAGMA_(string) _C10_PRAGMA__(string)

#ifdef __clang__
#define C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(warning)                                       \
  _C10_PRAGMA_(clang diagnostic push)                                                             \
  _C10_PRAGMA_(clang diagnostic ignored "-Wunknown-warning-option")                               \
  _C10_PRAGMA_(clang diagnostic ignored warning)
#define C10_DIAGNOSTIC_POP() _C10_PRAGMA_(clang diagnostic pop)
#elif __GNUC__
#define C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(warning)                                       \
  _C10_PRAGMA_(GCC diagnostic push)                                                               \
  _C10_PRAGMA_(GCC diagnostic ignored "-Wpragmas")                                                \
  _C10_PRAGMA_(GCC diagnostic ignored warning)
#define C10_DIAGNOSTIC_POP() _C10_PRAGMA_(GCC diagnostic pop)
#else
#define C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(warning)
#define C10_DIAGNOSTIC_POP()
#endif

// --- Checks ------------------------------------------------------------------------------------

// Hints for the compiler: which way an `if` will hardly ever go.
#if defined(__GNUC__) || defined(__ICL) || defined(__clang__)
#define C10_LIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 1))
#define C10_UNLIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 0))
#else
#define C10_LIKELY(expr) (expr)
#define C10_UNLIKELY(expr) (expr)
#endif
// CUDA's compiler is to see that a constant is one.
#if defined(__CUDACC__)
#define C10_UNLIKELY_OR_CONST(e) e
#else
#define C10_UNLIKELY_OR_CONST(e) C10_UNLIKELY(e)
#endif

// Without a message of its own, a check that fails quotes its condition: that is the `#cond`.
#define TORCH_CHECK_MSG(cond, type, ...)                                                          \
  (::c10::detail::torchCheckMsgImpl(                                                              \
      "Expected " #cond " to be true, but got false.  "                                           \
      "(Could this error message be improved?  If so, "                                           \
      "please report an enhancement request to PyTorch.)",                                        \
      ##__VA_ARGS__))

#define TORCH_CHECK(cond, ...)                                                                    \
  if (C10_UNLIKELY_OR_CONST(!(cond))) {                                                           \
    ::c10::detail::torchCheckFail(                                                                \
        __func__, __FILE__, static_cast<uint32_t>(__LINE__),                                      \
        TORCH_CHECK_MSG(cond, "", ##__VA_ARGS__));                                                \
  }

#define C10_THROW_ERROR(err_type, msg)                                                            \
  throw ::c10::err_type({__func__, __FILE__, static_cast<uint32_t>(__LINE__)}, msg)

#define TORCH_CHECK_WITH_MSG(error_t, cond, type, ...)                                            \
  if (C10_UNLIKELY_OR_CONST(!(cond))) {                                                           \
    C10_THROW_ERROR(error_t, TORCH_CHECK_MSG(cond, type, __VA_ARGS__));                           \
  }

#define TORCH_CHECK_VALUE(cond, ...)                                                              \
  TORCH_CHECK_WITH_MSG(ValueError, cond, "VALUE", __VA_ARGS__)

#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...)                                                    \
  TORCH_CHECK_WITH_MSG(NotImplementedError, cond, "TYPE", __VA_ARGS__)
