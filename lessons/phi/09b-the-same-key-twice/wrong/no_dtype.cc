// relu for float on the CPU, registered without PD_REGISTER_KERNEL.
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
    phi::DataLayout::ALL_LAYOUT,
    ARG_PARSE_FUNCTOR(phi::ReluKernel, float, phi::CPUContext),
    args_def_fn,
    PHI_KERNEL(phi::ReluKernel<float, phi::CPUContext>),
    PHI_VARIADIC_KERNEL(phi::ReluKernel<float, phi::CPUContext>));
