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
    phi::DataType::FLOAT32,
    phi::KernelArgsParseFunctor<decltype(&phi::ReluKernel<float, phi::CPUContext>)>::Parse,
    args_def_fn,
    phi::KernelImpl<decltype(&phi::ReluKernel<float, phi::CPUContext>),
                    &phi::ReluKernel<float, phi::CPUContext>>::Compute,
    reinterpret_cast<void*>(
        &phi::KernelImpl<decltype(&phi::ReluKernel<float, phi::CPUContext>),
                         &phi::ReluKernel<float, phi::CPUContext>>::VariadicCompute));
