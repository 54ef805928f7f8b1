// PD_REGISTER_KERNEL where Paddle is built for devices that it doesn't know.
//
// Somebody's GPU may be so much like NVIDIA's that Paddle's GPU kernels compile for it as they are.
// Then Paddle's files go into the plug-in too, registrations and all, and those must not speak of
// GPU any more. So with -DPADDLE_WITH_CUSTOM_DEVICE the macro asks which backend it is given: a CPU
// kernel is registered as ever, and a GPU kernel is only compiled, for the CustomContext. The
// plug-in registers it under its own name, with PD_CUSTOM_KERNEL_REGISTER.
//
// The preprocessor can't compare words, and here does. It glues the word to a name and looks
// whether there is a macro of that name: IS_BACKEND_CPU_CPU is 1, IS_BACKEND_CPU_GPU is 0. The
// digit, glued to IF_, chooses between two macros, one of which drops its first argument and the
// other its second.
//
// Names, parameters and replacements are Paddle's; there they are in kernel_registry.h, which
// includes this file, so include that one.
#pragma once

// Both branches are written out, and one is thrown away. A backend without a line below, XPU for
// one, leaves IF_IS_BACKEND_CPU_XPU standing in the text, which no compiler knows.
#define PD_REGISTER_KERNEL(kernel_name, backend, layout, meta_kernel_fn, ...)                     \
  PD_EXPAND(IF_ELSE(IS_BACKEND_CPU(backend))(                                                     \
      PD_REGISTER_CPU_KERNEL(kernel_name, backend, layout, meta_kernel_fn, __VA_ARGS__),          \
      PD_REGISTER_NON_CPU_KERNEL(kernel_name, backend, layout, meta_kernel_fn, __VA_ARGS__)))

// --- The two branches --------------------------------------------------------------------------

// What PD_REGISTER_KERNEL is elsewhere.
#define PD_REGISTER_CPU_KERNEL(kernel_name, backend, layout, meta_kernel_fn, ...)                 \
  _PD_REGISTER_KERNEL(                                                                            \
      ::phi::RegType::INNER, kernel_name, backend, ::phi::backend##Context, layout,               \
      meta_kernel_fn,                                                                             \
      FUNCTION_KERNEL_INSTANTIATION, ARG_PARSE_FUNCTOR, PHI_KERNEL, PHI_VARIADIC_KERNEL,          \
      __VA_ARGS__)

#define PD_REGISTER_NON_CPU_KERNEL(kernel_name, backend, layout, meta_kernel_fn, ...)             \
  _PD_REGISTER_NON_CPU_KERNEL(                                                                    \
      ::phi::RegType::OUTER, kernel_name, backend, ::phi::CustomContext, layout, meta_kernel_fn,  \
      FUNCTION_KERNEL_INSTANTIATION, __VA_ARGS__)

// No object, so nothing is registered. But the braces are still there and want a head: they become
// the body of a function that nobody calls.
#define _PD_REGISTER_NON_CPU_KERNEL(                                                              \
    reg_type, kernel_name, backend, context, layout, meta_kernel_fn, kernel_instantiation_macro,  \
    ...)                                                                                          \
  PD_KERNEL_INSTANTIATION(                                                                        \
      meta_kernel_fn, backend, context, kernel_instantiation_macro, __VA_ARGS__)                  \
  static void __FAKE_PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                  \
      const ::phi::KernelKey kernel_key UNUSED, ::phi::Kernel* kernel UNUSED)

// --- The choice --------------------------------------------------------------------------------

#define IS_BACKEND_CPU(backend) PD_EXPAND(IS_BACKEND_CPU_HELPER(backend))
#define IS_BACKEND_CPU_HELPER(backend) PD_EXPAND(IS_BACKEND_CPU_##backend)

#define IS_BACKEND_CPU_CPU 1
#define IS_BACKEND_CPU_Custom 1
#define IS_BACKEND_CPU_OneDNN 1
#define IS_BACKEND_CPU_KPS 0
#define IS_BACKEND_CPU_GPU 0
#define IS_BACKEND_CPU_DEFAULT 0

#define IF_ELSE(condition) IF_ELSE_EXPAND(IF_ELSE_HELPER(condition))
#define IF_ELSE_HELPER(condition) CONCATENATE(IF_, condition)
#define IF_ELSE_EXPAND(x) x

#define IF_1(true_branch, false_branch) true_branch
#define IF_0(true_branch, false_branch) false_branch
#define IF_IS_BACKEND_CPU_DEFAULT(true_branch, false_branch) false_branch

#define CONCATENATE(x, y) CONCATENATE_HELPER(x, y)
#define CONCATENATE_HELPER(x, y) x##y

// --- What the plug-in writes -------------------------------------------------------------------

// OUTER, as PD_REGISTER_PLUGIN_KERNEL, but without the explicit instantiation, which Paddle's own
// file has made already.
#define PD_CUSTOM_KERNEL_REGISTER(kernel_name, backend, layout, meta_kernel_fn, ...)              \
  _PD_CUSTOM_REGISTER_KERNEL(                                                                     \
      ::phi::RegType::OUTER, kernel_name, backend, ::phi::CustomContext, layout, meta_kernel_fn,  \
      FUNCTION_KERNEL_INSTANTIATION, ARG_PARSE_FUNCTOR, PHI_KERNEL, PHI_VARIADIC_KERNEL,          \
      __VA_ARGS__)

#define _PD_CUSTOM_REGISTER_KERNEL(                                                               \
    reg_type, kernel_name, backend, context, layout, meta_kernel_fn, kernel_instantiation_macro,  \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, ...)              \
  PD_STATIC_ASSERT_GLOBAL_NAMESPACE(                                                              \
      PD_REGISTER_tp_kernel_ns_check_##kernel_name##_##backend##_##layout,                        \
      "PD_REGISTER_KERNEL must be called in global namespace.");                                  \
  static void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                       \
      const ::phi::KernelKey& kernel_key UNUSED, ::phi::Kernel* kernel UNUSED);                   \
  PD_KERNEL_REGISTRAR_INIT(                                                                       \
      reg_type, kernel_name, backend, context, layout,                                            \
      &__PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout, meta_kernel_fn,              \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__)    \
  void __PD_KERNEL_args_def_FN_##kernel_name##_##backend##_##layout(                              \
      const ::phi::KernelKey& kernel_key UNUSED, ::phi::Kernel* kernel UNUSED)
