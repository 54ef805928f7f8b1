#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void AbsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

template <typename T, typename Context>
void MultiplyKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {}

}  // namespace phi

static void NothingToAdd(const ::phi::KernelKey&, ::phi::Kernel*) {}

#define REGISTER_ONE(n, f, t) _PD_CREATE_REGISTRAR_OBJECT(::phi::RegType::INNER, n, CPU, ::phi::CPUContext, ALL_LAYOUT, PD_ID, &NothingToAdd, f, ARG_PARSE_FUNCTOR, PHI_KERNEL, PHI_VARIADIC_KERNEL, t)

REGISTER_ONE(abs, phi::AbsKernel, float)
REGISTER_ONE(abs, phi::AbsKernel, double)
REGISTER_ONE(multiply, phi::MultiplyKernel, float)
