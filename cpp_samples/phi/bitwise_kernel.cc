// Four kernels for the bits of integers, and the file to read first.
//
// Two kinds of macro work here. DEFINE_BITWISE_KERNEL writes a kernel. PD_REGISTER_KERNEL puts a
// kernel into the registry, once for each type that it lists. Step through the first registration
// below: its six types become six objects, and the braces after it become the body of a function.
#include "kernel_registry.h"

namespace phi {

namespace funcs {

// What happens to one pair of elements.
template <typename T>
struct BitwiseAndFunctor {
  T operator()(const T a, const T b) const { return a & b; }
};

template <typename T>
struct BitwiseOrFunctor {
  T operator()(const T a, const T b) const { return a | b; }
};

template <typename T>
struct BitwiseXorFunctor {
  T operator()(const T a, const T b) const { return a ^ b; }
};

template <typename T>
struct BitwiseNotFunctor {
  T operator()(const T a) const { return ~a; }
};

// ~true is -2, which is true again.
template <>
struct BitwiseNotFunctor<bool> {
  bool operator()(const bool a) const { return !a; }
};

// Broadcasts x and y against each other and gives every pair to func.
template <typename Functor, typename T>
void ElementwiseCompute(const DeviceContext& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& y,
                        Functor func,
                        DenseTensor* out);

}  // namespace funcs

// One word differs between the three, so it is a parameter, and ## glues it into the names.
#define DEFINE_BITWISE_KERNEL(op_type)                                                            \
  template <typename T, typename Context>                                                         \
  void Bitwise##op_type##Kernel(                                                                  \
      const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {     \
    funcs::Bitwise##op_type##Functor<T> func;                                                     \
    funcs::ElementwiseCompute<funcs::Bitwise##op_type##Functor<T>, T>(dev_ctx, x, y, func, out);  \
  }

DEFINE_BITWISE_KERNEL(And)
DEFINE_BITWISE_KERNEL(Or)
DEFINE_BITWISE_KERNEL(Xor)

template <typename T, typename Context>
void BitwiseNotKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  funcs::BitwiseNotFunctor<T> func;
  for (int64_t i = 0, n = x.numel(); i < n; ++i) to[i] = func(from[i]);
}

}  // namespace phi

PD_REGISTER_KERNEL(bitwise_and,
                   CPU,
                   ALL_LAYOUT,
                   phi::BitwiseAndKernel,
                   bool,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int,
                   int64_t) {}

PD_REGISTER_KERNEL(bitwise_or,
                   CPU,
                   ALL_LAYOUT,
                   phi::BitwiseOrKernel,
                   bool,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int,
                   int64_t) {}

PD_REGISTER_KERNEL(bitwise_xor,
                   CPU,
                   ALL_LAYOUT,
                   phi::BitwiseXorKernel,
                   bool,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int,
                   int64_t) {}

PD_REGISTER_KERNEL(bitwise_not,
                   CPU,
                   ALL_LAYOUT,
                   phi::BitwiseNotKernel,
                   bool,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int,
                   int64_t) {}
