#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ReluKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi


static const phi::KernelRegistrar relu_on_the_cpu{
    phi::RegType::INNER,
    "relu",
    "CPU",
    phi::DataLayout::ANY,
    DATATYPE(FLOAT32),
    ARG_PARSE_FUNCTOR(phi::ReluKernel, float, phi::CPUContext),
    [](const phi::KernelKey&, phi::Kernel*) {},
    PHI_KERNEL(phi::ReluKernel<float, phi::CPUContext>),
    PHI_VARIADIC_KERNEL(phi::ReluKernel<float, phi::CPUContext>)};
