#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ReluKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

// What the braces would become.
static void args_def_fn(const phi::KernelKey& kernel_key, phi::Kernel* kernel) {}

static const phi::KernelRegistrar relu_on_the_cpu(
    phi::RegType::INNER,
    "relu",
    "CPU",
    DATA_LAYOUT(ALL_LAYOUT),
    ::phi::CppTypeToDataType<float>::Type(),
    ARG_PARSE_FUNCTOR(phi::ReluKernel, float, phi::CPUContext),
    &args_def_fn,
    PHI_KERNEL(phi::ReluKernel<float, phi::CPUContext>),
    PHI_VARIADIC_KERNEL(phi::ReluKernel<float, phi::CPUContext>));
