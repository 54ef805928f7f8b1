// The other ways to fill a stub's slots: all of the CPU's at once, none of them, one by name.
//
// Not every kernel gains from being compiled for each processor. This file is compiled once.
#include "dispatch_stub.h"
#include "tensor_meta.h"

namespace at {

namespace native {

namespace {

// Moves memory about and computes nothing, so that no processor is better at it.
void roll_kernel(TensorIteratorBase&) {}

void pack_kernel(TensorIteratorBase&) {}

}  // namespace

using roll_fn = void (*)(TensorIteratorBase&);
DECLARE_DISPATCH(roll_fn, roll_stub)
DEFINE_DISPATCH(roll_stub);

// One function in every slot that this build has. Which these are, its flags say: without them, it
// is DEFAULT alone.
REGISTER_ALL_CPU_DISPATCH(roll_stub, &roll_kernel)

using pack_fn = void (*)(TensorIteratorBase&);
DECLARE_DISPATCH(pack_fn, pack_stub)
DEFINE_DISPATCH(pack_stub);

// Only for a device of your own. A slot that nobody defines would be an error of the linker, and so
// those of the CPU are filled with nothing. A call there says that it isn't implemented.
REGISTER_NO_CPU_DISPATCH(pack_stub)
REGISTER_PRIVATEUSE1_DISPATCH(pack_stub, &pack_kernel)

}  // namespace native

}  // namespace at
