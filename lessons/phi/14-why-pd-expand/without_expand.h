// The macros of a registration of one or two types that have PD_EXPAND in them, without it. All else
// is as it was.
#pragma once
#include "kernel_registry.h"

#undef _PD_REGISTER_KERNEL
#define _PD_REGISTER_KERNEL(                                                                      \
    reg_type, kernel_name, backend, context, layout, meta_kernel_fn, kernel_instantiation_macro,  \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, ...)              \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_REGISTER_tp_kernel_ns_check_##kernel_name##_##backend##_##layout,                        \
      "PD_REGISTER_KERNEL must be called in global namespace.");                                  \
  _PD_REGISTER_2TA_KERNEL(                                                                        \
      reg_type, kernel_name, backend, context, layout, meta_kernel_fn,                            \
      kernel_instantiation_macro, arg_parse_functor_macro, kernel_unfold_macro,                   \
      variadic_kernel_unfold_marco, __VA_ARGS__)

#ifdef _WIN32
#undef _PD_REGISTER_2TA_KERNEL
#define _PD_REGISTER_2TA_KERNEL(                                                                  \
    reg_type, kernel_name, backend, context, layout, meta_kernel_fn, kernel_instantiation_macro,  \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, ...)              \
  static void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                       \
      const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel);                                 \
  PD_KERNEL_REGISTRAR_INIT(                                                                       \
      reg_type, kernel_name, backend, context, layout,                                            \
      &__PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout, meta_kernel_fn,              \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__);   \
  void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                              \
      const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel)
#endif

#undef _PD_KERNEL_INSTANTIATION_2
#define _PD_KERNEL_INSTANTIATION_2(                                                               \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  _PD_KERNEL_INSTANTIATION_1(                                                                     \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__)

#undef PD_KERNEL_REGISTRAR_INIT
#define PD_KERNEL_REGISTRAR_INIT(                                                                 \
    reg_type, kernel_name, backend, context, layout, args_def_fn, meta_kernel_fn,                 \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, ...)              \
  _PD_KERNEL_REGISTRAR_INIT(                                                                      \
      PD_NARGS(__VA_ARGS__), reg_type, kernel_name, backend, context, layout, args_def_fn,        \
      meta_kernel_fn, arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, \
      __VA_ARGS__)

#undef _PD_KERNEL_REGISTRAR_INIT
#define _PD_KERNEL_REGISTRAR_INIT(                                                                \
    N, reg_type, kernel_name, backend, context, layout, args_def_fn, meta_kernel_fn,              \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, ...)              \
  PD_CONCATENATE(_PD_KERNEL_REGISTRAR_INIT_, N)(                                                  \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__)

#undef _PD_KERNEL_REGISTRAR_INIT_2
#define _PD_KERNEL_REGISTRAR_INIT_2(                                                              \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  _PD_KERNEL_REGISTRAR_INIT_1(                                                                    \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__)
