// Fluid's checks: what two values should be to one another, and what to say if they aren't.
//
// PADDLE_ENFORCE_EQ(a, b, error) writes its own arguments down twice, once as C++ and once, by `#`, as
// text. So a failed check can say what it wanted, in the words of the source, and what it got instead:
// "[Hint: Expected x_dims.size() >= 2, but received x_dims.size():1 < 2:2.]".
//
// Names, parameters and replacements are Paddle's (paddle/common/enforce.h of 3.3.1, and OP_INOUT_CHECK
// of paddle/fluid/platform/enforce.h). Before PHI the names in them were paddle::platform's.
#pragma once

#include "../phi/phi.h"

#define PADDLE_ENFORCE_EQ(__VAL0, __VAL1, ...)                                                    \
  __PADDLE_BINARY_COMPARE(__VAL0, __VAL1, ==, !=, __VA_ARGS__)
#define PADDLE_ENFORCE_NE(__VAL0, __VAL1, ...)                                                    \
  __PADDLE_BINARY_COMPARE(__VAL0, __VAL1, !=, ==, __VA_ARGS__)
#define PADDLE_ENFORCE_GT(__VAL0, __VAL1, ...)                                                    \
  __PADDLE_BINARY_COMPARE(__VAL0, __VAL1, >, <=, __VA_ARGS__)
#define PADDLE_ENFORCE_GE(__VAL0, __VAL1, ...)                                                    \
  __PADDLE_BINARY_COMPARE(__VAL0, __VAL1, >=, <, __VA_ARGS__)
#define PADDLE_ENFORCE_LT(__VAL0, __VAL1, ...)                                                    \
  __PADDLE_BINARY_COMPARE(__VAL0, __VAL1, <, >=, __VA_ARGS__)
#define PADDLE_ENFORCE_LE(__VAL0, __VAL1, ...)                                                    \
  __PADDLE_BINARY_COMPARE(__VAL0, __VAL1, <=, >, __VA_ARGS__)

#define __PADDLE_BINARY_COMPARE(__VAL1, __VAL2, __CMP, __INV_CMP, ...)                            \
  do {                                                                                            \
    auto __val1 = (__VAL1);                                                                       \
    auto __val2 = (__VAL2);                                                                       \
    using __TYPE1__ = decltype(__val1);                                                           \
    using __TYPE2__ = decltype(__val2);                                                           \
    using __COMMON_TYPE1__ = ::common::enforce::CommonType1<__TYPE1__, __TYPE2__>;                \
    using __COMMON_TYPE2__ = ::common::enforce::CommonType2<__TYPE1__, __TYPE2__>;                \
    bool __is_not_error = (static_cast<__COMMON_TYPE1__>(__val1))__CMP(                           \
        static_cast<__COMMON_TYPE2__>(__val2));                                                   \
    if (UNLIKELY(!__is_not_error)) {                                                              \
      auto __summary__ = ::common::ErrorSummary(__VA_ARGS__);                                     \
      constexpr bool __kCanToString__ =                                                           \
          ::common::details::CanToString<__TYPE1__>::kValue &&                                    \
          ::common::details::CanToString<__TYPE2__>::kValue;                                      \
      auto __message__ = ::paddle::string::Sprintf(                                               \
          "%s\n  [Hint: Expected %s " #__CMP                                                      \
          " %s, but received %s " #__INV_CMP " %s.]",                                             \
          __summary__.error_message(),                                                            \
          #__VAL1,                                                                                \
          #__VAL2,                                                                                \
          ::common::details::BinaryCompareMessageConverter<                                       \
              __kCanToString__>::Convert(#__VAL1, __val1),                                        \
          ::common::details::BinaryCompareMessageConverter<                                       \
              __kCanToString__>::Convert(#__VAL2, __val2));                                       \
      __THROW_ERROR_INTERNAL__(                                                                   \
          ::common::ErrorSummary(__summary__.code(), std::move(__message__)));                    \
    }                                                                                             \
  } while (0)

#define __THROW_ERROR_INTERNAL__(__ERROR_SUMMARY)                                                 \
  do {                                                                                            \
    HANDLE_THE_ERROR                                                                              \
    throw ::common::enforce::EnforceNotMet(__ERROR_SUMMARY, __FILE__, __LINE__);                  \
    END_HANDLE_THE_ERROR                                                                          \
  } while (0)

#define PADDLE_THROW(...)                                                                         \
  do {                                                                                            \
    HANDLE_THE_ERROR                                                                              \
    throw ::common::enforce::EnforceNotMet(                                                       \
        ::common::ErrorSummary(__VA_ARGS__), __FILE__, __LINE__);                                 \
    END_HANDLE_THE_ERROR                                                                          \
  } while (0)

// For Windows, where an exception's text doesn't get out by itself.
#define HANDLE_THE_ERROR
#define END_HANDLE_THE_ERROR

#define UNLIKELY(condition) __builtin_expect(static_cast<bool>(condition), 0)

// What nearly every InferShape began with: is there anything under this name?
#define OP_INOUT_CHECK(__EXPR, __ROLE, __NAME, __OP_TYPE)                                         \
  do {                                                                                            \
    PADDLE_ENFORCE_EQ(                                                                            \
        __EXPR,                                                                                   \
        true,                                                                                     \
        phi::errors::NotFound(                                                                    \
            "No %s(%s) found for %s operator.", __ROLE, __NAME, __OP_TYPE));                      \
  } while (0)

namespace common {

enum ErrorCode { LEGACY = 0 };

class ErrorSummary {
 public:
  template <typename... Args>
  explicit ErrorSummary(Args... args);
  ErrorSummary(ErrorCode code, std::string msg);
  ErrorCode code() const;
  const std::string& error_message() const;
};

namespace errors {

template <typename... Args>
ErrorSummary InvalidArgument(Args... args);
template <typename... Args>
ErrorSummary NotFound(Args... args);
template <typename... Args>
ErrorSummary OutOfRange(Args... args);
template <typename... Args>
ErrorSummary AlreadyExists(Args... args);
template <typename... Args>
ErrorSummary PreconditionNotMet(Args... args);
template <typename... Args>
ErrorSummary PermissionDenied(Args... args);
template <typename... Args>
ErrorSummary Unimplemented(Args... args);
template <typename... Args>
ErrorSummary Unavailable(Args... args);

}  // namespace errors

namespace enforce {

struct EnforceNotMet : public std::exception {
  EnforceNotMet(const ErrorSummary& error, const char* file, int line);
};

// Both sides as one type, so that a signed number may be compared with an unsigned one.
template <typename T1, typename T2>
using CommonType1 = const typename std::common_type<T1, T2>::type&;
template <typename T1, typename T2>
using CommonType2 = const typename std::common_type<T1, T2>::type&;

}  // namespace enforce

namespace details {

template <typename T>
struct CanToString {
  static constexpr bool kValue = std::is_arithmetic<T>::value;
};

template <bool kCanToString>
struct BinaryCompareMessageConverter {
  template <typename T>
  static std::string Convert(const char* expression, const T& value);
};

}  // namespace details
}  // namespace common

namespace phi {
namespace errors = ::common::errors;
}  // namespace phi

namespace paddle {

namespace platform {
namespace errors = ::common::errors;
}  // namespace platform

namespace string {
template <typename... Args>
std::string Sprintf(const char* format, const Args&... args);
}  // namespace string

}  // namespace paddle
