// A test that was written for Fluid, with three operators.
#include "op_registry.h"

USE_OP_ITSELF(trace);
USE_OP(shift);
