// The same kernels for the GPU: in Paddle this is a .cu, which nvcc compiles.
//
// Nothing is written twice. A template's argument says which device, and what the kernels call is
// a template too. Without PADDLE_WITH_CUDA the registrations expand to nothing.
#include "trace_op.h"

namespace ops = paddle::operators;

REGISTER_OP_CUDA_KERNEL(
    trace,
    ops::TraceKernel<paddle::platform::CUDADeviceContext, float>,
    ops::TraceKernel<paddle::platform::CUDADeviceContext, double>,
    ops::TraceKernel<paddle::platform::CUDADeviceContext, int>,
    ops::TraceKernel<paddle::platform::CUDADeviceContext, int64_t>,
    ops::TraceKernel<paddle::platform::CUDADeviceContext, paddle::platform::float16>,
    ops::TraceKernel<paddle::platform::CUDADeviceContext, paddle::platform::complex<float>>,
    ops::TraceKernel<paddle::platform::CUDADeviceContext, paddle::platform::complex<double>>);

REGISTER_OP_CUDA_KERNEL(
    trace_grad,
    ops::TraceGradKernel<paddle::platform::CUDADeviceContext, float>,
    ops::TraceGradKernel<paddle::platform::CUDADeviceContext, double>,
    ops::TraceGradKernel<paddle::platform::CUDADeviceContext, int>,
    ops::TraceGradKernel<paddle::platform::CUDADeviceContext, int64_t>,
    ops::TraceGradKernel<paddle::platform::CUDADeviceContext, paddle::platform::float16>,
    ops::TraceGradKernel<paddle::platform::CUDADeviceContext, paddle::platform::complex<float>>,
    ops::TraceGradKernel<paddle::platform::CUDADeviceContext, paddle::platform::complex<double>>);
