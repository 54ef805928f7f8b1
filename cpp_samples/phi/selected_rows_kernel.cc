// The same operator on another kind of tensor is another kernel, under another name.
//
// The gradient of an embedding touches a few rows of a table with millions. SelectedRows holds
// those rows and their numbers. A key has no room for the kind of tensor, so PHI puts it into the
// name: `scale` takes a DenseTensor and `scale_sr` takes this. In the entry, only the parameter's
// type tells the two apart.
#include "kernel_registry.h"

namespace phi {
namespace sr {

template <typename T, typename Context>
void ScaleKernel(const Context& dev_ctx,
                 const SelectedRows& x,
                 const Scalar& scale,
                 const Scalar& bias,
                 bool bias_after_scale,
                 SelectedRows* out) {}

template <typename T, typename Context>
void ClipSparseKernel(const Context& dev_ctx,
                      const SelectedRows& x,
                      const Scalar& min,
                      const Scalar& max,
                      SelectedRows* out) {}

}  // namespace sr
}  // namespace phi

PD_REGISTER_KERNEL(scale_sr,
                   CPU,
                   ALL_LAYOUT,
                   phi::sr::ScaleKernel,
                   float,
                   double,
                   phi::dtype::bfloat16,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int,
                   int64_t) {}

PD_REGISTER_KERNEL(
    clip_sr, CPU, ALL_LAYOUT, phi::sr::ClipSparseKernel, float, double, int, int64_t) {}
