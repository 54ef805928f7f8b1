// One level, and the loop is asked for in one macro less: the count is not handed on as N.
#include "kernel_registry.h"

#undef PD_CONCATENATE
#define PD_CONCATENATE(arg1, arg2) arg1##arg2

#undef PD_KERNEL_REGISTRAR_INIT
#define PD_KERNEL_REGISTRAR_INIT(                                                               \
    reg_type, kernel_name, backend, context, layout, args_def_fn, meta_kernel_fn,               \
    arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, ...)            \
  PD_CONCATENATE(_PD_KERNEL_REGISTRAR_INIT_, PD_NARGS(__VA_ARGS__))(                            \
      reg_type, kernel_name, backend, context, layout, PD_ID, args_def_fn, meta_kernel_fn,      \
      arg_parse_functor_macro, kernel_unfold_macro, variadic_kernel_unfold_marco, __VA_ARGS__)

namespace phi {

template <typename T, typename Context>
void AbsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] < 0 ? -from[i] : from[i];
}

}  // namespace phi

PD_REGISTER_KERNEL(abs, CPU, ALL_LAYOUT, phi::AbsKernel, float, double) {}
