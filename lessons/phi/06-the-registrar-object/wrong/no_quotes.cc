#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void AbsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

template <typename T, typename Context>
void MultiplyKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {}

}  // namespace phi

static void NothingToAdd(const ::phi::KernelKey&, ::phi::Kernel*) {}

#define REGISTER_ONE(kernel_name, meta_kernel_fn, cpp_dtype)                          \
  static const ::phi::KernelRegistrar PD_CONCATENATE(one_##kernel_name##_, PD_ID)(    \
      ::phi::RegType::INNER, kernel_name, "CPU", phi::DataLayout::ALL_LAYOUT,         \
      ::phi::CppTypeToDataType<cpp_dtype>::Type(),                                    \
      ARG_PARSE_FUNCTOR(meta_kernel_fn, cpp_dtype, ::phi::CPUContext),                \
      &NothingToAdd,                                                                  \
      PHI_KERNEL(meta_kernel_fn<cpp_dtype, ::phi::CPUContext>),                       \
      PHI_VARIADIC_KERNEL(meta_kernel_fn<cpp_dtype, ::phi::CPUContext>));

REGISTER_ONE(abs, phi::AbsKernel, float)
REGISTER_ONE(abs, phi::AbsKernel, double)
REGISTER_ONE(multiply, phi::MultiplyKernel, float)
