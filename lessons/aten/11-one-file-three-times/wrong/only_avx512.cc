// Two kernels. The build compiles this file three times, like all that it finds in native/cpu.
#if !defined(CPU_CAPABILITY)
#define CPU_CAPABILITY DEFAULT
#define CPU_CAPABILITY_DEFAULT
#endif

#include "dispatch_stub.h"
#include "tensor_meta.h"

namespace at::native {

using scale_fn = void (*)(TensorIteratorBase&, const at::Scalar&);
using tan_fn = void (*)(TensorIteratorBase&);
DECLARE_DISPATCH(scale_fn, scale_stub)
DECLARE_DISPATCH(tan_fn, tan_stub)

namespace {

void scale_kernel(TensorIteratorBase& iter, const at::Scalar& factor) {}
void tan_kernel(TensorIteratorBase& iter) {}

}  // namespace

REGISTER_DISPATCH(scale_stub, &scale_kernel)
REGISTER_AVX512_DISPATCH(tan_stub, &tan_kernel)

}  // namespace at::native
