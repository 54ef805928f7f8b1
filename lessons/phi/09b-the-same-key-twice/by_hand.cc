// relu for float on the CPU, registered without PD_REGISTER_KERNEL. Four arguments are there.
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
    phi::DataLayout::ALL_LAYOUT);
