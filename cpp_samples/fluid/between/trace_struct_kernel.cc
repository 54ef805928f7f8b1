// A shorter way to the same registry: the old class, registered with PHI as it stands.
//
// What was left of Fluid's kernels came into PHI like this, early in 2023, without a line of
// Compute being touched. From then on there was one registry, and that was the gain. What the class
// needs is still known to nobody but Compute: the registration says STRUCTURE, and its lists of
// inputs, attributes and outputs are empty. To fill them is what migrating to a function is for.
//
// PHI's macro names a template and gives it the type first, then the context. Fluid's kernels had
// them the other way round, and so each class is turned here; Paddle turned the classes themselves.
#include "../../phi/struct_kernel.h"
#include "../trace_op.h"

namespace paddle {
namespace operators {

template <typename T, typename DeviceContext>
class TraceStructKernel : public TraceKernel<DeviceContext, T> {};

template <typename T, typename DeviceContext>
class TraceGradStructKernel : public TraceGradKernel<DeviceContext, T> {};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

PD_REGISTER_STRUCT_KERNEL(trace,
                          CPU,
                          ALL_LAYOUT,
                          ops::TraceStructKernel,
                          float,
                          double,
                          int,
                          int64_t,
                          phi::dtype::float16,
                          phi::dtype::complex<float>,
                          phi::dtype::complex<double>) {}

PD_REGISTER_STRUCT_KERNEL(trace_grad,
                          CPU,
                          ALL_LAYOUT,
                          ops::TraceGradStructKernel,
                          float,
                          double,
                          int,
                          int64_t,
                          phi::dtype::float16,
                          phi::dtype::complex<float>,
                          phi::dtype::complex<double>) {}
