#include "kernel_registry.h"

namespace phi {

template <typename T, typename Context>
void ReluKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

// What the braces would become.
static void args_def_fn(const phi::KernelKey& kernel_key, phi::Kernel* kernel) {}

_PD_CREATE_REGISTRAR_OBJECT(phi::RegType::INNER, relu, CPU, phi::CPUContext, ALL_LAYOUT, PD_ID,
                            args_def_fn, phi::ReluKernel, ARG_PARSE_FUNCTOR, PHI_KERNEL,
                            PHI_VARIADIC_KERNEL, float)
