// One line, fifteen entries: a kernel for all types.
//
// Memory for strings can be had without asking what is in it, so the kernel has no T. Yet a key needs
// a type, and the constructor goes through all that PHI has, except the unsigned ones beyond uint8.
// pstring is among them only because the kernel's name begins with "strings_".
#include "all_dtypes.h"

namespace phi {
namespace strings {

template <typename Context>
void EmptyKernel(const Context& dev_ctx, const IntArray& shape, StringTensor* out) {}

}  // namespace strings
}  // namespace phi

PD_REGISTER_KERNEL_FOR_ALL_DTYPE(strings_empty,
                                 CPU,
                                 ALL_LAYOUT,
                                 phi::strings::EmptyKernel<phi::CPUContext>) {}

// Usually this stands in another file, and keeps the linker from leaving this one out.
PD_DECLARE_KERNEL(strings_empty, CPU, ALL_LAYOUT);
