// Registrations without a list of types.
//
// Some kernels never look at an element: they allocate, or lay a new shape over the same memory.
// Such a kernel is a template over its context alone, and one function serves every type. So these
// macros take no types, the object that they declare is constructed without one, and that
// constructor runs the loop which PD_REGISTER_KERNEL has to unroll in macros: one entry for each
// data type that there is.
//
// Names, parameters and replacements are Paddle's; there they are in kernel_registry.h.
#pragma once

#include "kernel_registry.h"

// --- Every type, on one backend ----------------------------------------------------------------

// kernel_fn is a function, context and all: phi::strings::EmptyKernel<phi::CPUContext>.
#if (defined(PADDLE_WITH_CUSTOM_DEVICE) && defined(PADDLE_WITH_CUDA))
// Paddle's GPU source, built for somebody's device: compiled and not registered (custom_device.h).
#define PD_REGISTER_KERNEL_FOR_ALL_DTYPE(kernel_name, backend, layout, kernel_fn)                 \
  template decltype(kernel_fn) kernel_fn;                                                         \
  static void __FAKE_PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                  \
      const ::phi::KernelKey& kernel_key UNUSED, ::phi::Kernel* kernel UNUSED)
#else
#define PD_REGISTER_KERNEL_FOR_ALL_DTYPE(kernel_name, backend, layout, kernel_fn)                 \
  _PD_REGISTER_KERNEL_FOR_ALL_DTYPE(                                                              \
      ::phi::RegType::INNER, kernel_name, backend, layout, kernel_fn)
#endif

#define _PD_REGISTER_KERNEL_FOR_ALL_DTYPE(reg_type, kernel_name, backend, layout, kernel_fn)      \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_REGISTER_no_t_kernel_ns_check_##kernel_name##_##backend##_##layout,                      \
      "PD_REGISTER_NO_TEMPLATE_KERNEL must be called in global namespace.");                      \
  __PD_REGISTER_KERNEL_FOR_ALL_DTYPE(reg_type, kernel_name, backend, layout, kernel_fn)

// What _PD_REGISTER_2TA_KERNEL lays out in layers, in one: there is nothing to repeat, so there is
// nothing to count, and the object needs no number in its name.
#ifndef _WIN32
#define __PD_REGISTER_KERNEL_FOR_ALL_DTYPE(reg_type, kernel_name, backend, layout, kernel_fn)     \
  template decltype(kernel_fn) kernel_fn;                                                         \
  static void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                       \
      const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel);                                 \
  static const ::phi::KernelRegistrar __reg_phi_kernel_##kernel_name##_##backend##_##layout(      \
      reg_type, #kernel_name,                                                                     \
      #backend, DATA_LAYOUT(layout),                                                              \
      ::phi::KernelArgsParseFunctor<decltype(&kernel_fn)>::Parse,                                 \
      &__PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout,                              \
      PHI_KERNEL(kernel_fn), PHI_VARIADIC_KERNEL(kernel_fn));                                     \
  TEST_API int TouchKernelSymbolFor_##kernel_name##_##backend##_##layout() {                      \
    return 0;                                                                                     \
  }                                                                                               \
  void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                              \
      const ::phi::KernelKey& kernel_key UNUSED, ::phi::Kernel* kernel UNUSED)
#else
// Without the explicit instantiation, which MSVC rejects.
#define __PD_REGISTER_KERNEL_FOR_ALL_DTYPE(reg_type, kernel_name, backend, layout, kernel_fn)     \
  static void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                       \
      const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel);                                 \
  static const ::phi::KernelRegistrar __reg_phi_kernel_##kernel_name##_##backend##_##layout(      \
      reg_type, #kernel_name,                                                                     \
      #backend, DATA_LAYOUT(layout),                                                              \
      ::phi::KernelArgsParseFunctor<decltype(&kernel_fn)>::Parse,                                 \
      &__PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout,                              \
      PHI_KERNEL(kernel_fn), PHI_VARIADIC_KERNEL(kernel_fn));                                     \
  TEST_API int TouchKernelSymbolFor_##kernel_name##_##backend##_##layout() {                      \
    return 0;                                                                                     \
  }                                                                                               \
  void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                              \
      const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel)
#endif

// --- Every type, on every backend that Paddle was compiled for ---------------------------------

#if (defined(PADDLE_WITH_CUSTOM_DEVICE) && defined(PADDLE_WITH_CUDA))
// As above: compiled, and registered by the plug-in, with the second macro. The first one has no
// parameter named backend, so there the word itself goes into the function's name.
#define PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(kernel_name, layout, meta_kernel_fn)             \
  template decltype(meta_kernel_fn<::phi::CustomContext>) meta_kernel_fn<::phi::CustomContext>;   \
  static void __FAKE_PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                  \
      const ::phi::KernelKey kernel_key UNUSED, ::phi::Kernel* kernel UNUSED)

#define PD_CUSTOM_KERNEL_REGISTER_FOR_ALL_DTYPE(kernel_name, backend, layout, meta_kernel_fn)     \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_REGISTER_nt_kernel_ns_check_##kernel_name##_##layout,                                    \
      "PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE must be called in global "                        \
      "namespace.");                                                                              \
  static void __PD_KERNEL_args_def_FN_##kernel_name##_##layout(                                   \
      const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel);                                 \
  static const ::phi::KernelRegistrar __reg_phi_kernel_##kernel_name##_##backend##_##layout(      \
      ::phi::RegType::OUTER, #kernel_name,                                                        \
      #backend, DATA_LAYOUT(layout),                                                              \
      ::phi::KernelArgsParseFunctor<decltype(&meta_kernel_fn<::phi::CustomContext>)>::Parse,      \
      &__PD_KERNEL_args_def_FN_##kernel_name##_##layout,                                          \
      PHI_KERNEL(meta_kernel_fn<::phi::CustomContext>),                                           \
      PHI_VARIADIC_KERNEL(meta_kernel_fn<::phi::CustomContext>));                                 \
  TEST_API int TouchKernelSymbolFor_##kernel_name##_##backend##_##layout() {                      \
    return 0;                                                                                     \
  }                                                                                               \
  void __PD_KERNEL_args_def_FN_##kernel_name##_##layout(                                          \
      const ::phi::KernelKey& kernel_key UNUSED, ::phi::Kernel* kernel UNUSED)
#else
#define PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(kernel_name, layout, meta_kernel_fn)             \
  _PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(                                                      \
      ::phi::RegType::INNER, kernel_name, layout, meta_kernel_fn, BACKEND_LIST)
#endif

#define PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE_EXCEPT_CUSTOM(                                   \
    kernel_name, layout, meta_kernel_fn)                                                          \
  _PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(                                                      \
      ::phi::RegType::INNER, kernel_name, layout, meta_kernel_fn, BACKEND_LIST_EXCEPT_CUSTOM)

// The commas are part of the macros, so that a missing device leaves no empty place in the list.
#if defined(PADDLE_WITH_CUDA) || defined(PADDLE_WITH_HIP)
#define _DEVICE GPU,
#elif defined(PADDLE_WITH_XPU)
#define _DEVICE XPU,
#else
#define _DEVICE
#endif
#ifdef PADDLE_WITH_CUSTOM_DEVICE
#define _CUSTOM Custom,
#else
#define _CUSTOM
#endif

#define BACKEND_LIST _DEVICE _CUSTOM CPU
#define BACKEND_LIST_EXCEPT_CUSTOM _DEVICE CPU

// What was peeled type by type is peeled backend by backend here: count, paste, recurse.
#define _PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(                                                \
    reg_type, kernel_name, layout, meta_kernel_fn, ...)                                           \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_REGISTER_nt_kernel_ns_check_##kernel_name##_##layout,                                    \
      "PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE must be called in global "                        \
      "namespace.");                                                                              \
  PD_EXPAND(__PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(                                           \
      reg_type, kernel_name, layout, meta_kernel_fn, PD_NARGS(__VA_ARGS__), __VA_ARGS__))

// All backends share one function for the braces.
#define __PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(                                               \
    reg_type, kernel_name, layout, meta_kernel_fn, N, ...)                                        \
  static void __PD_KERNEL_args_def_FN_##kernel_name##_##layout(                                   \
      const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel);                                 \
  PD_EXPAND(PD_CONCATENATE(_PD_FOR_ALL_BACKEND_DTYPE_, N)(                                        \
      reg_type, kernel_name, layout, meta_kernel_fn,                                              \
      __PD_KERNEL_args_def_FN_##kernel_name##_##layout, __VA_ARGS__)                              \
      void __PD_KERNEL_args_def_FN_##kernel_name##_##layout(                                      \
          const ::phi::KernelKey& kernel_key UNUSED, ::phi::Kernel* kernel UNUSED))

#ifndef _WIN32
#define ___PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(                                              \
    reg_type, kernel_name, backend, layout, kernel_fn, args_def_fn)                               \
  template decltype(kernel_fn) kernel_fn;                                                         \
  static const ::phi::KernelRegistrar __reg_phi_kernel_##kernel_name##_##backend##_##layout(      \
      reg_type, #kernel_name,                                                                     \
      #backend, DATA_LAYOUT(layout),                                                              \
      ::phi::KernelArgsParseFunctor<decltype(&kernel_fn)>::Parse,                                 \
      &args_def_fn, PHI_KERNEL(kernel_fn), PHI_VARIADIC_KERNEL(kernel_fn));                       \
  TEST_API int TouchKernelSymbolFor_##kernel_name##_##backend##_##layout() {                      \
    return 0;                                                                                     \
  }
#else
#define ___PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(                                              \
    reg_type, kernel_name, backend, layout, kernel_fn, args_def_fn)                               \
  static const ::phi::KernelRegistrar __reg_phi_kernel_##kernel_name##_##backend##_##layout(      \
      reg_type, #kernel_name,                                                                     \
      #backend, DATA_LAYOUT(layout),                                                              \
      ::phi::KernelArgsParseFunctor<decltype(&kernel_fn)>::Parse,                                 \
      &args_def_fn, PHI_KERNEL(kernel_fn), PHI_VARIADIC_KERNEL(kernel_fn));                       \
  TEST_API int TouchKernelSymbolFor_##kernel_name##_##backend##_##layout() {                      \
    return 0;                                                                                     \
  }
#endif

#define _PD_FOR_ALL_BACKEND_DTYPE_1(                                                              \
    reg_type, kernel_name, layout, meta_kernel_fn, args_def_fn, backend)                          \
  ___PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(                                                    \
      reg_type, kernel_name, backend, layout, meta_kernel_fn<::phi::backend##Context>,            \
      args_def_fn)
#define _PD_FOR_ALL_BACKEND_DTYPE_2(                                                              \
    reg_type, kernel_name, layout, meta_kernel_fn, args_def_fn, backend, ...)                     \
  ___PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(                                                    \
      reg_type, kernel_name, backend, layout, meta_kernel_fn<::phi::backend##Context>,            \
      args_def_fn)                                                                                \
  PD_EXPAND(_PD_FOR_ALL_BACKEND_DTYPE_1(                                                          \
      reg_type, kernel_name, layout, meta_kernel_fn, args_def_fn, __VA_ARGS__))
#define _PD_FOR_ALL_BACKEND_DTYPE_3(                                                              \
    reg_type, kernel_name, layout, meta_kernel_fn, args_def_fn, backend, ...)                     \
  ___PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(                                                    \
      reg_type, kernel_name, backend, layout, meta_kernel_fn<::phi::backend##Context>,            \
      args_def_fn)                                                                                \
  PD_EXPAND(_PD_FOR_ALL_BACKEND_DTYPE_2(                                                          \
      reg_type, kernel_name, layout, meta_kernel_fn, args_def_fn, __VA_ARGS__))

// --- Keeping a registration in the program -----------------------------------------------------

// A linker takes from a library only the files that somebody mentions, and nobody mentions a file
// whose one purpose is to construct a registrar. Here somebody does: the initialiser calls the
// function that every registration leaves behind. Where that was never registered, linking fails.
#define PD_DECLARE_KERNEL(kernel_name, backend, layout)                                           \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_DECLARE_tp_kernel_ns_check_##kernel_name##_##backend##_##layout,                         \
      "PD_DECLARE_KERNEL must be called in global namespace.");                                   \
  TEST_API extern int TouchKernelSymbolFor_##kernel_name##_##backend##_##layout();                \
  UNUSED static int __declare_kernel_symbol_for_##kernel_name##_##backend##_##layout =            \
      TouchKernelSymbolFor_##kernel_name##_##backend##_##layout()
