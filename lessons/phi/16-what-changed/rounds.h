// The rounds that Paddle has today, and kernel_registry.h here has not: 16 and 17 of both loops.
#pragma once
#include "kernel_registry.h"

#define _PD_KERNEL_INSTANTIATION_16(                                                              \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_15(                                                          \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))
#define _PD_KERNEL_INSTANTIATION_17(                                                              \
    meta_kernel_fn, backend, context, kernel_instantiation_macro, cpp_dtype, ...)                 \
  kernel_instantiation_macro(meta_kernel_fn, cpp_dtype, context)                                  \
  PD_EXPAND(_PD_KERNEL_INSTANTIATION_16(                                                          \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__))

#define _PD_KERNEL_REGISTRAR_INIT_16(                                                             \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_15(                                                         \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
#define _PD_KERNEL_REGISTRAR_INIT_17(                                                             \
    reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn,   \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype, ...)   \
  _PD_CREATE_REGISTRAR_OBJECT(                                                                    \
      reg_type, kernel_name, backend, context, layout, registrar_id, args_def_fn, meta_kernel_fn, \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, cpp_dtype)      \
  PD_EXPAND(_PD_KERNEL_REGISTRAR_INIT_16(                                                         \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,        \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__))
