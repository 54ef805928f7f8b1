// How PHI registers a kernel: one line of yours becomes one static object for each type in it.
//
// The preprocessor can't loop, count or compare. These macros get by with three tricks. They count
// by sliding: PD_NARGS puts the type list in front of 15, 14, ..., 0 and looks which number was
// pushed into one fixed place. They loop by numbered copies: ..._INIT_6 handles one type and hands
// five to ..._INIT_5. And they choose by pasting: the count, glued to a name, is the name of the
// macro to start with.
//
// Read from the top: each layer calls those below it. (That order is for you. A macro's body is
// looked at only when the macro is used, so the preprocessor takes any order.)
//
//   PD_REGISTER_KERNEL                   what you write
//     _PD_REGISTER_KERNEL                checks that it stands outside every namespace
//       _PD_REGISTER_2TA_KERNEL          lays out the declarations
//         PD_KERNEL_INSTANTIATION        compiles the kernel for each type
//         PD_KERNEL_REGISTRAR_INIT       declares one registrar object for each type
//           _PD_CREATE_REGISTRAR_OBJECT  that object, with the nine arguments of its constructor
//
// Names, parameters and replacements are Paddle's, down to a misspelt "marco"; only the list of
// types ends earlier, at 15.
#pragma once

#include "phi.h"

// --- What you write ----------------------------------------------------------------------------

// A kernel of Paddle's own. The braces that you put after it are not part of the macro: they end up
// behind a function head, and so become that function's body.
//
// The four macro names passed along are not expanded on the way, for none of them is followed by a
// parenthesis yet. They travel as plain words and come to life layers below, where the body writes
// one behind them. Macros are thus handed over as callbacks; another kind of kernel passes others.
#ifndef PADDLE_WITH_CUSTOM_DEVICE
#define PD_REGISTER_KERNEL(kernel_name, backend, layout, meta_kernel_fn, ...)                     \
  _PD_REGISTER_KERNEL(                                                                            \
      ::phi::RegType::INNER, kernel_name, backend, ::phi::backend##Context, layout,               \
      meta_kernel_fn,                                                                             \
      FUNCTION_KERNEL_INSTANTIATION, ARG_PARSE_FUNCTOR, PHI_KERNEL, PHI_VARIADIC_KERNEL,          \
      __VA_ARGS__)
#else
#include "custom_device.h"  // where the backend decides
#endif

// The same for a device that Paddle doesn't know: such a kernel is OUTER, and whatever its backend
// is called, it runs with a CustomContext.
#define PD_REGISTER_PLUGIN_KERNEL(kernel_name, backend, layout, meta_kernel_fn, ...)              \
  _PD_REGISTER_KERNEL(                                                                            \
      ::phi::RegType::OUTER, kernel_name, backend, ::phi::CustomContext, layout,                  \
      meta_kernel_fn,                                                                             \
      FUNCTION_KERNEL_INSTANTIATION, ARG_PARSE_FUNCTOR, PHI_KERNEL, PHI_VARIADIC_KERNEL,          \
      __VA_ARGS__)

// And for a device that it does know, where only the kernel comes from outside.
#define PD_REGISTER_BUILTIN_KERNEL(kernel_name, backend, layout, meta_kernel_fn, ...)             \
  _PD_REGISTER_KERNEL(                                                                            \
      ::phi::RegType::OUTER, kernel_name, backend, ::phi::backend##Context, layout,               \
      meta_kernel_fn,                                                                             \
      FUNCTION_KERNEL_INSTANTIATION, ARG_PARSE_FUNCTOR, PHI_KERNEL, PHI_VARIADIC_KERNEL,          \
      __VA_ARGS__)

// --- Outside every namespace -------------------------------------------------------------------

#define _PD_REGISTER_KERNEL(                                                                      \
    reg_type, kernel_name, backend, context, layout, meta_kernel_fn, kernel_instantiation_macro,  \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, ...)              \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_REGISTER_tp_kernel_ns_check_##kernel_name##_##backend##_##layout,                        \
      "PD_REGISTER_KERNEL must be called in global namespace.");                                  \
  PD_EXPAND(_PD_REGISTER_2TA_KERNEL(                                                              \
      reg_type, kernel_name, backend, context, layout, meta_kernel_fn,                            \
      kernel_instantiation_macro, arg_parse_functor_macro, kernel_unfold_macro,                   \
      variadic_kernel_unfold_marco, __VA_ARGS__))

// The next macro pastes uniq_name. Passing through this one first, it would be expanded, were it a
// macro.
#define PD_STATIC_ASSERT_GLOBAL_NAMESPACE(uniq_name, msg)                                         \
  _PD_STATIC_ASSERT_GLOBAL_NAMESPACE(uniq_name, msg)

// Declares a struct where it stands, then looks for it in the global scope. From inside a namespace
// it would not be found there.
#define _PD_STATIC_ASSERT_GLOBAL_NAMESPACE(uniq_name, msg)                                        \
  struct __test_global_namespace_##uniq_name##__ {};                                              \
  static_assert(                                                                                  \
      std::is_same<::__test_global_namespace_##uniq_name##__,                                     \
                   __test_global_namespace_##uniq_name##__>::value, msg)

// --- The declarations --------------------------------------------------------------------------

// In both forms a function is declared, the registrars take its address, and then comes its head
// again, this time without a semicolon, for the braces that follow the registration. That is why
// those braces can use two names, kernel_key and kernel.
//
// "2TA": the kernel is a template with two arguments, an element type and a context.
#ifndef _WIN32
#define _PD_REGISTER_2TA_KERNEL(                                                                  \
    reg_type, kernel_name, backend, context, layout, meta_kernel_fn, kernel_instantiation_macro,  \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, ...)              \
  PD_KERNEL_INSTANTIATION(                                                                        \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__);                 \
  static void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                       \
      const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel);                                 \
  PD_KERNEL_REGISTRAR_INIT(                                                                       \
      reg_type, kernel_name, backend, context, layout,                                            \
      &__PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout, meta_kernel_fn,              \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__);   \
  void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                              \
      const ::phi::KernelKey& kernel_key UNUSED, ::phi::Kernel* kernel UNUSED)
#else
// MSVC rejects `template decltype(f<...>) f<...>;`, and does without: the registrars take the
// kernels' addresses, which instantiates them too.
#define _PD_REGISTER_2TA_KERNEL(                                                                  \
    reg_type, kernel_name, backend, context, layout, meta_kernel_fn, kernel_instantiation_macro,  \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, ...)              \
  static void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                       \
      const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel);                                 \
  PD_EXPAND(PD_KERNEL_REGISTRAR_INIT(                                                             \
      reg_type, kernel_name, backend, context, layout,                                            \
      &__PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout, meta_kernel_fn,              \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__));  \
  void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                              \
      const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel)
#endif

// --- Compile the kernel for each type ----------------------------------------------------------

#define PD_KERNEL_INSTANTIATION(                                                                  \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, ...)                            \
  _PD_KERNEL_INSTANTIATION(                                                                       \
      PD_NARGS(__VA_ARGS__), meta_kernel_fn, backend, context, kernel_instantiation_macro,        \
      __VA_ARGS__)

// Counts, then calls the macro with that number. The parenthesis of the call stands outside of
// PD_CONCATENATE: the name has to exist before it can be followed by one.
#define _PD_KERNEL_INSTANTIATION(                                                                 \
    N, meta_kernel_fn, backend, context, kernel_instantiation_macro, ...)                         \
  PD_CONCATENATE(_PD_KERNEL_INSTANTIATION_, N)                                                    \
  (meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__)

// The loop: a round for each type, down to _1. cpp_dtype is the first type of the list and `...`
// takes the rest, so that passing __VA_ARGS__ on moves every type one place forward. The copies _3
// to _15 are at the end of this file.
#define _PD_KERNEL_INSTANTIATION_1(                                                               \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype)                      \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)
#define _PD_KERNEL_INSTANTIATION_2(                                                               \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_1(                                                           \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))

// --- One registrar object for each type --------------------------------------------------------

#define PD_KERNEL_REGISTRAR_INIT(                                                                 \
    reg_type, kernel_name, backend, context, layout, args_def_fn, meta_kernel_fn,                 \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, ...)              \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT(                                                            \
      PD_NARGS(__VA_ARGS__), reg_type, kernel_name, backend, context, layout, args_def_fn,        \
      meta_kernel_fn, arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, \
      __VA_ARGS__))

#define _PD_KERNEL_REGISTRAR_INIT(                                                                \
    N, reg_type, kernel_name, backend, context, layout, args_def_fn, meta_kernel_fn,              \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, ...)              \
  PD_EXPAND(PD_CONCATENATE(_PD_KERNEL_REGISTRAR_INIT_, N)(                                        \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))

// The last type. The function after the object does nothing: some other file may call it, which
// keeps a linker from dropping this one, whose registrars nobody else mentions.
#define _PD_KERNEL_REGISTRAR_INIT_1(                                                              \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)        \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  TEST_API int TouchKernelSymbolFor_##kernel_name##_##backend##_##layout() {                      \
    return 0;                                                                                     \
  }

// The loop again, with _3 to _15 at the end. Each round asks for a new PD_ID, since every object
// needs a name of its own.
#define _PD_KERNEL_REGISTRAR_INIT_2(                                                              \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_1(                                                          \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))

// The object, where the callbacks come to life: each now has its parenthesis.
#define _PD_CREATE_REGISTRAR_OBJECT(                                                              \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)        \
  static const ::phi::KernelRegistrar                                                             \
  PD_CONCATENATE(__reg_phi_kernel_##kernel_name##_##backend##_##layout##_, registrar_id)(         \
      reg_type, #kernel_name,                                                                     \
      #backend, DATA_LAYOUT(layout), ::phi::CppTypeToDataType<cpp_dtype>::Type(),                 \
      arg_parse_functor_macro(meta_kernel_fn, cpp_dtype, context),                                \
      args_def_fn,                                                                                \
      kernel_unfold_macro(meta_kernel_fn<cpp_dtype, context>),                                    \
      variadic_kernel_unfold_marco(meta_kernel_fn<cpp_dtype, context>));

// --- The callbacks -----------------------------------------------------------------------------

// The function that reads the kernel's parameters off its type.
#define ARG_PARSE_FUNCTOR(meta_kernel_fn, cpp_dtype, context)                                     \
  ::phi::KernelArgsParseFunctor<decltype(&meta_kernel_fn<cpp_dtype, context>)>::Parse

// An explicit instantiation: the kernel's code for this type and this context is made here.
#define FUNCTION_KERNEL_INSTANTIATION(meta_kernel_fn, cpp_dtype, context)                         \
  template decltype(meta_kernel_fn<cpp_dtype, context>) meta_kernel_fn<cpp_dtype, context>;

// The kernel behind one common signature. The parameter is `...` because f<bool, CPUContext> has a
// comma that no parenthesis protects: to the preprocessor these are two arguments.
#define PHI_KERNEL(...)                                                                           \
  ::phi::KernelImpl<decltype(&__VA_ARGS__), &__VA_ARGS__>::Compute

// The kernel with its own signature, as an address without a type.
#define PHI_VARIADIC_KERNEL(...)                                                                  \
  reinterpret_cast<void*>(                                                                        \
      &::phi::KernelImpl<decltype(&__VA_ARGS__), &__VA_ARGS__>::VariadicCompute)

// From a bare word to an enumerator. In Paddle, BACKEND and DATATYPE serve other registrations.
#define BACKEND(arg__) phi::Backend::arg__
#define DATA_LAYOUT(arg__) phi::DataLayout::arg__
#define DATATYPE(arg__) phi::DataType::arg__

// --- Tools -------------------------------------------------------------------------------------

// How many arguments? With three of them, 15 slides into the 4th place, 14 into the 5th, and so 3
// into the 16th, which is N. The list travels as one argument, in parentheses of its own, because
// MSVC's old preprocessor hands __VA_ARGS__ on as one argument in any case. In the body of
// _PD_ARG_N those parentheses become the call's.
#define PD_NARGS(...) _PD_NARGS((__VA_ARGS__, _PD_RESQ_N()))
#define _PD_NARGS(...) _PD_ARG_N(__VA_ARGS__)
#define _PD_ARG_N_EXPAND(                                                                         \
    _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, N, ...)                     \
  N
#define _PD_ARG_N(args) _PD_ARG_N_EXPAND args
#define _PD_RESQ_N() 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0

// An operand of ## is pasted as it was written. Going through another macro first gives it the
// chance to be expanded: PD_ID becomes a number before it is glued to a name. One such macro would
// do; there are two.
#define PD_CONCATENATE(arg1, arg2) PD_CONCATENATE1(arg1, arg2)
#define PD_CONCATENATE1(arg1, arg2) PD_CONCATENATE2(arg1, arg2)
#define PD_CONCATENATE2(arg1, arg2) arg1##arg2

// Gives back what it gets, scanned once more. A standard preprocessor needs it nowhere in this
// file; MSVC's old one splits __VA_ARGS__ into arguments only on that further scan.
#define PD_EXPAND(x) x

// A number to make a name unique: better the counter, which is new each time, than the line, which
// all macros on it share.
#ifdef __COUNTER__
#define PD_ID __COUNTER__
#else
#define PD_ID __LINE__
#endif

// Tells gcc and clang that a parameter may go unused, as it does where the braces are empty.
#if defined(_WIN32)
#define UNUSED
#else
#define UNUSED __attribute__((unused))
#endif

// On Windows a function has to be exported for a test in another library to see it.
#if defined(_WIN32) && defined(PADDLE_WITH_TESTING) && !defined(STATIC_PADDLE)
#ifdef PADDLE_DLL_EXPORT
#define TEST_API __declspec(dllexport)
#else
#define TEST_API __declspec(dllimport)
#endif
#else
#define TEST_API
#endif

// --- The rest of the two loops: nothing new, only the numbers ----------------------------------

#define _PD_KERNEL_INSTANTIATION_3(                                                               \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_2(                                                           \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_4(                                                               \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_3(                                                           \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_5(                                                               \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_4(                                                           \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_6(                                                               \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_5(                                                           \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_7(                                                               \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_6(                                                           \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_8(                                                               \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_7(                                                           \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_9(                                                               \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_8(                                                           \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_10(                                                              \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_9(                                                           \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_11(                                                              \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_10(                                                          \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_12(                                                              \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_11(                                                          \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_13(                                                              \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_12(                                                          \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_14(                                                              \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_13(                                                          \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_15(                                                              \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_14(                                                          \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))

#define _PD_KERNEL_REGISTRAR_INIT_3(                                                              \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_2(                                                          \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_4(                                                              \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_3(                                                          \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_5(                                                              \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_4(                                                          \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_6(                                                              \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_5(                                                          \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_7(                                                              \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_6(                                                          \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_8(                                                              \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_7(                                                          \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_9(                                                              \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_8(                                                          \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_10(                                                             \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_9(                                                          \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_11(                                                             \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_10(                                                         \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_12(                                                             \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_11(                                                         \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_13(                                                             \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_12(                                                         \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_14(                                                             \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_13(                                                         \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_15(                                                             \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_14(                                                         \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
