// A program that wants trace, whoever computes it.
#include "op_registry.h"

USE_OP_ITSELF(trace);
