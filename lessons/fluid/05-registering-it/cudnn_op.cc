// trace as some library has it, and a line that says the same twice.
#include "trace_op.h"

namespace ops = paddle::operators;

REGISTER_OP_KERNEL(trace,
                   CUDNN,
                   ::phi::GPUPlace,
                   ops::TraceKernel<paddle::platform::CUDADeviceContext, float>);

REGISTER_OP_CPU_KERNEL(trace,
                       ops::TraceKernel<paddle::platform::CPUDeviceContext, float>,
                       ops::TraceKernel<paddle::platform::CPUDeviceContext, float>);
