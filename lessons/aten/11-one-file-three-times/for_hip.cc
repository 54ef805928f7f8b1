// A kernel of a stub, registered for AMD's devices.
#include "dispatch_stub.h"
#include "tensor_meta.h"

namespace at::native {

using scale_fn = void (*)(TensorIteratorBase&, const at::Scalar&);
DECLARE_DISPATCH(scale_fn, scale_stub)

void scale_kernel(TensorIteratorBase& iter, const at::Scalar& factor) {}

REGISTER_HIP_DISPATCH(scale_stub, &scale_kernel)

}  // namespace at::native
