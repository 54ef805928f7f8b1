// What others have to know of row_sums: its name, and what it takes.
#pragma once

#include "kernel_registry.h"

namespace phi {

// out[i] is the sum of x's row i.
template <typename T, typename Context>
void RowSumsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out);

}  // namespace phi
