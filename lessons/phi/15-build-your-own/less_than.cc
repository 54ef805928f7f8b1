// less_than: out[i] = x[i] < y[i]. Neither the kernel nor its registration is here yet.
#include "kernel_registry.h"

namespace phi {

}  // namespace phi
