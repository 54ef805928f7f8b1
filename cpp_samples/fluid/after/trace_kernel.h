// trace after the migration: what the kernels take, said by their parameters.
//
// The order is always the same: the context, the inputs, the attributes, the outputs. Whoever
// wants to know what trace needs reads four lines here, where it was a page of Compute.
#pragma once

#include "../../phi/phi.h"

namespace phi {

template <typename T, typename Context>
void TraceKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 int offset,
                 int axis1,
                 int axis2,
                 DenseTensor* out);

template <typename T, typename Context>
void TraceGradKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const DenseTensor& out_grad,
                     int offset,
                     int axis1,
                     int axis2,
                     DenseTensor* in_grad);

}  // namespace phi
