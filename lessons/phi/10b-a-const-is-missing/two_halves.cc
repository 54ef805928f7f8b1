// One object, made out of two kernels: the parser gets the one without const, Compute the other. So
// each of the two readers can be seen on its own.
#include "kernel_registry.h"

#define REGISTER_TWO_HALVES(parsed, computed)                                                     \
  static void args_def_fn(const phi::KernelKey& kernel_key, phi::Kernel* kernel) {}               \
  static const phi::KernelRegistrar two_halves(                                                   \
      phi::RegType::INNER, "two_halves", "CPU", phi::DataLayout::ALL_LAYOUT,                      \
      phi::DataType::FLOAT32, ARG_PARSE_FUNCTOR(parsed, float, phi::CPUContext), args_def_fn,     \
      PHI_KERNEL(computed<float, phi::CPUContext>),                                               \
      PHI_VARIADIC_KERNEL(computed<float, phi::CPUContext>));

namespace phi {

template <typename T, typename Context>
void NoConstKernel(const Context& dev_ctx, DenseTensor& x, DenseTensor* out) {}

template <typename T, typename Context>
void ConstKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}

}  // namespace phi

REGISTER_TWO_HALVES(phi::NoConstKernel, phi::ConstKernel)
