// A program that wants trace, and says so to the linker.
#include "op_registry.h"

USE_OP(trace);
