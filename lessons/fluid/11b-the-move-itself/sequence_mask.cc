// sequence_mask in PHI: the function, its registration, and its mapping.
#include "kernel_registry.h"
#include "op_utils.h"

namespace phi {

}  // namespace phi
